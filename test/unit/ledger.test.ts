import type { IContextObject, IDataObject } from 'n8n-workflow';

import type { Call } from '../../nodes/BusinessListingSearch/input/call';
import { fingerprintOf } from '../../nodes/BusinessListingSearch/input/fingerprint';
import { Ledger } from '../../nodes/BusinessListingSearch/run/ledger';
import { isSentAgain } from '../../nodes/BusinessListingSearch/run/repeats';
import type { FailedTask } from '../../nodes/BusinessListingSearch/run/task';

const OUTPUT = [{ job_id: '9b1f6c1e-0000-4000-8000-000000000001' }];

const jobAt = (item: number): unknown[] => ['POST', '/jobs', item, 'fingerprint'];
const JOB = jobAt(4);
const OTHER = jobAt(5);

interface Attempt {
	/** n8n's run index. */
	pass?: number;
	mode?: 'trigger' | 'retry';
	isTool?: boolean;
	execution?: string;
}

/** @param getContext gives the node's context in its execution */
function callOf(getContext: () => IContextObject, attempt: Attempt = {}): Call {
	const { pass: runIndex = 0, mode = 'trigger', isTool = false, execution = '1' } = attempt;
	const context = { getContext, getMode: () => mode, getExecutionId: () => execution };
	return { context, runIndex, isTool } as unknown as Call;
}

/** The ledger of an attempt, by the node's context in its execution. */
function ledgerOf(own: IContextObject, attempt: Attempt = {}): Ledger {
	return new Ledger(callOf(() => own, attempt));
}

function finish(ledger: Ledger, identity: unknown, output: IDataObject[] = OUTPUT): void {
	ledger.addDone(ledger.recall(identity).key, { output, name: 'dentist', sentBy: 'first' });
}

function doubt(ledger: Ledger, identity: unknown, failed: FailedTask, request = 'request'): void {
	ledger.addDoubt(ledger.recall(identity).key, failed, request, 'first');
}

/** As n8n stores a failed execution, and loads it. */
const stored = (own: IContextObject) => JSON.parse(JSON.stringify(own)) as IContextObject;

const UNKNOWN: FailedTask = { label: 'Item 1', reason: 'It broke.', doubt: 'unknown' };
const FAILED: FailedTask = { label: 'Item 1', reason: 'It failed.', doubt: 'reportedFailed' };

describe('a finished task', () => {
	it('is found with all its items, as they were', () => {
		const own: IContextObject = {};
		const output = [{ a: 1 }, { b: [null, { c: 'd' }] }];
		finish(ledgerOf(own), JOB, output);
		finish(ledgerOf(own), OTHER, []);
		output[0]!.a = 2;
		ledgerOf(own).recall(JOB).done!.output[0]!.a = 3;
		expect(ledgerOf(own).recall(JOB).done?.output).toEqual([{ a: 1 }, { b: [null, { c: 'd' }] }]);
		expect(ledgerOf(own).recall(OTHER).done?.output).toEqual([]);
	});

	it('is forgotten with its run; the rest of the context stays, and the record of another retry', () => {
		const own: IContextObject = { other: 1 };
		const ledger = ledgerOf(own);
		finish(ledger, JOB);
		ledger.forget();
		expect(own).toMatchObject({ other: 1 });
		expect(ledgerOf(own).recall(JOB).done?.output).toBeUndefined();
		expect(ledger.recall(JOB).done?.output).toEqual(OUTPUT);
	});
});

describe('a task in doubt', () => {
	it('is found as it was, also by a retry, until it is done', () => {
		const own: IContextObject = {};
		doubt(ledgerOf(own), JOB, FAILED);
		expect(ledgerOf(stored(own)).recall(JOB)).toMatchObject({ inDoubt: FAILED });
		finish(ledgerOf(own), JOB);
		expect(ledgerOf(own).recall(JOB)).toMatchObject({
			done: { output: OUTPUT },
			inDoubt: undefined,
		});
	});
});

