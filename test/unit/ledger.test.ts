import fc from 'fast-check';
import type { IContextObject, IDataObject } from 'n8n-workflow';

import { fingerprintOf } from '../../nodes/BusinessListingSearch/run/fingerprint';
import { Ledger } from '../../nodes/BusinessListingSearch/run/ledger';
import { KeptRecord, placeOf } from '../../nodes/BusinessListingSearch/run/record';
import type { FailedTask, RunContext } from '../../nodes/BusinessListingSearch/run/task';

const TASK = fingerprintOf(['account', [4, { city: 'Vienna' }]]);
const OTHER = fingerprintOf(['account', [5, { city: 'Vienna' }]]);
const OUTPUT = [{ job_id: '9b1f6c1e-0000-4000-8000-000000000001' }];
const PARAMETERS: IDataObject = { resource: 'job', keyword: '={{ $json.city }}', filters: {} };

/** The ledger of an attempt of the run, by n8n's contexts of the execution. */
function ledgerOf(contexts: IContextObject, runIndex = 0, entered = PARAMETERS, node = 'Node') {
	const [own, execution] = [`node:${node}`, 'flow'].map(
		(name) => (contexts[name] ??= {}) as IContextObject,
	);
	const parameters = structuredClone(entered);
	const place = { own: own!, execution: execution!, node, runIndex, parameters };
	return new Ledger(new KeptRecord(place), 'job_id');
}

/** As n8n stores a failed execution, and loads it. */
const stored = (context: IContextObject) => JSON.parse(JSON.stringify(context)) as IContextObject;

/** The context of an execution that has finished a task. */
function contextWith(task: string, run = 0, parameters = PARAMETERS): IContextObject {
	const context: IContextObject = {};
	ledgerOf(context, run, parameters).addDone(task, OUTPUT, true);
	return context;
}

describe('a finished task', () => {
	it('is recalled with all its items', () => {
		const context = contextWith(TASK);
		ledgerOf(context).addDone(TASK, [], true);
		ledgerOf(context).addDone(OTHER, [{ a: 1 }, { b: [null, { c: 'd' }] }], true);
		expect(ledgerOf(context).recall(TASK)).toEqual([]);
		expect(ledgerOf(context).recall(OTHER)).toEqual([{ a: 1 }, { b: [null, { c: 'd' }] }]);
	});

	it('does not change when the output is modified later', () => {
		const context: IContextObject = {};
		const output = [{ job_id: 'a-1' }];
		ledgerOf(context).addDone(TASK, output, true);
		output[0]!.job_id = 'changed';
		ledgerOf(context).recall(TASK)![0]!.job_id = 'changed';
		expect(ledgerOf(context).recall(TASK)).toEqual([{ job_id: 'a-1' }]);
	});

	it('is not recalled for another run, such as the next pass of a loop', () => {
		expect(ledgerOf(contextWith(TASK), 1).recall(TASK)).toBeUndefined();
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
	])('is not recalled for a node with changed parameters: %s', (_what, before, now) => {
		const context = contextWith(TASK, 0, { ...PARAMETERS, ...before });
		expect(ledgerOf(context, 0, { ...PARAMETERS, ...now }).recall(TASK)).toBeUndefined();
	});

	it.each<[what: string, before: IDataObject, now: IDataObject]>([
		['an option', {}, { options: { concurrency: 2, minRemaining: 10 } }],
		['Request Options', {}, { requestOptions: { timeout: 20_000 } }],
		['the label of a choice', chosen('customers'), chosen('customers', 'list', 'customers (4)')],
	])('is recalled if only %s has changed', (_what, before, now) => {
		const context = contextWith(TASK, 0, { ...PARAMETERS, ...before });
		expect(ledgerOf(context, 0, { ...PARAMETERS, ...now }).recall(TASK)).toEqual(OUTPUT);
	});

	it('is forgotten when a later run has finished a task', () => {
		const context = contextWith(TASK);
		ledgerOf(context, 1).addDone(OTHER, OUTPUT, true);
		expect(ledgerOf(context, 0).recall(TASK)).toBeUndefined();
		expect(ledgerOf(context, 1).recall(TASK)).toBeUndefined();
		expect(ledgerOf(context, 1).recall(OTHER)).toEqual(OUTPUT);
	});

	it('is forgotten with its run; the rest of the context stays', () => {
		const context: IContextObject = { other: 1 };
		const ledger = ledgerOf(context);
		ledger.total = 2;
		ledger.addFailed(OTHER, unknown('Item 1', 'It broke.'), true);
		ledger.addDone(TASK, OUTPUT, true);
		expect(context['node:Node']).not.toEqual({});
		ledger.addDone(OTHER, OUTPUT, true);
		expect(context).toEqual({ other: 1, 'node:Node': {}, flow: expect.anything() });
		expect(ledgerOf(context).recall(TASK)).toBeUndefined();
		expect(ledgerOf(context).failureOf(OTHER)).toBeUndefined();
	});

	describe('if n8n loses the context between two tries of Retry On Fail', () => {
		/** The tries of a run, each with an empty context. */
		function tries(isTool?: boolean) {
			const data = {};
			return () => {
				const context = {
					getNode: () => ({ name: 'Node', parameters: PARAMETERS }),
					getWorkflowDataProxy: () => ({ $runIndex: 0 }),
					getContext: () => ({}),
					getExecuteData: () => data,
				} as unknown as RunContext;
				return new Ledger(new KeptRecord(placeOf(context, isTool)), 'job_id');
			};
		}

		it('is forgotten when all is done', () => {
			const next = tries();
			const ledger = next();
			ledger.total = 1;
			ledger.addDone(TASK, OUTPUT, true);
			expect(next().recall(TASK)).toBeUndefined();
		});

		it('is not recalled for a tool: each of its calls is a new one', () => {
			const call = tries(true);
			call().addDone(TASK, OUTPUT, true);
			expect(call().recall(TASK)).toBeUndefined();
		});
	});

	it('is recalled unchanged for any output', () => {
		const json = fc.jsonValue({ maxDepth: 2 });
		const outputs = fc.array(fc.dictionary(fc.string(), json), { maxLength: 3 });
		fc.assert(
			fc.property(json, outputs, (identity, entered) => {
				const context: IContextObject = {};
				const output = JSON.parse(JSON.stringify(entered)) as typeof OUTPUT;
				ledgerOf(context).addDone(fingerprintOf(identity), output, true);
				expect(ledgerOf(context).recall(fingerprintOf(structuredClone(identity)))).toEqual(output);
			}),
			{ numRuns: 50 },
		);
	});
});

