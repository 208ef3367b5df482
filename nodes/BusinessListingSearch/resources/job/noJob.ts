/**
 * The start of a sentence about a job that is not created.
 *
 * @param started 0 if the run has started no job yet, in any of its attempts
 */
export function noJobWasCreated(started: number): string {
	return started === 0 ? 'No job was created' : 'No more jobs were created';
}
