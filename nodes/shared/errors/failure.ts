import type { Failure as NodeFailure, IDataObject } from 'n8n-workflow';

import { OUTCOMES, type WayOn, type Reason } from './outcomes';

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
	/** Of a success without the documented content: what the document specifies, and what arrived in place of JSON. */
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

/** What is refused: an option of the node, or the values of an item. */
export type Refused = 'option' | 'values';

export interface RefusalFacts {
	/** Why, in the terms of n8n's schedulers; null where none of them fits. */
	forSchedulers?: NodeFailure | null;
	/** The status of the service's answer, if that is the reason. */
	httpCode?: string;
	/** What sends the rest; by default, what is refused decides. Undefined: n8n's Retry. */
	wayOn?: WayOn | undefined;
	/** What to do about it where nothing is paid for yet. */
	ifUnpaid?: string;
	/** What n8n's editor shows of its own error. */
	context?: IDataObject | undefined;
}

/** Why something is not sent: invalid input, a failed precondition, an invalid setting. */
export class Refusal extends Error {
	readonly facts: RefusalFacts;

	/**
	 * @param message what is wrong, with the parameter's label in quotes
	 * @param description what to do about it
	 */
	constructor(
		message: string,
		readonly description: string,
		facts: RefusalFacts = {},
	) {
		super(message);
		this.facts = { forSchedulers: { cause: 'configuration-invalid' }, ...facts };
	}
}

/** Joins sentences, and adds a full stop to one that lacks it. */
export function sentences(...parts: Array<string | false | undefined>): string {
	return parts
		.flatMap((part) => part || [])
		.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
		.join(' ');
}
