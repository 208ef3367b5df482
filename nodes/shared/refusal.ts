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

/** What n8n or the credential refused, in the words of the error that it threw. */
export function toRefusal(error: unknown): Refusal {
	const { message, description } = (error ?? {}) as { message?: unknown; description?: unknown };
	return new Refusal(
		[message, error].find(isText) ?? 'The credential could not be used',
		isText(description) ? description : 'Nothing was sent. Check the credential and its settings.',
	);
}

/** Whether it is text that says something. */
export function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
