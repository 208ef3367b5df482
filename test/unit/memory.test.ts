import fc from 'fast-check';
import type { IContextObject, IDataObject } from 'n8n-workflow';

import { fingerprintOf, inputFingerprint } from '../../nodes/BusinessListingSearch/run/fingerprint';
import { Memory } from '../../nodes/BusinessListingSearch/run/memory';
import type { FailedTask } from '../../nodes/BusinessListingSearch/run/task';

const TASK = fingerprintOf(['account', [4, { city: 'Vienna' }]]);
const OTHER = fingerprintOf(['account', [5, { city: 'Vienna' }]]);
const OUTPUT = [{ job_id: '9b1f6c1e-0000-4000-8000-000000000001' }];
const PARAMETERS: IDataObject = { resource: 'job', keyword: '={{ $json.city }}', filters: {} };

/** The memory of an attempt of the run, by n8n's contexts of the execution. */
function memoryOf(
	contexts: IContextObject,
	run = 0,
	parameters = PARAMETERS,
	node = 'Node',
): Memory {
	const [own, execution] = [`node:${node}`, 'flow'].map(
		(name) => (contexts[name] ??= {}) as IContextObject,
	);
	return new Memory(own!, execution!, node, run, structuredClone(parameters));
}

/** As n8n stores a failed execution, and loads it. */
const stored = (context: IContextObject) => JSON.parse(JSON.stringify(context)) as IContextObject;

/** The context of an execution that has finished a task. */
function contextWith(task: string, run = 0, parameters = PARAMETERS): IContextObject {
	const context: IContextObject = {};
	memoryOf(context, run, parameters).recordDone(task, OUTPUT);
	return context;
}

describe('a finished task', () => {
	it('is recalled in the next attempt of the run, also as n8n stores it', () => {
		const context = contextWith(TASK);
		for (const memory of [memoryOf(context), memoryOf(stored(context))]) {
			expect(memory.outputOf(TASK)).toEqual(OUTPUT);
			expect(memory.failureOf(TASK)).toBeUndefined();
		}
	});

	it('is recalled with all its items', () => {
		const context = contextWith(TASK);
		memoryOf(context).recordDone(TASK, []);
		memoryOf(context).recordDone(OTHER, [{ a: 1 }, { b: [null, { c: 'd' }] }]);
		expect(memoryOf(context).outputOf(TASK)).toEqual([]);
		expect(memoryOf(context).outputOf(OTHER)).toEqual([{ a: 1 }, { b: [null, { c: 'd' }] }]);
	});

	it('does not change when the output is modified later', () => {
		const context: IContextObject = {};
		const output = [{ job_id: 'a-1' }];
		memoryOf(context).recordDone(TASK, output);
		output[0]!.job_id = 'changed';
		memoryOf(context).outputOf(TASK)![0]!.job_id = 'changed';
		expect(memoryOf(context).outputOf(TASK)).toEqual([{ job_id: 'a-1' }]);
	});

	it('is not recalled for another task', () => {
		const memory = memoryOf(contextWith(TASK));
		expect(memory.outputOf(OTHER)).toBeUndefined();
	});

	it('is not recalled for another run, such as the next pass of a loop', () => {
		expect(memoryOf(contextWith(TASK), 1).outputOf(TASK)).toBeUndefined();
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
		expect(memoryOf(context, 0, { ...PARAMETERS, ...now }).outputOf(TASK)).toBeUndefined();
	});

	it.each<[what: string, before: IDataObject, now: IDataObject]>([
		['an option', {}, { options: { concurrency: 2, minRemaining: 10 } }],
		['Request Options', {}, { requestOptions: { timeout: 20_000 } }],
		['the label of a choice', chosen('customers'), chosen('customers', 'list', 'customers (4)')],
	])('is recalled if only %s has changed', (_what, before, now) => {
		const context = contextWith(TASK, 0, { ...PARAMETERS, ...before });
		expect(memoryOf(context, 0, { ...PARAMETERS, ...now }).outputOf(TASK)).toEqual(OUTPUT);
	});

	it('is forgotten when a later run has finished a task', () => {
		const context = contextWith(TASK);
		memoryOf(context, 1).recordDone(OTHER, OUTPUT);
		expect(memoryOf(context, 0).outputOf(TASK)).toBeUndefined();
		expect(memoryOf(context, 1).outputOf(TASK)).toBeUndefined();
		expect(memoryOf(context, 1).outputOf(OTHER)).toEqual(OUTPUT);
	});

	it('is forgotten with its run; the rest of the context stays', () => {
		const context: IContextObject = { other: 1 };
		const memory = memoryOf(context);
		memory.recordDone(TASK, OUTPUT);
		memory.recordFailed(OTHER, unknown('Item 1', 'It broke.'));
		expect(context.other).toBe(1);
		memory.forget();
		expect(context).toEqual({ other: 1, 'node:Node': {}, flow: expect.anything() });
		expect(memoryOf(context).outputOf(TASK)).toBeUndefined();
		expect(memoryOf(context).failureOf(OTHER)).toBeUndefined();
	});

	it('is recalled unchanged for any output', () => {
		const json = fc.jsonValue({ maxDepth: 2 });
		const outputs = fc.array(fc.dictionary(fc.string(), json), { maxLength: 3 });
		fc.assert(
			fc.property(json, outputs, (identity, entered) => {
				const context: IContextObject = {};
				const output = JSON.parse(JSON.stringify(entered)) as typeof OUTPUT;
				memoryOf(context).recordDone(fingerprintOf(identity), output);
				expect(memoryOf(context).outputOf(fingerprintOf(structuredClone(identity)))).toEqual(
					output,
				);
			}),
			{ numRuns: 50 },
		);
	});
});

