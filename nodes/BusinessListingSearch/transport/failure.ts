/** What a person is told: what happened, and what to do about it. */
export interface Explanation {
	message: string;
	description: string;
	/** The HTTP status the service answered with, if it answered. */
	httpCode?: string;
}

/** What kept a request from its result. */
export type Trouble =
	| {
			/** The service answered with a status that is no success. */
			kind: 'status';
			statusCode: number;
			serviceMessage?: string;
			/** Where a redirect leads. */
			location?: string;
			/** How long the service asked to wait, in milliseconds. */
			retryAfter?: number;
	  }
	| {
			/** No answer arrived. */
			kind: 'connection';
			/** The system's code, such as ECONNREFUSED. */
			code: string;
			/** Whether the request may have reached the service. */
			sent: boolean;
			/** Whether another try cannot help: a certificate stays as it is. */
			isLasting: boolean;
	  }
	| {
			/** A success by its status, but not with the documented content. */
			kind: 'shape';
			statusCode: number;
			/** What the document promises, as the object of a sentence: 'a "job_id"'. */
			expected: string;
			/** What arrived in its place, likewise: 'text/html'. */
			received: string;
			serviceMessage?: string;
	  }
	| {
			/** The documented answer `success: false` (service interface, section 7). */
			kind: 'unsuccessful';
			statusCode: number;
			serviceMessage?: string;
	  };

/** A request that was sent, or tried, and did not come to its result. */
export class Failure extends Error {
	/** How often the request was tried. */
	tries = 1;

	constructor(readonly trouble: Trouble) {
		super(trouble.kind);
	}
}

/** Whether a request of this method changes something, and may cost something. */
export function changesSomething(method: string): boolean {
	return method !== 'GET';
}

/**
 * Whether the service may have carried out the request without anybody knowing: the answer did not get
 * here intact, or came from something in between. A service that answers 500 or 503 itself has said
 * that it did not.
 */
export function isUncertain({ trouble }: Failure, method: string): boolean {
	if (!changesSomething(method)) return false;
	if (trouble.kind === 'connection') return trouble.sent;
	if (trouble.kind === 'status') return trouble.statusCode > 500 && trouble.statusCode !== 503;
	return trouble.kind === 'shape';
}
/** Input that is refused before anything is sent. */
export class Refusal extends Error {
	/**
	 * @param message what is wrong, with the parameter's label in quotes
	 * @param description what to enter
	 */
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
	}
}
