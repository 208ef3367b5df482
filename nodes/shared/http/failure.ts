/**
 * What became of a connection. In the first three cases nothing was sent; in the last two, the service
 * may have received the request.
 */
export type ConnectionTrouble = 'noAddress' | 'notConnected' | 'notSecure' | 'timedOut' | 'broken';

/** Why a request failed. */
export type Trouble =
	| {
			/** The service answered with a status other than a success. */
			kind: 'status';
			statusCode: number;
			serviceMessage?: string;
			/** Where a redirect leads. */
			location?: string;
			/** What `Retry-After` asked for, in milliseconds. */
			retryAfter?: number;
	  }
	| {
			/** No complete answer arrived. */
			kind: 'connection';
			/** The system's code, such as ECONNREFUSED. */
			code: string;
			what: ConnectionTrouble;
	  }
	| {
			/** The run was stopped, and the answer did not arrive in the time it was still given. */
			kind: 'abandoned';
	  }
	| {
			/** A success by its status, without the documented content. */
			kind: 'shape';
			statusCode: number;
			/** What the document promises, as the object of a sentence: 'a "job_id"'. */
			expected: string;
			/** What arrived instead: 'text/html'. */
			received: string;
			serviceMessage?: string;
	  }
	| {
			/** The documented answer `success: false` (service interface, section 7). */
			kind: 'unsuccessful';
			statusCode: number;
			serviceMessage?: string;
	  };

/** A request that was sent, or tried, and failed. */
export class Failure extends Error {
	/** How many attempts were made. */
	attempts = 1;

	constructor(readonly trouble: Trouble) {
		super(trouble.kind);
	}
}
