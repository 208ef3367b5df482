/** Why something is not sent: invalid input, a precondition that does not hold, a setting that cannot be used. */
export class Refusal extends Error {
	/**
	 * @param message what is wrong, with the parameter's label in quotes
	 * @param description what to do about it
	 */
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
	}
}
