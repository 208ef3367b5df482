import { SlidingWindow } from './rateLimit';
import { seededRandom } from './random';
import type { RecordedRequest } from './traffic';

/**
 * What a rule does to a request. `carryOut` (default false) says whether the work is done all the
 * same, so that the client sees a failure although its job or item is there.
 */
export type Fault =
	/** This status; the body is JSON, or text/plain when it is a string. */
	| {
			kind: 'status';
			status: number;
			headers?: Record<string, string>;
			body?: unknown;
			carryOut?: boolean;
	  }
	/** Waits, then looks at the later rules and else answers as usual. */
	| { kind: 'delay'; ms: number }
	/** Destroys the connection without an answer. */
	| { kind: 'drop'; carryOut?: boolean }
	/** Never answers; the connection stays open until the client, `reset` or `stop` ends it. */
	| { kind: 'hang' }
	/** 200 with a web page. */
	| { kind: 'html'; carryOut?: boolean }
	/** 200 with the first half of the usual answer, properly ended. */
	| { kind: 'truncated'; carryOut?: boolean }
	/** 200 with the first half of the usual answer, then the connection breaks. */
	| { kind: 'cut'; carryOut?: boolean }
	/** 200 with this JSON. */
	| { kind: 'json'; body: unknown; carryOut?: boolean }
	/** Blacklist add and delete only: 200 `{ success: false }`, nothing done. */
	| { kind: 'successFalse' }
	/** Blacklist listing only: the last entry says `nb` in place of `count`. */
	| { kind: 'nb' }
	/** A redirect (default 302), nothing done. */
	| { kind: 'redirect'; to: string; status?: number }
	/** This status with a message that repeats the received key. */
	| { kind: 'echo'; status: number }
	/** 200 with the usual answer and blanks after it, about this many bytes together. */
	| { kind: 'large'; bytes: number; carryOut?: boolean }
	/** The usual answer, its headers at once and its body byte by byte, one each `ms`. */
	| { kind: 'trickle'; ms: number }
	/** 429 for what is above the limit; the rest passes on to the later rules. */
	| { kind: 'rateLimit'; perSecond: number; retryAfter?: 'seconds' | 'date' | 'none' };

export type FaultKind = Fault['kind'];

/** A fault that decides the answer by itself: what is left once delays and limits are done. */
export type AnswerFault = Exclude<Fault, { kind: 'delay' | 'rateLimit' }>;

/**
 * Which requests get a fault, and how often. Every condition given has to hold. A rule counts the
 * requests it looks at, so not those that an earlier rule has already decided.
 */
export interface FaultRule {
	method?: string;
	/** The start of the decoded path, after the base path: '/api/v1/jobs'. */
	path?: string;
	/** A text that the raw body must contain. */
	match?: string;
	/** Lets this many matching requests pass first. */
	skip?: number;
	/** Then applies this often; without it, for ever. */
	times?: number;
	/** 0 to 1; drawn from the seeded random numbers for each request that is due. */
	probability?: number;
	fault: Fault;
}

/** A rule in force, with how many requests it matched and to how many it was applied. */
export interface ActiveRule {
	readonly rule: FaultRule;
	matched: number;
	applied: number;
}

/** The rules in force, in order: the first that matches and is due decides the answer. */
export class FaultPlan {
	private active: Array<ActiveRule & { window?: SlidingWindow }> = [];
	private random: () => number;

	/**
	 * @param basePath the prefix that `path` of a rule leaves out
	 * @param seed of the random numbers behind `probability`
	 */
	constructor(
		private readonly basePath: string,
		private readonly seed: number,
	) {
		this.random = seededRandom(seed);
	}

	/** Appends a rule; its counts start at 0. */
	add(rule: FaultRule): void {
		const window =
			rule.fault.kind === 'rateLimit' ? new SlidingWindow(rule.fault.perSecond) : undefined;
		this.active.push({ rule, matched: 0, applied: 0, window });
	}

	/** Removes all rules; a request that is being delayed is answered as usual afterwards. */
	clear(): void {
		this.active = [];
	}

	/** Removes all rules and starts the random numbers anew. */
	reset(): void {
		this.clear();
		this.random = seededRandom(this.seed);
	}

	get isEmpty(): boolean {
		return this.active.length === 0;
	}

	/** The rules in force with their counts, as plain data. */
	list(): ActiveRule[] {
		return this.active.map(({ rule, matched, applied }) => ({ rule, matched, applied }));
	}

	/**
	 * Looks for what is to be done to a request, and notes its name in `request.fault`.
	 * @param request with its body read
	 * @param pause waits so many milliseconds; rejects when the request is given up meanwhile
	 * @returns the fault that decides the answer, or undefined for the usual answer
	 */
	async decide(
		request: RecordedRequest,
		pause: (ms: number) => Promise<void>,
	): Promise<AnswerFault | undefined> {
		const path = decodedPath(request.path, this.basePath);
		const rules = this.active;
		for (const active of rules) {
			// A pause gives time for the rules to be replaced; the old ones then count no more.
			if (rules !== this.active) return undefined;
			if (!this.isDue(active, request, path)) continue;
			const { fault } = active.rule;
			const wait = active.window?.take(performance.now());
			if (wait === 0) continue;
			active.applied += 1;
			request.fault = fault.kind;
			if (fault.kind === 'delay') await pause(fault.ms);
			else if (fault.kind === 'rateLimit') return tooManyRequests(fault.retryAfter, wait ?? 0);
			else return fault;
		}
		return undefined;
	}

	private isDue(active: ActiveRule, request: RecordedRequest, path: string): boolean {
		const { rule } = active;
		if (rule.method !== undefined && rule.method.toUpperCase() !== request.method) return false;
		if (rule.path !== undefined && !path.startsWith(rule.path)) return false;
		if (rule.match !== undefined && !request.rawBody.includes(rule.match)) return false;
		if (!concerns(rule.fault.kind, request.method, path)) return false;
		active.matched += 1;
		if (active.matched <= (rule.skip ?? 0)) return false;
		if (active.applied >= (rule.times ?? Infinity)) return false;
		return rule.probability === undefined || this.random() < rule.probability;
	}
}

/** Two faults exist for certain endpoints only; elsewhere they match nothing and count nothing. */
function concerns(kind: FaultKind, method: string, path: string): boolean {
	if (kind === 'nb') return method === 'GET' && path === '/api/v1/blacklist';
	if (kind === 'successFalse') return method !== 'GET' && path.startsWith('/api/v1/blacklist/');
	return true;
}

function decodedPath(rawPath: string, basePath: string): string {
	let path = rawPath.split('?', 1)[0] ?? '';
	try {
		path = decodeURIComponent(path);
	} catch {
		// Not decodable: rules then match what was received.
	}
	return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}

function tooManyRequests(
	retryAfter: 'seconds' | 'date' | 'none' = 'seconds',
	waitMs: number,
): AnswerFault {
	const seconds = Math.max(1, Math.ceil(waitMs / 1000));
	// HTTP dates have whole seconds: rounded up, so that the client never comes too early.
	const date = new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000).toUTCString();
	return {
		kind: 'status',
		status: 429,
		headers:
			retryAfter === 'none' ? {} : { 'retry-after': retryAfter === 'date' ? date : `${seconds}` },
		body: { message: 'Too many requests' },
	};
}
