import { MAYBE, type Doubt, type Reason, type WayOn } from './outcomes';

/** What follows from a failure. */
export interface Facts {
	/** Its row in the table of outcomes, if it is a request's. */
	reason?: Reason | undefined;
	/** The status that the service answered with. */
	httpCode?: string | undefined;
	/** The service's own message, without the key. */
	serviceMessage?: string | undefined;
	/** How long the service asked to wait, in milliseconds; 0 if it did not say how long. */
	retryAfter?: number | undefined;
	/** Set where sending the request again could pay twice. */
	doubt?: Doubt | undefined;
	/** What sends the rest of a run. */
	wayOn: WayOn;
	/** Whether it only repeats what an earlier attempt or pass has left in doubt. */
	isFromEarlier?: true;
}

/** Why something failed, or is not sent, with all that is said of it. It is complete where it is made. */
export class Failure extends Error {
	readonly facts: Facts;

	/**
	 * @param message what happened, as a clause, with the label of a parameter in quotes
	 * @param whatToDo about it, as sentences, true for a person and a model
	 * @param said by the service, or the system
	 */
	constructor(
		message: string,
		readonly whatToDo: string,
		facts: Partial<Facts> = {},
		readonly said = '',
	) {
		super(message);
		this.facts = { wayOn: 'content', ...facts };
	}

	get httpCode(): string | undefined {
		return this.facts.httpCode;
	}

	/** What was said, and what to do. */
	get description(): string {
		return sentences(this.said, this.whatToDo);
	}
}

/**
 * Whatever was thrown, as a failure.
 *
 * @param facts that it has, if it is none
 * @param advice what to do, if the error does not say it; without it, a TypeError is a fault of this package
 */
export function asFailure(error: unknown, facts?: Partial<Facts>, advice?: string): Failure {
	if (error instanceof Failure) return error;
	const { name, message, description } = (error ?? {}) as Record<string, unknown>;
	if (advice === undefined && FAULTS.includes(String(name))) return faultOf(error, facts);
	const text = [message, error].find(isText) ?? 'An error without a message';
	return new Failure(
		text.replace(/([^.])\.+$/, '$1'),
		isText(description) ? description : (advice ?? 'Check the values of this item.'),
		facts,
	);
}

/** What only wrong code throws. What an expression, the credential or n8n throws has an advice of its own. */
const FAULTS = ['TypeError', 'RangeError', 'ReferenceError'];

/** A fault of this package: the value is not to blame. Its cause has nothing but what helps to find it. */
export function faultOf(error: unknown, facts?: Partial<Facts>): Failure {
	const { name, message, stack } = error as Error;
	const danger = facts?.doubt && `The request ${MAYBE}.`;
	const fault = new Failure(
		'This is a fault of this node',
		sentences('Please report it.', danger),
		{
			...facts,
			wayOn: 'retry',
		},
	);
	fault.cause = { name, message, stack };
	return fault;
}

/** Joins sentences, and adds a full stop to one that lacks it. */
export function sentences(...parts: Array<string | false | undefined>): string {
	return parts
		.flatMap((part) => part || [])
		.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
		.join(' ');
}

/** Whether a value is text, and not blank. */
export function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
