import type { IContextObject, IDataObject } from 'n8n-workflow';

import type { RunContext } from '../../nodes/BusinessListingSearch/form/call';
import { fingerprintOf } from '../../nodes/BusinessListingSearch/form/fingerprint';
import { Ledger } from '../../nodes/BusinessListingSearch/run/ledger';
import type { FailedTask, Identity } from '../../nodes/BusinessListingSearch/run/task';

const OUTPUT = [{ job_id: '9b1f6c1e-0000-4000-8000-000000000001' }];

/** A job is told by its place alone. */
const jobAt = (item: number): Identity => ({ place: ['POST', '/jobs', item, 'fingerprint'] });
const JOB = jobAt(4);
const OTHER = jobAt(5);

/** A value is told by its request as well. */
function valueWith(more: Partial<Record<'credential' | 'list' | 'value', string>>): Identity {
	const { credential = '1', list = 'customers', value = 'a.example' } = more;
	return { ...JOB, request: [credential, `/blacklist/${list}`, { value }] };
}
const VALUE = valueWith({});

interface Attempt {
	/** n8n's run index. */
	pass?: number;
	mode?: 'trigger' | 'retry';
	isTool?: boolean;
	/** All tries of Retry On Fail share it. */
	data?: object;
}

/** The execution data of a node; an agent's tool gets that of its agent. */
const dataOf = (name: string) => ({ node: { name } });

/** @param getContext gives the node's context in its execution */
function contextOf(getContext: () => IContextObject, attempt: Attempt = {}): RunContext {
	const { pass = 0, mode = 'trigger', data = dataOf('Node') } = attempt;
	return {
		getNode: () => ({ name: 'Node' }),
		getWorkflowDataProxy: () => ({ $runIndex: pass }),
		getContext,
		getExecuteData: () => data,
		getMode: () => mode,
	} as unknown as RunContext;
}

/** The ledger of an attempt, by the node's context in its execution. */
function ledgerOf(own: IContextObject, attempt: Attempt = {}): Ledger {
	return new Ledger(
		contextOf(() => own, attempt),
		attempt.isTool,
	);
}

function finish(ledger: Ledger, identity: Identity, output: IDataObject[] = OUTPUT): void {
	ledger.addDone(ledger.recall(identity), output, 'dentist');
}

/** Adds what Retry On Fail does not send again, unless it says so. */
function doubt(ledger: Ledger, identity: Identity, failed: FailedTask, isTriedAgain = false): void {
	ledger.addDoubt(ledger.recall(identity), failed, isTriedAgain);
}

/** As n8n stores a failed execution, and loads it. */
const stored = (own: IContextObject) => JSON.parse(JSON.stringify(own)) as IContextObject;

/** The context of an execution that has finished a task. */
function contextWith(identity: Identity): IContextObject {
	const own: IContextObject = {};
	finish(ledgerOf(own), identity);
	return own;
}

const UNKNOWN: FailedTask = { label: 'Item 1', reason: 'It broke.', doubt: 'unknown' };
const FAILED: FailedTask = { label: 'Item 1', reason: 'It failed.', doubt: 'reportedFailed' };

describe('a finished task', () => {
	it.each<[what: string, done: Identity, sought: Identity, isFound: boolean]>([
		['a job of the same item, whatever it requests now', JOB, JOB, true],
		['a job of another item', JOB, OTHER, false],
		['a value with the same request', VALUE, valueWith({}), true],
		['a value with another credential', VALUE, valueWith({ credential: '2' }), false],
		['a value for another list', VALUE, valueWith({ list: 'others' }), false],
		['another value', VALUE, valueWith({ value: 'b.example' }), false],
		['the same request of another item', VALUE, { ...VALUE, ...OTHER }, false],
	])('is found by a retry, or not: %s', (_what, done, sought, isFound) => {
		const { output, name } = ledgerOf(stored(contextWith(done))).recall(sought);
		expect([output, name]).toEqual(isFound ? [OUTPUT, 'dentist'] : [undefined, undefined]);
	});

	it('is found with all its items, as they were', () => {
		const own: IContextObject = {};
		const output = [{ a: 1 }, { b: [null, { c: 'd' }] }];
		finish(ledgerOf(own), JOB, output);
		finish(ledgerOf(own), OTHER, []);
		output[0]!.a = 2;
		ledgerOf(own).recall(JOB).output![0]!.a = 3;
		expect(ledgerOf(own).recall(JOB).output).toEqual([{ a: 1 }, { b: [null, { c: 'd' }] }]);
		expect(ledgerOf(own).recall(OTHER).output).toEqual([]);
	});

	it('is found in its pass of a loop only, and forgotten once the next one begins', () => {
		const own = contextWith(JOB);
		const next = ledgerOf(own, { pass: 1 });
		expect([ledgerOf({}).isLaterPass, next.isLaterPass]).toEqual([false, true]);
		expect(next.recall(JOB).output).toBeUndefined();
		expect(ledgerOf(own).recall(JOB).output).toBeUndefined();
	});

	it('is forgotten with its run; the rest of the context stays', () => {
		const own: IContextObject = { other: 1 };
		const ledger = ledgerOf(own);
		finish(ledger, JOB);
		ledger.forget();
		expect(own).toEqual({ other: 1 });
	});

	it('is not remembered where n8n gives no context, as without an execution', () => {
		const context = contextOf(() => {
			throw new Error('No execution');
		});
		finish(new Ledger(context), JOB);
		expect(new Ledger(context).recall(JOB).output).toBeUndefined();
	});
});

