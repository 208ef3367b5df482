import type { Failure as NodeFailure } from 'n8n-workflow';

import { OUTCOMES, type Next, type Reason } from './outcomes';

/** What is known of a failure, for its message. */
export interface Facts {
	/** The HTTP status, if the service answered. */
	statusCode?: number;
	/** The service's own message, or what had arrived of the response, without the key. */
	serviceMessage?: string;
	/** The target of a redirect. */
	location?: string;
	/** How long the service asked to wait, in milliseconds; 0 if it did not say how long. */
	retryAfter?: number;
	/** The system's code of a failed connection, such as ECONNREFUSED. */
	code?: string;
	/** Of a success without the documented content: what the document specifies, and what arrived. */
	expected?: string;
	received?: string;
}

/** A request that failed, or is not sent because the service asks to wait too long. */
export class Failure extends Error {
	attempts = 1;

	constructor(
		/** Its line in the table of outcomes. */
		readonly reason: Reason,
		readonly facts: Facts = {},
	) {
		super(reason);
	}
}

/** What happened, as a sentence without its full stop. */
export function messageOf({ reason, facts: { statusCode, location } }: Failure): string {
	return OUTCOMES[reason].message
		.replace('{status}', () => String(statusCode))
		.replace('{location}', () => (location ? ` to ${location}` : ''));
}

export interface RefusalFacts {
	/** Why, in the terms of n8n's schedulers; null where none of them fits. */
	forSchedulers?: NodeFailure | null;
	/** The status of the service's answer, if that is the reason. */
	httpCode?: string;
	/** What sends the rest. By default, where it was found decides: an option can change, values are the same. */
	next?: Next;
}

/** Why something is not sent: invalid input, a failed precondition, an invalid setting. */
export class Refusal extends Error {
	readonly forSchedulers: NodeFailure | null;
	readonly httpCode: string | undefined;
	readonly next: Next | undefined;

	/**
	 * @param message what is wrong, with the parameter's label in quotes
	 * @param description what to do about it
	 */
	constructor(
		message: string,
		readonly description: string,
		{ forSchedulers = { cause: 'configuration-invalid' }, httpCode, next }: RefusalFacts = {},
	) {
		super(message);
		this.forSchedulers = forSchedulers;
		this.httpCode = httpCode;
		this.next = next;
	}
}

/** Refuses a whole run before anything of it is sent: the reason concerns no single item. */
export class RunRefusal extends Refusal {}
