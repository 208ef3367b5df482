import { Capacity } from './capacity';
import type { AnswerFault, FaultKind, FaultOf, FaultRule } from './faults';
import { SlidingWindow } from './rateLimit';
import { seededRandom } from './random';
import type { Exchange, RecordedRequest } from './traffic';

const SEED = 1;

/** A rule in force, with how many requests it matched and to how many it was applied. */
interface ActiveRule {
	readonly rule: FaultRule;
	matched: number;
	applied: number;
}

interface RuleInForce extends ActiveRule {
	window?: SlidingWindow;
	capacity?: Capacity;
}

/** The rules in force, in order: the first that matches and is due decides the answer. */
export class FaultPlan {
	private active: RuleInForce[] = [];
	/** The random numbers behind `probability`: the same in every run. */
	private random = seededRandom(SEED);

	/** @param basePath the prefix that `path` of a rule leaves out */
	constructor(private readonly basePath: string) {}

	/** Appends a rule; its counts start at 0. */
	add(rule: FaultRule): void {
		const { fault } = rule;
		const active: RuleInForce = { rule, matched: 0, applied: 0 };
		if (fault.kind === 'rateLimit') active.window = new SlidingWindow(fault.perSecond);
		if (fault.kind === 'capacity') active.capacity = new Capacity(fault.atOnce);
		this.active.push(active);
	}

	/** Removes all rules; a request that is waiting is then answered as usual. */
	clear(): void {
		this.active = [];
	}

	/** Removes all rules and restarts the random numbers. */
	reset(): void {
		this.clear();
		this.random = seededRandom(SEED);
	}

	get isEmpty(): boolean {
		return this.active.length === 0;
	}

	/** The rules in force with their counts, as plain data. */
	list(): ActiveRule[] {
		return this.active.map(({ rule, matched, applied }) => ({ rule, matched, applied }));
	}

	/**
	 * Finds the fault of a request and notes its kind in the record.
	 * @param exchange with its body read
	 * @returns the fault that decides the answer, or undefined for the usual answer. Rejects, or never
	 * settles, if the request is given up in a pause or leaves the queue of a capacity
	 */
	async decide(exchange: Exchange): Promise<AnswerFault | undefined> {
		const { record, response, pause } = exchange;
		const path = decodedPath(record.path, this.basePath);
		const rules = this.active;
		for (const active of rules) {
			// The rules may have been replaced during a pause: the old ones no longer apply.
			if (rules !== this.active) return undefined;
			if (!this.isDue(active, record, path)) continue;
			const { fault } = active.rule;
			const waitMs = active.window?.take(performance.now());
			if (waitMs === 0) continue;
			active.applied += 1;
			record.fault = fault.kind;
			switch (fault.kind) {
				case 'delay':
					await pause(fault.ms);
					break;
				case 'rateLimit':
					return tooManyRequests(retryAfter(fault, waitMs ?? 0));
				case 'capacity':
					if (active.capacity?.take(response) === false) {
						if (fault.refuses === true) return tooManyRequests(fault.retryAfter);
						await active.capacity.wait(response);
					}
					if (fault.ms !== undefined) await pause(fault.ms);
					break;
				default:
					return fault;
			}
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

function retryAfter(fault: FaultOf<'rateLimit'>, waitMs: number): string | undefined {
	const seconds = Math.max(1, Math.ceil(waitMs / 1000));
	switch (fault.retryAfter) {
		case 'date':
			// HTTP dates have whole seconds: rounded up, so that the client never comes too early.
			return new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000).toUTCString();
		case 'none':
			return undefined;
		default:
			return String(seconds);
	}
}

function tooManyRequests(after: string | undefined): AnswerFault {
	return {
		kind: 'status',
		status: 429,
		headers: after === undefined ? {} : { 'retry-after': after },
		body: { message: 'Too many requests' },
	};
}