describe('a task in doubt', () => {
	it('is found as it was, also by a retry, until it is done', () => {
		const own: IContextObject = {};
		doubt(ledgerOf(own), JOB, FAILED);
		expect(ledgerOf(stored(own)).recall(JOB)).toMatchObject({ inDoubt: FAILED });
		finish(ledgerOf(own), JOB);
		expect(ledgerOf(own).recall(JOB)).toMatchObject({ output: OUTPUT, inDoubt: undefined });
	});
});

describe('the tries of Retry On Fail, which share the execution data', () => {
	const LATER = valueWith({ value: 'now', list: 'other', credential: '2' });

	it('find a task by its place alone, though an expression gives something else', () => {
		const [own, data] = [{}, dataOf('Node')];
		finish(ledgerOf(own, { data }), VALUE);
		expect(ledgerOf(own, { data }).recall(LATER).output).toEqual(OUTPUT);
		expect(ledgerOf(own, { data }).recall({ ...LATER, ...OTHER }).output).toBeUndefined();
		// A retry of the execution has other data.
		expect(ledgerOf(own).recall(LATER).output).toBeUndefined();
	});

	it('do not send again what is in doubt, unless they are told to; a retry can', () => {
		const [own, data] = [{}, dataOf('Node')];
		doubt(ledgerOf(own, { data }), VALUE, UNKNOWN);
		expect(ledgerOf(own, { data }).recall(LATER)).toMatchObject({ inDoubtOfTry: UNKNOWN });
		const ofRetry = ledgerOf(stored(own)).recall(VALUE);
		expect(ofRetry).toMatchObject({ inDoubt: UNKNOWN, inDoubtOfTry: undefined });
		doubt(ledgerOf(own, { data }), { ...VALUE, ...OTHER }, FAILED, true);
		const ofOther = ledgerOf(own, { data }).recall({ ...VALUE, ...OTHER });
		expect(ofOther).toMatchObject({ inDoubt: FAILED, inDoubtOfTry: undefined });
	});

	it('are not the calls of an agent’s tool: they share its data, but each is a pass', () => {
		const [own, data] = [{}, dataOf('Agent')];
		const call = (pass: number) => ledgerOf(own, { data, pass, isTool: true });
		finish(call(0), VALUE);
		expect(call(1).recall(VALUE).output).toBeUndefined();
		doubt(call(1), VALUE, UNKNOWN);
		expect(call(2).recall(VALUE).inDoubtOfTry).toBeUndefined();
	});

	it('are not the calls for two items of an agent at once, which n8n counts alike', () => {
		const [own, data] = [{}, dataOf('Agent')];
		const call = () => ledgerOf(own, { data, isTool: true });
		finish(call(), VALUE);
		expect(call().recall(VALUE).output).toEqual(OUTPUT);
		expect(call().recall(LATER).output).toBeUndefined();
	});
});

describe('a request that may have been carried out', () => {
	const REQUEST = ['account', '/jobs', { keyword: 'dentist' }];

	it('is in doubt for the later passes, also after a wait, and not for its own', () => {
		const own: IContextObject = {};
		ledgerOf(own).holdForLaterPasses(REQUEST);
		ledgerOf(own).forget();
		// Seen again, it stays in doubt from the first pass on.
		ledgerOf(own, { pass: 1 }).holdForLaterPasses(REQUEST);
		const isInDoubt = (pass: number, request = REQUEST) =>
			ledgerOf(stored(own), { pass, mode: 'retry' }).isHeld(request);
		expect([0, 1, 2].map((pass) => isInDoubt(pass))).toEqual([false, true, true]);
		expect(isInDoubt(1, ['another account', ...REQUEST.slice(1)])).toBe(false);
	});
});