/** How a task failed that may have been carried out. */
function unknown(label: string, reason: string): FailedTask {
	return { label, reason, doubt: 'unknown' as const };
}

it('whether anything was sent is known, and at the end all that was not reached', () => {
	const context = contextWith(TASK);
	const broken = unknown('Item 1', 'It broke.');
	ledgerOf(context).addFailed(OTHER, broken, true);
	expect(ledgerOf(context, 1).hasSent).toBe(false);
	const ledger = ledgerOf(stored(context));
	expect(ledger.hasSent).toBe(true);
	ledger.total = 2;
	ledger.close((failed) => ({ ...failed, reason: `Before: ${failed.reason}` }));
	expect(ledger).toMatchObject({
		done: 1,
		unknown: 1,
		missing: 0,
		ids: [{ id: OUTPUT[0]!.job_id }],
	});
	expect(ledger.failed).toEqual([{ ...broken, reason: 'Before: It broke.' }]);
	expect(ledgerOf(stored(context)).recall(TASK)).toEqual(OUTPUT);
});

describe('a task with an unknown outcome', () => {
	const BROKEN = unknown('Item 1', 'It broke.');

	it('is not known for another task, run or parameters', () => {
		const context: IContextObject = {};
		ledgerOf(context).addFailed(TASK, BROKEN, true);
		expect(ledgerOf(context).failureOf(OTHER)).toBeUndefined();
		expect(ledgerOf(context, 1).failureOf(TASK)).toBeUndefined();
		const failureWith = (changes: IDataObject) =>
			ledgerOf(context, 0, { ...PARAMETERS, ...changes }).failureOf(TASK);
		expect(failureWith({ keyword: 'x' })).toBeUndefined();
		expect(failureWith({ options: {} })).toEqual(BROKEN);
	});
});

describe('an execution that was cancelled', () => {
	it('is a new one each time without an id, as that of an agent', () => {
		const context: IContextObject = {};
		const none = undefined as unknown as string;
		expect(ledgerOf(context).recordCancelled(none)).toBe(true);
		expect(ledgerOf(context).recordCancelled(none)).toBe(true);
	});
});

