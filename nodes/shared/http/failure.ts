/**
 * How a connection failed. In the first four cases nothing was sent; in the last two, the service
 * may have received the request. `blocked` means by n8n's own address protection.
 */
export type ConnectionTrouble =
	'blocked' | 'noAddress' | 'notConnected' | 'notSecure' | 'timedOut' | 'broken';

/** In place of the system's code, if there is none. */
export const NO_CODE = 'no code';

/** Why a request failed. */
export type Trouble =
	| {
			/** The service answered with a status other than 2xx. */
			kind: 'status';
			statusCode: number;
			serviceMessage?: string;
			/** The target of a redirect. */
			location?: string;
			/** The value of `Retry-After`, in milliseconds; 0 if it does not say how long to wait. */
			retryAfter?: number;
	  }
	| {
			/** No complete response arrived. */
			kind: 'connection';
			/** The system's code, such as ECONNREFUSED, the name of n8n's own error, or NO_CODE. */
			code: string;
			what: ConnectionTrouble;
			/** What had arrived of the response. */
			serviceMessage?: string;
	  }
	| {
			/** Aborted because its run stopped: a GET at once, others ten seconds after a cancellation. */
			kind: 'abandoned';
			serviceMessage?: string;
	  }
	| {
			/** A success status without the documented content. */
			kind: 'shape';
			statusCode: number;
			/** What the document specifies, as the object of a sentence: 'a "job_id"'. */
			expected: string;
			/** What arrived instead: 'text/html'. */
			received: string;
			serviceMessage?: string;
	  }
	| {
			/** The documented response `success: false` (service interface, section 7). */
			kind: 'unsuccessful';
			statusCode: number;
			serviceMessage?: string;
	  };

/** A request that failed, or is not sent because the service asks to wait too long. */
export class Failure extends Error {
	/** The number of attempts. */
	attempts = 1;

	constructor(readonly trouble: Trouble) {
		super(trouble.kind);
	}

	/** The service's own message, if it sent one. */
	get serviceMessage(): string | undefined {
		return this.trouble.serviceMessage;
	}
}
