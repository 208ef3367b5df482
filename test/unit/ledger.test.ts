import type { IContextObject, IDataObject } from 'n8n-workflow';

import { fingerprintOf } from '../../nodes/BusinessListingSearch/run/done/fingerprint';
import { Ledger } from '../../nodes/BusinessListingSearch/run/done/ledger';
import type { FailedTask, RunContext } from '../../nodes/BusinessListingSearch/run/task';

const TASK_IDENTITY = [4, { city: 'Vienna' }];
const OTHER_IDENTITY = [5, { city: 'Vienna' }];
const TASK = fingerprintOf(['account', TASK_IDENTITY]);
const OTHER = fingerprintOf(['account', OTHER_IDENTITY]);
const OUTPUT = [{ job_id: '9b1f6c1e-0000-4000-8000-000000000001' }];
const PARAMETERS: IDataObject = { resource: 'job', keyword: '={{ $json.city }}', filters: {} };

interface Attempt {
	/** n8n's run index. */
	pass?: number;
	parameters?: IDataObject;
	mode?: 'trigger' | 'retry';
	isTool?: boolean;
	/** All attempts of Retry On Fail share it. */
	data?: object;
}

/** The ledger of an attempt, by the node's context in its execution. */
function ledgerOf(
	own: IContextObject,
	{ pass = 0, parameters = PARAMETERS, mode = 'trigger', ...more }: Attempt = {},
) {
	const { data = {}, isTool } = more;
	const context = {
		getNode: () => ({ name: 'Node', parameters: structuredClone(parameters) }),
		getWorkflowDataProxy: () => ({ $runIndex: pass }),
		getContext: () => own,
		getExecuteData: () => data,
		getMode: () => mode,
	} as unknown as RunContext;
	return new Ledger(context, { createsJobs: true, isTool });
}

/** What is known of a task in an attempt. */
const found = (own: IContextObject, attempt?: Attempt, identity: unknown = TASK_IDENTITY) =>
	ledgerOf(own, attempt).recall(identity, 'account');

/** As n8n stores a failed execution, and loads it. */
const stored = (own: IContextObject) => JSON.parse(JSON.stringify(own)) as IContextObject;

/** The context of an execution that has finished a task. */
function contextWith(task: string, attempt?: Attempt): IContextObject {
	const own: IContextObject = {};
	ledgerOf(own, attempt).addDone(task, OUTPUT, true);
	return own;
}

/** How a task failed that may have been carried out. */
function unknown(label: string, reason: string): FailedTask {
	return { label, reason, doubt: 'unknown' as const };
}