describe('a run that n8n loads from a stored execution', () => {
	const retry = (text: string, attempt: Attempt = {}) =>
		ledgerOf(JSON.parse(text) as IContextObject, { mode: 'retry', ...attempt });
	const foundIn = (text: string) => retry(text).recall(JOB);

	/** Each with an id of its own. */
	function execution(): string {
		const own: IContextObject = {};
		ledgerOf(own);
		return JSON.stringify(own);
	}

	it('is the same for all retries, which take turns', () => {
		const text = execution();
		const [first, second] = [retry(text), retry(text)];
		expect([first.takeTurn(), second.takeTurn(), first.takeTurn()]).toEqual([true, false, true]);
		// Only the one that has the turn can end it.
		second.releaseTurn();
		expect(second.takeTurn()).toBe(false);
		finish(first, JOB);
		first.releaseTurn();
		expect(second.takeTurn()).toBe(true);
		expect(second.recall(JOB).output).toEqual(OUTPUT);
	});

	it.each<[what: string, attempt: Attempt]>([
		['another pass', { pass: 1 }],
		['another attempt that is no retry', { mode: 'trigger' }],
		['the calls of a tool', { isTool: true }],
	])('is not shared by %s', (_what, attempt) => {
		const text = execution();
		expect(retry(text).takeTurn()).toBe(true);
		const [first, second] = [retry(text, attempt), retry(text, attempt)];
		expect([first.takeTurn(), second.takeTurn()]).toEqual([true, true]);
		finish(first, JOB);
		expect(foundIn(text).output).toBeUndefined();
	});

	it('stores what another retry of it has done, for a restart of n8n', () => {
		const text = execution();
		finish(retry(text), JOB);
		const own = JSON.parse(text) as IContextObject;
		ledgerOf(own, { mode: 'retry' });
		expect(ledgerOf(stored(own)).recall(JOB).output).toEqual(OUTPUT);
	});

	it('has what n8n loaded of another worker: what is done wins, then what is unknown', () => {
		const text = execution();
		const ofWorker = (done: number[], ...doubts: Array<[item: number, failed: FailedTask]>) => {
			const own = JSON.parse(text) as IContextObject;
			// No retry: the other worker shares nothing in this process.
			const ledger = ledgerOf(own);
			for (const item of done) finish(ledger, jobAt(item));
			for (const [item, failed] of doubts) doubt(ledger, jobAt(item), failed);
			return JSON.stringify(own);
		};
		retry(ofWorker([0], [1, UNKNOWN], [2, FAILED], [3, FAILED]));
		const merged = retry(ofWorker([3], [0, FAILED], [1, FAILED], [2, UNKNOWN]));
		const known = [0, 1, 2, 3].map((item) => merged.recall(jobAt(item)));
		const name = 'dentist';
		expect(known).toMatchObject([
			{ output: OUTPUT, name, inDoubt: undefined },
			{ output: undefined, inDoubt: UNKNOWN },
			{ output: undefined, inDoubt: UNKNOWN },
			{ output: OUTPUT, name, inDoubt: undefined },
		]);
	});

	it('is forgotten after the retries of 10,000 other executions, since its own latest one', () => {
		const text = execution();
		finish(retry(text), JOB);
		const retryOthers = (count: number) => {
			for (let others = 0; others < count; others++) retry(execution());
		};
		retryOthers(9_999);
		expect(foundIn(text).output).toEqual(OUTPUT);
		retryOthers(9_999);
		expect(foundIn(text).output).toEqual(OUTPUT);
		retryOthers(10_000);
		expect(foundIn(text).output).toBeUndefined();
	});
});

describe('fingerprint', () => {
	it('stays the same, because n8n stores it', () => {
		expect(fingerprintOf(['account', [0, { city: 'Vienna' }]])).toBe('SmTNlm-xp9y');
	});

	it('does not throw for what JSON cannot hold', () => {
		const circular: unknown[] = [];
		circular.push(circular);
		for (const value of [circular, 1n]) expect(fingerprintOf(value)).toMatch(/^[\w-]{11}$/);
	});
});
