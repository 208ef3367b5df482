import type { Failure as NodeFailure } from 'n8n-workflow';

/** Why something is not sent: invalid input, a failed precondition, an invalid setting. */
export class Refusal extends Error {
	/**
	 * @param message what is wrong, with the parameter's label in quotes
	 * @param description what to do about it
	 * @param failure why, in the terms of n8n's schedulers; null where none of them fits
	 * @param httpCode the status of the service's answer, if that is the reason
	 */
	constructor(
		message: string,
		readonly description: string,
		readonly failure: NodeFailure | null = { cause: 'configuration-invalid' },
		readonly httpCode?: string,
	) {
		super(message);
	}
}