describe('what is in doubt is sent again', () => {
	const [jobs, values, blacklists] = ['jobs', 'values', 'blacklists'] as const;

	it.each([
		// In a try of Retry On Fail, and in a retry that a person selects.
		['an unknown job', UNKNOWN, jobs, false, false],
		['a job that failed', FAILED, jobs, false, true],
		['an unknown value', UNKNOWN, values, false, true],
		['a value that failed', FAILED, values, true, true],
		['an unknown deletion', UNKNOWN, blacklists, false, false],
		['a deletion that failed', FAILED, blacklists, true, true],
	])('%s', (_what, failed, changes, inTry, inRetry) => {
		const own: IContextObject = {};
		doubt(ledgerOf(own), JOB, failed);
		const isSentAgainBy = (execution: string, of = own) => {
			const ledger = ledgerOf(of, { execution });
			return isSentAgain(ledger.recall(JOB).inDoubt!, ledger, changes);
		};
		expect([isSentAgainBy('1'), isSentAgainBy('2')]).toEqual([inTry, inRetry]);
		// A retry that fails in the same way is not repeated by its own tries, nor by those of the first.
		doubt(ledgerOf(own, { execution: '2' }), JOB, failed);
		expect(['1', '2', '3'].map((id) => isSentAgainBy(id))).toEqual([inTry, inTry, inRetry]);
	});
});

describe('a request that may have been carried out', () => {
	const isHeld = (own: IContextObject, pass: number, request = 'request') =>
		ledgerOf(stored(own), { pass, mode: 'retry' }).isHeld(request);

	it('is held for the later passes, also after a wait, and not for its own', () => {
		const own: IContextObject = {};
		doubt(ledgerOf(own), JOB, FAILED);
		ledgerOf(own).forget();
		expect([0, 1, 2].map((pass) => isHeld(own, pass))).toEqual([false, true, true]);
		expect(isHeld(own, 1, 'of another account')).toBe(false);
	});

	it('is settled by the retry that carries it out, unless another one is still in doubt', () => {
		const own: IContextObject = {};
		doubt(ledgerOf(own), JOB, FAILED);
		doubt(ledgerOf(own), OTHER, FAILED);
		finish(ledgerOf(own), JOB);
		expect(isHeld(own, 1)).toBe(true);
		finish(ledgerOf(own), OTHER);
		expect(isHeld(own, 1)).toBe(false);
	});

	it('is held as each retry has sent it, with other fields', () => {
		const own: IContextObject = {};
		doubt(ledgerOf(own), JOB, FAILED);
		doubt(ledgerOf(own, { execution: '2' }), JOB, UNKNOWN, 'changed');
		expect(['request', 'changed'].map((request) => isHeld(own, 1, request))).toEqual([true, true]);
	});

	it('is not settled by an equal one of a later pass', () => {
		const own: IContextObject = {};
		doubt(ledgerOf(own), JOB, FAILED);
		finish(ledgerOf(own, { pass: 1 }), JOB);
		expect(isHeld(own, 2)).toBe(true);
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

	it('is not shared by another attempt that is no retry', () => {
		const text = execution();
		expect(retry(text).takeTurn()).toBe(true);
		const [first, second] = [retry(text, { mode: 'trigger' }), retry(text, { mode: 'trigger' })];
		expect([first.takeTurn(), second.takeTurn()]).toEqual([true, true]);
		finish(first, JOB);
		expect(foundIn(text).done?.output).toBeUndefined();
	});

	it('stores what another retry of it has done, for a restart of n8n', () => {
		const text = execution();
		finish(retry(text), JOB);
		const own = JSON.parse(text) as IContextObject;
		ledgerOf(own, { mode: 'retry' });
		expect(ledgerOf(stored(own)).recall(JOB).done?.output).toEqual(OUTPUT);
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
			{ done: { output: OUTPUT, name }, inDoubt: undefined },
			{ done: undefined, inDoubt: UNKNOWN },
			{ done: undefined, inDoubt: UNKNOWN },
			{ done: { output: OUTPUT, name }, inDoubt: undefined },
		]);
	});

	it('is forgotten after the retries of 10,000 other executions, since its own latest one', () => {
		const text = execution();
		finish(retry(text), JOB);
		const retryOthers = (count: number) => {
			for (let others = 0; others < count; others++) retry(execution());
		};
		retryOthers(9_999);
		expect(foundIn(text).done?.output).toEqual(OUTPUT);
		retryOthers(9_999);
		expect(foundIn(text).done?.output).toEqual(OUTPUT);
		retryOthers(10_000);
		expect(foundIn(text).done?.output).toBeUndefined();
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
