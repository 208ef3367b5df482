/** Why something is not sent: invalid input, a failed precondition, an invalid setting. */
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