/** How a task failed that may have been carried out. */
function unknown(label: string, reason: string): FailedTask {
	return { label, reason, isUnknown: true };
}

it('all tasks that were sent are known, done or not', () => {
	const context = contextWith(TASK);
	memoryOf(context).recordFailed(OTHER, unknown('Item 1', 'It broke.'));
	expect(memoryOf(stored(context)).recorded).toEqual([TASK, OTHER]);
	expect(memoryOf(context, 1).recorded).toEqual([]);
});

it('a task that the service failed to carry out is known until it is finished', () => {
	const context: IContextObject = {};
	const failed = { label: 'Item 1', reason: 'It failed.', isUnknown: false };
	memoryOf(context).recordFailed(TASK, failed);
	expect(memoryOf(stored(context)).failureOf(TASK)).toEqual(failed);
	memoryOf(context).recordDone(TASK, OUTPUT);
	expect(memoryOf(context).failureOf(TASK)).toBeUndefined();
	expect(memoryOf(context).recorded).toEqual([TASK]);
});

describe('a task with an unknown outcome', () => {
	const BROKEN = unknown('Item 1', 'It broke.');

	it('is known in all attempts of a run, also as n8n stores it', () => {
		const context: IContextObject = {};
		const memory = memoryOf(context);
		memory.recordFailed(TASK, BROKEN);
		for (const each of [memory, memoryOf(context), memoryOf(stored(context))]) {
			expect(each.failureOf(TASK)).toEqual(BROKEN);
			expect(each.outputOf(TASK)).toBeUndefined();
		}
	});

	it('is not known for another task, run or parameters', () => {
		const context: IContextObject = {};
		memoryOf(context).recordFailed(TASK, BROKEN);
		expect(memoryOf(context).failureOf(OTHER)).toBeUndefined();
		expect(memoryOf(context, 1).failureOf(TASK)).toBeUndefined();
		const failureWith = (changes: IDataObject) =>
			memoryOf(context, 0, { ...PARAMETERS, ...changes }).failureOf(TASK);
		expect(failureWith({ keyword: 'x' })).toBeUndefined();
		expect(failureWith({ options: {} })).toEqual(BROKEN);
	});
});

it('the account that was used last is that of a task whose credential cannot be read', () => {
	const context: IContextObject = {};
	expect(memoryOf(context).accountFor(undefined)).toBeUndefined();
	for (const account of ['first', 'second']) {
		const memory = memoryOf(context);
		expect(memory.accountFor(account)).toBe(account);
		memory.recordDone(TASK, OUTPUT);
		expect(memory.accountFor(undefined)).toBe(account);
		expect(memoryOf(stored(context)).accountFor(undefined)).toBe(account);
	}
});

describe('an execution that was cancelled', () => {
	it.each([
		['nothing was done', () => ({})],
		['something was done', () => contextWith(OTHER)],
		['n8n has loaded it', () => stored(contextWith(OTHER))],
	])('is known in the next attempt if %s', (_what, contextOf) => {
		const context: IContextObject = contextOf();
		expect(memoryOf(context).recordCancelled('7')).toBe(true);
		expect(memoryOf(context).recordCancelled('7')).toBe(false);
		// Retried with n8n's Retry button, which is another execution.
		expect(memoryOf(context).recordCancelled('8')).toBe(true);
	});

	it('is a new one each time without an id, as that of an agent', () => {
		const context: IContextObject = {};
		const none = undefined as unknown as string;
		expect(memoryOf(context).recordCancelled(none)).toBe(true);
		expect(memoryOf(context).recordCancelled(none)).toBe(true);
	});
});