describe('a finished task', () => {
	it('is found with all its items', () => {
		const own = contextWith(TASK);
		ledgerOf(own).addDone(TASK, [], true);
		ledgerOf(own).addDone(OTHER, [{ a: 1 }, { b: [null, { c: 'd' }] }], true);
		expect(found(own).output).toEqual([]);
		expect(found(own, {}, OTHER_IDENTITY).output).toEqual([{ a: 1 }, { b: [null, { c: 'd' }] }]);
	});

	it('counts as sent, in its run', () => {
		const own = contextWith(TASK);
		const hasSent = [0, 1].map((pass) => ledgerOf(stored(own), { pass }).hasSent);
		expect(hasSent).toEqual([true, false]);
	});

	it('does not change when the output is modified later', () => {
		const own: IContextObject = {};
		const output = [{ job_id: 'a-1' }];
		ledgerOf(own).addDone(TASK, output, true);
		output[0]!.job_id = 'changed';
		found(own).output![0]!.job_id = 'changed';
		expect(found(own).output).toEqual([{ job_id: 'a-1' }]);
	});

	it('is forgotten with its run; the rest of the context stays', () => {
		const own: IContextObject = { other: 1 };
		const ledger = ledgerOf(own);
		ledger.addFailed(OTHER, unknown('Item 1', 'It broke.'), true);
		ledger.addDone(TASK, OUTPUT, true);
		expect(own).not.toEqual({ other: 1 });
		ledger.drop();
		expect(own).toEqual({ other: 1 });
		expect(found(own)).toMatchObject({ output: undefined, failed: undefined });
	});

	it('is not found in another run, such as the next pass of a loop', () => {
		expect(found(contextWith(TASK), { pass: 1 }).output).toBeUndefined();
	});

	it('is found by the account that was used last if the credential cannot be read', () => {
		const own: IContextObject = {};
		const ledger = ledgerOf(own);
		const { key } = ledger.recall(TASK_IDENTITY, 'account');
		ledger.addDone(key, OUTPUT, true);
		expect(ledgerOf(own).recall(TASK_IDENTITY, undefined).output).toEqual(OUTPUT);
		expect(ledgerOf(own).recall(TASK_IDENTITY, 'another').output).toBeUndefined();
	});

	const chosen = (value: string, mode = 'list', cachedResultName = 'customers (3)') => ({
		blacklist: { __rl: true, mode, value, cachedResultName },
	});

	it.each<[what: string, before: IDataObject, now: IDataObject]>([
		['another text', {}, { keyword: 'dentist' }],
		['another operation', {}, { operation: 'delete' }],
		['another filter', {}, { filters: { minRating: 4 } }],
		['another kind of value', {}, { filters: null }],
		['a removed parameter', {}, { keyword: undefined }],
		['another blacklist', chosen('customers'), chosen('others')],
		['a name in place of a choice', chosen('customers'), chosen('customers', 'name')],
	])('is not found for a node with changed parameters: %s', (_what, before, now) => {
		const own = contextWith(TASK, { parameters: { ...PARAMETERS, ...before } });
		expect(found(own, { parameters: { ...PARAMETERS, ...now } }).output).toBeUndefined();
	});

	it.each<[what: string, before: IDataObject, now: IDataObject]>([
		['an option', {}, { options: { concurrency: 2, minRemaining: 10 } }],
		['Request Options', {}, { requestOptions: { timeout: 20_000 } }],
		['the label of a choice', chosen('customers'), chosen('customers', 'list', 'customers (4)')],
	])('is found if only %s has changed', (_what, before, now) => {
		const own = contextWith(TASK, { parameters: { ...PARAMETERS, ...before } });
		expect(found(own, { parameters: { ...PARAMETERS, ...now } }).output).toEqual(OUTPUT);
	});

	it('is forgotten when a later run has finished a task', () => {
		const own = contextWith(TASK);
		ledgerOf(own, { pass: 1 }).addDone(OTHER, OUTPUT, true);
		expect(found(own, { pass: 1 }).output).toBeUndefined();
		expect(found(own, { pass: 1 }, OTHER_IDENTITY).output).toEqual(OUTPUT);
		expect(found(own).output).toBeUndefined();
	});
});

it('the record of a pass of a loop is stored when it begins, so that two retries know each other', () => {
	const own = contextWith(TASK);
	ledgerOf(own, { pass: 1 });
	const [first, second] = [1, 2].map(() => ledgerOf(stored(own), { pass: 1, mode: 'retry' }));
	expect([first!.takeTurn(), second!.takeTurn()]).toEqual([true, false]);
});

describe('a task that failed', () => {
	const BROKEN = unknown('Item 1', 'It broke.');

	it('counts as unknown only if it is, is stored over an earlier pass, and is told as it was', () => {
		const own = contextWith(OTHER);
		const ledger = ledgerOf(own, { pass: 1 });
		const failed: FailedTask = { label: 'Item 1', reason: 'It failed.', doubt: 'failed' };
		ledger.addFailed(TASK, failed, true);
		expect(ledger.unknown).toBe(0);
		expect(found(own, { pass: 1 }).failed).toEqual(failed);
		ledgerOf(own, { pass: 1 }).addUnreached();
		expect(found(own, { pass: 1 }).failed).toEqual(failed);
	});

	it('is not kept if it leaves no doubt, and no longer failed when it is done', () => {
		const own: IContextObject = {};
		ledgerOf(own).addFailed(TASK, { label: 'Item 1', reason: 'No.' }, false);
		expect(found(own).failed).toBeUndefined();
		ledgerOf(own).addFailed(TASK, BROKEN, true);
		ledgerOf(own).addDone(TASK, OUTPUT, true);
		expect(found(own)).toMatchObject({ output: OUTPUT, failed: undefined });
		const third = ledgerOf(own);
		third.addUnreached();
		expect(third).toMatchObject({ done: 1, failed: [] });
	});
});

