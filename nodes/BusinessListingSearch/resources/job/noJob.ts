/**
 * The start of a sentence about a job that is not created.
 *
 * @param created how many jobs of the run are created or in flight, over all its attempts
 */
export function noJobWasCreated(created: number): string {
	return created === 0 ? 'No job was created' : 'No more jobs were created';
}
