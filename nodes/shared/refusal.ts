import type { Failure as NodeFailure } from 'n8n-workflow';

/** Why something is not sent: invalid input, a failed precondition, an invalid setting. */
export class Refusal extends Error {
	/**
	 * @param message what is wrong, with the parameter's label in quotes
	 * @param description what to do about it
	 * @param failure why, in the terms of n8n's schedulers; null where none of them fits
	 */
	constructor(
		message: string,
		readonly description: string,
		readonly failure: NodeFailure | null = { cause: 'configuration-invalid' },
	) {
		super(message);
	}
}