describe('a run that n8n loads from a stored execution', () => {
	const execution = () => JSON.stringify(contextWith(OTHER));
	const loaded = (text: string) => memoryOf(JSON.parse(text) as IContextObject);

	it.each([
		['has done something', execution],
		[
			'has done nothing',
			() => {
				const context: IContextObject = {};
				memoryOf(context);
				return JSON.stringify(context);
			},
		],
	])('is the same for all retries, also at the same time, if it %s', (_what, textOf) => {
		const text = textOf();
		const [first, second] = [loaded(text), loaded(text)];
		expect(first.take(TASK)).toBe(true);
		expect(second.take(TASK)).toBe(false);
		expect(second.take('another')).toBe(true);
		first.giveBack(TASK);
		expect(second.take(TASK)).toBe(true);
		second.recordDone(TASK, OUTPUT);
		second.giveBack(TASK);
		expect(first.take(TASK)).toBe(false);
		expect(loaded(text).outputOf(TASK)).toEqual(OUTPUT);
		expect(loaded(textOf()).outputOf(TASK)).toBeUndefined();
	});

	it('stores what another retry of it has done', () => {
		const text = execution();
		loaded(text).recordDone(TASK, OUTPUT);
		const context = JSON.parse(text) as IContextObject;
		memoryOf(context);
		// n8n is restarted, so that only what is stored is left.
		expect(JSON.stringify(context)).toContain(TASK);
	});

	it('is the same for all retries with the same changed parameters', () => {
		const text = execution();
		const changed = () =>
			memoryOf(JSON.parse(text) as IContextObject, 0, { ...PARAMETERS, keyword: 'changed' });
		const [first, second] = [changed(), changed()];
		expect(first.take(TASK)).toBe(true);
		expect(second.take(TASK)).toBe(false);
		first.recordDone(TASK, OUTPUT);
		expect(second.outputOf(TASK)).toEqual(OUTPUT);
		expect(loaded(text).outputOf(TASK)).toBeUndefined();
	});

	it.each([
		[true, false],
		[false, true],
	])('gives a task back that failed, with an unknown outcome: %p', (isUnknown, canBeTaken) => {
		const text = execution();
		const [first, second] = [loaded(text), loaded(text)];
		first.take(TASK);
		first.recordFailed(TASK, { label: 'Item 1', reason: 'It broke.', isUnknown });
		first.giveBack(TASK);
		expect(second.take(TASK)).toBe(canBeTaken);
	});

	describe('is forgotten', () => {
		/** Does so many tasks in the retry of another execution. */
		function retryAnother(tasks: number): void {
			const memory = loaded(execution());
			for (let task = 0; task < tasks; task++) memory.recordDone(`task ${task}`, []);
		}

		it('after 200,000 other tasks since its latest retry', () => {
			const text = execution();
			loaded(text).recordDone(TASK, OUTPUT);
			for (let times = 0; times < 2; times++) {
				for (let others = 0; others < 100; others++) retryAnother(1_900);
				expect(loaded(text).outputOf(TASK)).toEqual(OUTPUT);
			}
			for (let others = 0; others < 100; others++) retryAnother(2_100);
			expect(loaded(text).outputOf(TASK)).toBeUndefined();
		});

		it('after 100,000 other executions, because each counts as one task more', () => {
			const text = execution();
			loaded(text).recordDone(TASK, OUTPUT);
			const others = JSON.stringify(contextWith(OTHER)).split(/(?<="id":")[^"]*/);
			for (let other = 0; other < 100_000; other++) loaded(others.join(`${other}`));
			expect(loaded(text).outputOf(TASK)).toBeUndefined();
		});

		it('but not by a task that is done several times', () => {
			const text = execution();
			loaded(text).recordDone(TASK, OUTPUT);
			const another = loaded(execution());
			for (let times = 0; times < 200_000; times++) another.recordDone(TASK, OUTPUT);
			expect(loaded(text).outputOf(TASK)).toEqual(OUTPUT);
		});

		it('but not while it is the latest, however many tasks it has', () => {
			const text = execution();
			const retry = loaded(text);
			for (let task = 0; task <= 200_000; task++) retry.recordDone(`task ${task}`, OUTPUT);
			expect(loaded(text).outputOf('task 0')).toEqual(OUTPUT);
		});
	});

	it('is not forgotten after attempts of other executions', () => {
		const text = execution();
		loaded(text).recordDone(TASK, OUTPUT);
		for (let others = 0; others < 200; others++) memoryOf(contextWith(OTHER));
		expect(loaded(text).outputOf(TASK)).toEqual(OUTPUT);
	});
});

describe('fingerprint', () => {
	it('stays the same, because n8n stores it', () => {
		expect(fingerprintOf(['account', [0, { city: 'Vienna' }]])).toBe('1y679oeugsg');
	});

	it('has 11 characters for any JSON value, and is the same for a copy', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(fingerprintOf(value)).toMatch(/^[0-9a-z]{11}$/);
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
		for (const value of [circular, 1n]) expect(fingerprintOf(value)).toMatch(/^[0-9a-z]{11}$/);
	});
});

it('an input item keeps its fingerprint, even if an expression changes it', () => {
	const item = { json: { words: ['a', 'b'] } };
	const before = inputFingerprint(item);
	item.json.words.pop();
	expect(inputFingerprint(item)).toBe(before);
	// As n8n passes it to the next node, or after it was stored.
	expect(inputFingerprint({ ...item })).not.toBe(before);
});