describe('a run that n8n loads from a stored execution', () => {
	const execution = () => JSON.stringify(contextWith(OTHER));
	const loaded = (text: string) => ledgerOf(JSON.parse(text) as IContextObject);

	it.each([
		['has done something', execution],
		[
			'has done nothing',
			() => {
				const context: IContextObject = {};
				ledgerOf(context);
				return JSON.stringify(context);
			},
		],
	])('is the same for all retries, also at the same time, if it %s', (_what, textOf) => {
		const text = textOf();
		const [first, second] = [loaded(text), loaded(text)];
		expect(first.claim(TASK)).toBe(true);
		expect(second.claim(TASK)).toBe(false);
		expect(second.claim('another')).toBe(true);
		first.release(TASK);
		expect(second.claim(TASK)).toBe(true);
		second.addDone(TASK, OUTPUT, true);
		second.release(TASK);
		expect(first.claim(TASK)).toBe(false);
		expect(loaded(text).recall(TASK)).toEqual(OUTPUT);
		expect(loaded(textOf()).recall(TASK)).toBeUndefined();
	});

	it('stores what another retry of it has done', () => {
		const text = execution();
		loaded(text).addDone(TASK, OUTPUT, true);
		const context = JSON.parse(text) as IContextObject;
		ledgerOf(context);
		// n8n is restarted, so that only what is stored is left.
		expect(JSON.stringify(context)).toContain(TASK);
	});

	it.each([
		['unknown', false],
		['failed', true],
	] as const)('releases a task whose outcome is in doubt, %s: %p', (doubt, canBeClaimed) => {
		const text = execution();
		const [first, second] = [loaded(text), loaded(text)];
		first.claim(TASK);
		first.addFailed(TASK, { label: 'Item 1', reason: 'It broke.', doubt }, true);
		first.release(TASK);
		expect(second.claim(TASK)).toBe(canBeClaimed);
	});

	it('has what n8n loaded of another worker: what is done wins, then what is unknown', () => {
		const text = execution();
		const failed = { label: 'Item 1', reason: 'It failed.', doubt: 'failed' as const };
		const own = loaded(text);
		own.addDone('a', OUTPUT, true);
		own.addFailed('b', unknown('Item 2', 'It broke.'), true);
		own.addFailed('c', failed, true);
		own.addFailed('d', failed, true);
		const context = JSON.parse(text) as IContextObject;
		const record = (context['node:Node'] as { businessListingSearch: object })
			.businessListingSearch;
		Object.assign(record, {
			failed: { a: failed, b: failed, c: unknown('Item 3', 'It broke.') },
			done: { d: JSON.stringify(OUTPUT) },
		});
		const merged = ledgerOf(context);
		expect(['a', 'd'].map((task) => merged.recall(task))).toEqual([OUTPUT, OUTPUT]);
		expect(['a', 'b', 'c', 'd'].map((task) => merged.failureOf(task)?.doubt)).toEqual([
			...[undefined, 'unknown', 'unknown', undefined],
		]);
	});

	describe('is forgotten', () => {
		/** Does so many tasks in the retry of another execution. */
		function retryAnother(tasks: number): void {
			const ledger = loaded(execution());
			for (let task = 0; task < tasks; task++) ledger.addDone(`task ${task}`, [], true);
		}

		it('after 200,000 other tasks since its latest retry', () => {
			const text = execution();
			loaded(text).addDone(TASK, OUTPUT, true);
			for (let times = 0; times < 2; times++) {
				for (let others = 0; others < 100; others++) retryAnother(1_900);
				expect(loaded(text).recall(TASK)).toEqual(OUTPUT);
			}
			for (let others = 0; others < 100; others++) retryAnother(2_100);
			expect(loaded(text).recall(TASK)).toBeUndefined();
		});

		it('after 100,000 other executions, because each counts as one task more', () => {
			const text = execution();
			loaded(text).addDone(TASK, OUTPUT, true);
			const others = JSON.stringify(contextWith(OTHER)).split(/(?<="id":")[^"]*/);
			for (let other = 0; other < 100_000; other++) loaded(others.join(`${other}`));
			expect(loaded(text).recall(TASK)).toBeUndefined();
		});

		it('but not by a task that is done several times', () => {
			const text = execution();
			loaded(text).addDone(TASK, OUTPUT, true);
			const another = loaded(execution());
			for (let times = 0; times < 200_000; times++) another.addDone(TASK, OUTPUT, true);
			expect(loaded(text).recall(TASK)).toEqual(OUTPUT);
		});

		it('but not while it is the latest, however many tasks it has', () => {
			const text = execution();
			const retry = loaded(text);
			for (let task = 0; task <= 200_000; task++) retry.addDone(`task ${task}`, OUTPUT, true);
			expect(loaded(text).recall('task 0')).toEqual(OUTPUT);
		});
	});
});

describe('fingerprint', () => {
	it('stays the same, because n8n stores it', () => {
		expect(fingerprintOf(['account', [0, { city: 'Vienna' }]])).toBe('SmTNlm-xp9y');
	});

	it('has 11 characters for any JSON value, and is the same for a copy', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(fingerprintOf(value)).toMatch(/^[\w-]{11}$/);
				expect(fingerprintOf(structuredClone(value))).toBe(fingerprintOf(value));
			}),
		);
	});

	it('differs for tasks that differ a little', () => {
		const tasks: unknown[] = [
			['a', 0],
			['a', 1],
			['b', 0],
			['a', [0, {}]],
			['a', [1, {}]],
			['a', [0, { city: '1' }]],
			['a', [0, { city: 1 }]],
			['a', [0, { city: '1', more: null }]],
			['a', [0, {}, '/a']],
			[undefined, 0],
			'a',
			'',
			undefined,
		];
		expect(new Set(tasks.map(fingerprintOf)).size).toBe(tasks.length);
	});

	it('differs if one character does', () => {
		fc.assert(
			fc.property(
				fc.string({ minLength: 1 }),
				fc.nat(),
				fc.integer({ min: 1, max: 0x7f }),
				(keyword, at, by) => {
					const index = at % keyword.length;
					const changed =
						keyword.slice(0, index) +
						String.fromCharCode(keyword.charCodeAt(index) ^ by) +
						keyword.slice(index + 1);
					expect(fingerprintOf({ keyword: changed })).not.toBe(fingerprintOf({ keyword }));
				},
			),
		);
	});

	it('does not throw for what JSON cannot hold', () => {
		const circular: unknown[] = [];
		circular.push(circular);
		for (const value of [circular, 1n]) expect(fingerprintOf(value)).toMatch(/^[\w-]{11}$/);
	});
});
