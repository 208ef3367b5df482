/**
 * What a rule does to a request. `carryOut` (default false) says whether the request is carried out
 * all the same, so that the client sees a failure although its job or item was created.
 */
export type Fault =
	/** This status; the body is JSON, or text/plain when it is a string. */
	| {
			kind: 'status';
			/** Any from 200 to 599, even one that HTTP does not define. */
			status: number;
			headers?: Record<string, string>;
			body?: unknown;
			carryOut?: boolean;
	  }
	/** Waits, then applies the later rules; if none matches, answers as usual. */
	| { kind: 'delay'; ms: number }
	/** Destroys the connection without an answer. */
	| { kind: 'drop'; carryOut?: boolean }
	/** Never answers; the connection stays open until the client, `reset` or `stop` ends it. */
	| { kind: 'hang' }
	/**
	 * This status (default 200) and the headers of JSON at once, then the first `after` bytes of the
	 * usual answer (default 0), then nothing more; the connection stays open as with `hang`. With
	 * `gzip` the bytes are those of the compressed answer.
	 */
	| {
			kind: 'stall';
			status?: number;
			headers?: Record<string, string>;
			gzip?: boolean;
			after?: number;
			carryOut?: boolean;
	  }
	/** 200 with a web page, nothing done. */
	| { kind: 'html' }
	/** 200 with the first half of the usual answer, properly ended. */
	| { kind: 'truncated'; carryOut?: boolean }
	/** 200 with the first half of the usual answer, then the connection breaks. */
	| { kind: 'cut'; carryOut?: boolean }
	/** 200 with this JSON. */
	| { kind: 'json'; body: unknown; carryOut?: boolean }
	/** Exactly these characters as application/json, with this status (default 200). */
	| { kind: 'raw'; body: string; status?: number; carryOut?: boolean }
	/** Blacklist add and delete only: 200 `{ success: false }`, nothing done. */
	| { kind: 'successFalse' }
	/** Blacklist listing only: the last entry says `nb` in place of `count`. */
	| { kind: 'nb' }
	/** A redirect (default 302), nothing done. */
	| { kind: 'redirect'; to: string; status?: number }
	/**
	 * Repeats the received key, nothing done. In the body (the default) it is part of the message,
	 * written in this form. In the location it is percent-encoded; the status is 302 unless the one
	 * given is a 3xx.
	 */
	| { kind: 'echo'; status: number; form?: EchoForm; in?: 'body' | 'location' }
	/** The usual answer, its headers at once and its body byte by byte, one every `ms`. */
	| { kind: 'trickle'; ms: number }
	/** 429 for what is above the limit; the rest passes on to the later rules. */
	| {
			kind: 'rateLimit';
			perSecond: number;
			/** Default 'seconds'. */
			retryAfter?: 'seconds' | 'date' | 'none';
	  }
	/**
	 * Works on at most `atOnce` requests at once, on each for `ms` (default 0), then applies the later
	 * rules. A request is worked on until its response closes. The others wait in a queue, which a
	 * client leaves by closing its connection. With `refuses` they get 429 instead, with the header
	 * Retry-After if it is given.
	 */
	| { kind: 'capacity'; atOnce: number; ms?: number; refuses?: boolean; retryAfter?: string };

export type FaultKind = Fault['kind'];

/** The fields of a fault of this kind. */
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;

/** A fault that decides the answer by itself: what is left once delays and limits are done. */
export type AnswerFault = Exclude<Fault, { kind: 'delay' | 'rateLimit' | 'capacity' }>;

/** How `echo` writes the key into JSON: as it is, with `/` as `\/`, or every character as \u00xx. */
export type EchoForm = 'plain' | 'slashes' | 'unicode';

/**
 * Which requests get a fault, and how often. Every condition given has to hold. A rule does not see,
 * and does not count, the requests that an earlier rule decides.
 */
export interface FaultRule {
	method?: string;
	/** The start of the decoded path, after the base path: '/api/v1/jobs'. */
	path?: string;
	/** A text that the raw body must contain. */
	match?: string;
	/** Lets this many matching requests pass first. */
	skip?: number;
	/** Then applies this often; without it, to all that follow. */
	times?: number;
	/** 0 to 1; drawn from the seeded random numbers for each request that is due. */
	probability?: number;
	fault: Fault;
}