describe('a run that n8n loads from a stored execution', () => {
	const retry = (text: string, attempt: Attempt = {}) =>
		ledgerOf(JSON.parse(text) as IContextObject, { mode: 'retry', ...attempt });
	const foundIn = (text: string, identity: unknown = TASK_IDENTITY) =>
		retry(text).recall(identity, 'account');
	const execution = () => JSON.stringify(contextWith(OTHER));

	it('is the same for all retries, which take turns, also with corrected parameters', () => {
		const attempt = { parameters: { ...PARAMETERS, keyword: 'corrected' } };
		const text = execution();
		const [first, second] = [retry(text, attempt), retry(text, attempt)];
		expect([first.takeTurn(), second.takeTurn(), first.takeTurn()]).toEqual([true, false, true]);
		// Only the one that has the turn can end it.
		second.leaveTurn();
		expect(second.takeTurn()).toBe(false);
		first.addDone(TASK, OUTPUT, true);
		first.leaveTurn();
		expect(second.takeTurn()).toBe(true);
		expect(second.recall(TASK_IDENTITY, 'account').output).toEqual(OUTPUT);
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
		first.addDone(TASK, OUTPUT, true);
		expect(foundIn(text).output).toBeUndefined();
	});

	it('stores what another retry of it has done', () => {
		const text = execution();
		retry(text).addDone(TASK, OUTPUT, true);
		const own = JSON.parse(text) as IContextObject;
		ledgerOf(own, { mode: 'retry' });
		// n8n is restarted, so that only what is stored is left.
		expect(JSON.stringify(own)).toContain(TASK);
	});

	it('has what n8n loaded of another worker: what is done wins, then what is unknown', () => {
		const text = execution();
		const failed = { label: 'Item 1', reason: 'It failed.', doubt: 'failed' as const };
		const own = retry(text);
		const keyOf = (name: string) => fingerprintOf(['account', name]);
		own.addDone(keyOf('a'), OUTPUT, true);
		own.addFailed(keyOf('b'), unknown('Item 2', 'It broke.'), true);
		own.addFailed(keyOf('c'), failed, true);
		own.addFailed(keyOf('d'), failed, true);
		const loaded = JSON.parse(text) as { businessListingSearch: object };
		Object.assign(loaded.businessListingSearch, {
			failed: {
				[keyOf('a')]: failed,
				[keyOf('b')]: failed,
				[keyOf('c')]: unknown('Item 3', 'It broke.'),
			},
			done: { [keyOf('d')]: JSON.stringify(OUTPUT) },
		});
		Object.assign(loaded.businessListingSearch, { names: { [keyOf('d')]: 'dentist' } });
		const merged = JSON.stringify(loaded);
		const ledger = retry(merged);
		ledger.addUnreached();
		expect(ledger.ids).toContainEqual({ id: OUTPUT[0]!.job_id, name: 'dentist' });
		expect(['a', 'd'].map((name) => foundIn(merged, name).output)).toEqual([OUTPUT, OUTPUT]);
		expect(['a', 'b', 'c', 'd'].map((name) => foundIn(merged, name).failed?.doubt)).toEqual([
			...[undefined, 'unknown', 'unknown', undefined],
		]);
	});

	describe('is forgotten', () => {
		/** Does so many tasks in the retry of another execution. */
		function retryAnother(tasks: number, attempt?: Attempt): void {
			const ledger = retry(JSON.stringify({ businessListingSearch: recordOfAnother() }), attempt);
			ledger.takeTurn();
			for (let task = 0; task < tasks; task++) {
				if (task % 2) ledger.addDone(`task ${task}`, [], true);
				else ledger.addFailed(`task ${task}`, unknown('Item', 'It broke.'), true);
			}
			ledger.leaveTurn();
		}

		/** Each with an id of its own. */
		function recordOfAnother() {
			const own: IContextObject = {};
			ledgerOf(own);
			return own.businessListingSearch;
		}

		/** An execution with one task, in a retry that has done another one. */
		function retried(): string {
			const text = execution();
			const ledger = retry(text);
			ledger.takeTurn();
			ledger.addDone(TASK, OUTPUT, true);
			ledger.leaveTurn();
			return text;
		}

		it('after 10,000 other executions since its latest retry', () => {
			const text = retried();
			for (let times = 0; times < 2; times++) {
				for (let others = 0; others < 9_000; others++) retryAnother(1);
				expect(foundIn(text).output).toEqual(OUTPUT);
			}
			for (let others = 0; others < 10_001; others++) retryAnother(1);
			expect(foundIn(text).output).toBeUndefined();
		});

		it('but not for later passes of a loop, which are not shared', () => {
			const text = retried();
			for (let others = 0; others < 101; others++) retryAnother(2_000, { pass: 1 });
			expect(foundIn(text).output).toEqual(OUTPUT);
		});
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
