import fc from 'fast-check';
import { stringify } from 'flatted';
import type { IContextObject, IDataObject, IExecuteData } from 'n8n-workflow';

import { fingerprint, inputMark } from '../../nodes/BusinessListingSearch/run/fingerprint';
import { hasUnloggedAttempt, Memory } from '../../nodes/BusinessListingSearch/run/memory';
import { seededRandom } from '../../sandbox/random';

const TASK = fingerprint(['account', [4, { city: 'Vienna' }]]);
const OTHER = fingerprint(['account', [5, { city: 'Vienna' }]]);
const OUTPUT = [{ job_id: '9b1f6c1e-0000-4000-8000-000000000001' }];
const PARAMETERS: IDataObject = { resource: 'job', keyword: '={{ $json.city }}', filters: {} };

/** The memory of an attempt of the run. */
const memoryOf = (context: IContextObject, run = 0, parameters = PARAMETERS) =>
	new Memory(context, run, structuredClone(parameters));

/** As n8n stores a failed execution. */
const stored = (context: IContextObject) => JSON.parse(JSON.stringify(context)) as IContextObject;

it('has an unlogged attempt after one of the same run, unless this execution was cancelled', () => {
	const context: IContextObject = {};
	expect(hasUnloggedAttempt(context, 1, '7')).toBe(false);
	const memory = memoryOf(context, 1);
	memory.finish(TASK, OUTPUT);
	expect(hasUnloggedAttempt(stored(context), 1, '7')).toBe(true);
	expect(hasUnloggedAttempt(context, 10, '7')).toBe(false);
	expect(hasUnloggedAttempt(context, 2, '7')).toBe(false);
	memory.noteCancelled('7');
	expect(hasUnloggedAttempt(context, 1, '7')).toBe(false);
	// Retried with n8n's Retry button, which is another execution.
	expect(hasUnloggedAttempt(context, 1, '8')).toBe(true);
});

describe('a finished task', () => {
	it('is recalled in the next attempt of the run', () => {
		const context: IContextObject = {};
		memoryOf(context).finish(TASK, OUTPUT);
		expect(memoryOf(context).recall(TASK)).toEqual(OUTPUT);
		expect(memoryOf(context).isUnknown(TASK)).toBe(false);
	});

	it('is recalled if only the label of the chosen blacklist has changed', () => {
		const chosen = (value: string, cachedResultName: string): IDataObject => ({
			blacklist: { __rl: true, mode: 'list', value, cachedResultName },
		});
		const context: IContextObject = {};
		memoryOf(context, 0, chosen('customers', 'customers (3)')).finish(TASK, OUTPUT);
		expect(memoryOf(context, 0, chosen('customers', 'customers (4)')).recall(TASK)).toEqual(OUTPUT);
		expect(memoryOf(context, 0, chosen('others', 'customers (3)')).recall(TASK)).toBeUndefined();
	});

	it('no longer counts as failed', () => {
		const context: IContextObject = {};
		memoryOf(context).leaveFailed(TASK, 'Item 1', 'It failed.');
		expect([...memoryOf(context).failedBefore]).toEqual([[TASK, 'Item 1']]);
		expect(memoryOf(context).isUnknown(TASK)).toBe(false);
		memoryOf(context).finish(TASK, OUTPUT);
		expect([...memoryOf(context).failedBefore]).toEqual([]);
		expect(memoryOf(context).whatHappened(TASK)).toBeUndefined();
	});

	it('is recalled with all its items', () => {
		const context: IContextObject = {};
		memoryOf(context).finish(TASK, []);
		memoryOf(context).finish(OTHER, [{ a: 1 }, { b: [null, { c: 'd' }] }]);
		expect(memoryOf(context).recall(TASK)).toEqual([]);
		expect(memoryOf(context).recall(OTHER)).toEqual([{ a: 1 }, { b: [null, { c: 'd' }] }]);
	});

	it('is not recalled for another task', () => {
		const context: IContextObject = {};
		memoryOf(context).finish(TASK, OUTPUT);
		expect(memoryOf(context).recall(OTHER)).toBeUndefined();
	});

	it('is not recalled for another run, such as the next pass of a loop', () => {
		const context: IContextObject = {};
		memoryOf(context, 0).finish(TASK, OUTPUT);
		expect(memoryOf(context, 1).recall(TASK)).toBeUndefined();
	});

	it.each<[what: string, change: IDataObject]>([
		['another text', { keyword: 'dentist' }],
		['another operation', { operation: 'delete' }],
		['another filter', { filters: { minRating: 4 } }],
		['a removed parameter', { keyword: undefined }],
	])('is not recalled for a node with changed parameters: %s', (_what, change) => {
		const context: IContextObject = {};
		memoryOf(context).finish(TASK, OUTPUT);
		expect(memoryOf(context, 0, { ...PARAMETERS, ...change }).recall(TASK)).toBeUndefined();
	});

	it('is recalled if only Concurrency or Request Options were changed', () => {
		const context: IContextObject = {};
		memoryOf(context).finish(TASK, OUTPUT);
		const changed = {
			...PARAMETERS,
			options: { concurrency: 2, minRemaining: 10 },
			requestOptions: { timeout: 20_000 },
		};
		expect(memoryOf(context, 0, changed).recall(TASK)).toEqual(OUTPUT);
	});

	it('is forgotten when a later run has finished a task', () => {
		const context: IContextObject = {};
		memoryOf(context, 0).finish(TASK, OUTPUT);
		memoryOf(context, 1).finish(OTHER, OUTPUT);
		expect(memoryOf(context, 0).recall(TASK)).toBeUndefined();
		expect(memoryOf(context, 1).recall(TASK)).toBeUndefined();
		expect(memoryOf(context, 1).recall(OTHER)).toEqual(OUTPUT);
	});

	it('does not touch the rest of the context', () => {
		const context: IContextObject = { other: 1 };
		const memory = memoryOf(context);
		expect(context.other).toBe(1);
		memory.finish(TASK, OUTPUT);
		expect(context.other).toBe(1);
		memory.forget();
		expect(context).toEqual({ other: 1 });
	});

	it('is forgotten with its run', () => {
		const context: IContextObject = {};
		const memory = memoryOf(context);
		memory.finish(TASK, OUTPUT);
		memory.leaveUnknown(OTHER, 'Item 1', 'It broke.');
		memory.forget();
		expect(context).toEqual({});
		expect(memoryOf(context).recall(TASK)).toBeUndefined();
		expect(memoryOf(context).isUnknown(OTHER)).toBe(false);
	});

	it('survives serialization', () => {
		const context: IContextObject = {};
		memoryOf(context).finish(TASK, OUTPUT);
		expect(memoryOf(stored(context)).recall(TASK)).toEqual(OUTPUT);
	});

	it('does not change when the output is modified later', () => {
		const context: IContextObject = {};
		const output = [{ job_id: 'a-1' }];
		memoryOf(context).finish(TASK, output);
		output[0]!.job_id = 'changed';
		memoryOf(context).recall(TASK)![0]!.job_id = 'changed';
		expect(memoryOf(context).recall(TASK)).toEqual([{ job_id: 'a-1' }]);
	});

	it('is recalled unchanged for any output', () => {
		const outputs = fc.array(fc.dictionary(fc.string(), fc.jsonValue()));
		fc.assert(
			fc.property(fc.jsonValue(), outputs, (identity, entered) => {
				const context: IContextObject = {};
				const output = JSON.parse(JSON.stringify(entered)) as typeof OUTPUT;
				memoryOf(context).finish(fingerprint(identity), output);
				expect(memoryOf(context).recall(fingerprint(structuredClone(identity)))).toEqual(output);
			}),
		);
	});

	it('10,000 times takes less than 2 MB, also as n8n stores it', () => {
		const context: IContextObject = {};
		const memory = memoryOf(context);
		for (let item = 0; item < 10_000; item++) {
			memory.finish(fingerprint(['account', item]), [{ job_id: crypto.randomUUID() }]);
		}
		expect(JSON.stringify(context).length).toBeLessThan(2_000_000);
		expect(stringify(context).length).toBeLessThan(2_000_000);
	});
});

describe('a task with an unknown outcome', () => {
	it('is known in all attempts of a run', () => {
		const context: IContextObject = {};
		memoryOf(context).leaveUnknown(TASK, 'Item 1', 'It broke.');
		expect(memoryOf(context).isUnknown(TASK)).toBe(true);
		expect([...memoryOf(context).failedBefore]).toEqual([[TASK, 'Item 1']]);
		expect(memoryOf(context).whatHappened(TASK)).toBe('It broke.');
		expect(memoryOf(context).recall(TASK)).toBeUndefined();
	});

	it("is known after n8n's Retry button", () => {
		const context: IContextObject = {};
		memoryOf(context).leaveUnknown(TASK, 'Item 1', 'It broke.');
		expect(memoryOf(stored(context)).isUnknown(TASK)).toBe(true);
	});

	it('is remembered with what happened, for the first fifty', () => {
		const context: IContextObject = {};
		for (let item = 0; item < 60; item++) {
			memoryOf(context).leaveUnknown(`mark ${item}`, `Item ${item}`, 'It broke.');
		}
		expect(memoryOf(context).whatHappened('mark 49')).toBe('It broke.');
		expect(memoryOf(context).whatHappened('mark 50')).toBeUndefined();
		expect(memoryOf(context).isUnknown('mark 59')).toBe(true);
		memoryOf(context).leaveUnknown('mark 7', 'Item 7', 'The service says: paid.');
		expect(memoryOf(context).whatHappened('mark 7')).toBe('The service says: paid.');
	});

	it('accumulates over the attempts, next to finished tasks', () => {
		const context: IContextObject = {};
		memoryOf(context).leaveUnknown(TASK, 'Item 1', 'It broke.');
		memoryOf(context).finish('done', OUTPUT);
		memoryOf(context).leaveUnknown(OTHER, 'Item 1', 'It broke.');
		const memory = memoryOf(context);
		expect([TASK, OTHER, 'done'].map((task) => memory.isUnknown(task))).toEqual([
			true,
			true,
			false,
		]);
		expect(memory.recall('done')).toEqual(OUTPUT);
	});

	it('is not known for another task, run or parameters', () => {
		const context: IContextObject = {};
		memoryOf(context).leaveUnknown(TASK, 'Item 1', 'It broke.');
		expect(memoryOf(context).isUnknown(OTHER)).toBe(false);
		expect(memoryOf(context, 1).isUnknown(TASK)).toBe(false);
		expect(memoryOf(context, 0, { ...PARAMETERS, keyword: 'x' }).isUnknown(TASK)).toBe(false);
		expect(memoryOf(context, 0, { ...PARAMETERS, options: {} }).isUnknown(TASK)).toBe(true);
	});
});

describe('a run that n8n loads from a stored execution', () => {
	const stored = () => {
		const context: IContextObject = {};
		memoryOf(context).finish(OTHER, OUTPUT);
		return JSON.stringify(context);
	};
	const loaded = (text: string) => memoryOf(JSON.parse(text) as IContextObject);

	it('is the same for all retries, also at the same time', () => {
		const text = stored();
		const [first, second] = [loaded(text), loaded(text)];
		expect(first.take(TASK)).toBe(true);
		expect(second.take(TASK)).toBe(false);
		first.giveBack(TASK);
		expect(second.take(TASK)).toBe(true);
		second.finish(TASK, OUTPUT);
		expect(loaded(text).recall(TASK)).toEqual(OUTPUT);
		expect(loaded(stored()).recall(TASK)).toBeUndefined();
	});

	it('is forgotten after twenty others', () => {
		const text = stored();
		loaded(text).finish(TASK, OUTPUT);
		for (let others = 0; others < 20; others++) loaded(stored());
		expect(loaded(text).recall(TASK)).toBeUndefined();
	});

	it('is not forgotten after twenty attempts of other executions', () => {
		const text = stored();
		loaded(text).finish(TASK, OUTPUT);
		for (let others = 0; others < 20; others++) {
			const context: IContextObject = {};
			memoryOf(context).finish(OTHER, OUTPUT);
			memoryOf(context);
		}
		expect(loaded(text).recall(TASK)).toEqual(OUTPUT);
	});

	it('keeps that it was cancelled, even if nothing was done', () => {
		const context: IContextObject = {};
		memoryOf(context).noteCancelled('7');
		expect(memoryOf(context).wasCancelled('7')).toBe(true);
		expect(memoryOf(context).wasCancelled('8')).toBe(false);
	});

	it('keeps from one attempt to the next that it was cancelled', () => {
		const context = JSON.parse(stored()) as IContextObject;
		memoryOf(context).noteCancelled('7');
		expect(memoryOf(context).wasCancelled('7')).toBe(true);
		expect(memoryOf(context).wasCancelled('8')).toBe(false);
	});
});

describe('fingerprint', () => {
	it('reads an object that fails to convert itself to JSON', () => {
		const broken = (value: number) => ({
			value,
			toJSON() {
				throw new Error('no JSON');
			},
		});
		expect(fingerprint([broken(1)])).not.toBe(fingerprint([broken(2)]));
	});

	it('has 11 characters for any JSON value', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(fingerprint(value)).toMatch(/^[0-9a-z]{11}$/);
				expect(fingerprint(structuredClone(value))).toBe(fingerprint(value));
			}),
		);
	});

	it('also distinguishes values that JSON cannot hold', () => {
		const circular = (place: number) => {
			const item: unknown[] = [place];
			item.push(item);
			return item;
		};
		expect(fingerprint(circular(1))).toBe(fingerprint(circular(1)));
		expect(fingerprint(circular(1))).not.toBe(fingerprint(circular(2)));
		expect(fingerprint([1, 7n])).not.toBe(fingerprint([2, 7n]));
		expect(fingerprint([1, 7n])).not.toBe(fingerprint([1, 8n]));
	});

	it('never fails, whatever the depth, and is the same for what n8n has stored', () => {
		const deep = (end: unknown) => {
			let value = end;
			for (let level = 0; level < 20_000; level++) value = [value];
			return value;
		};
		const day = new Date('2030-01-01');
		expect(fingerprint(deep(1))).toMatch(/^[0-9a-z]{11}$/);
		expect(fingerprint(deep(1))).not.toBe(fingerprint(deep(2)));
		const twice = deep(1);
		expect(fingerprint([twice, twice])).toMatch(/^[0-9a-z]{11}$/);
		expect(fingerprint(deep({ day, none: undefined }))).toBe(
			fingerprint(deep({ day: day.toJSON() })),
		);
	});

	it('distinguishes tasks that differ in one character', () => {
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
		expect(new Set(tasks.map(fingerprint)).size).toBe(tasks.length);
	});

	it('is unique among 150,000 tasks', () => {
		const random = seededRandom(1);
		const prints = Array.from({ length: 150_000 }, () => fingerprint(`${random()}${random()}`));
		expect(new Set(prints).size).toBe(prints.length);
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
					expect(fingerprint({ keyword: changed })).not.toBe(fingerprint({ keyword }));
				},
			),
			{ numRuns: 1_000 },
		);
	});
});

describe('the mark of an input item', () => {
	const runOfANode = () => ({}) as IExecuteData;

	it('stays the same in all attempts of a run, even if an expression changes the item', () => {
		const [run, item] = [runOfANode(), { json: { words: ['a', 'b'] } }];
		const mark = inputMark(run, item);
		item.json.words.pop();
		expect(inputMark(run, item)).toBe(mark);
		expect(inputMark(run, structuredClone(item))).not.toBe(mark);
	});

	it('is another one in another run, as after the item was stored', () => {
		const item = { json: { words: ['a', 'b'] } };
		const mark = inputMark(runOfANode(), item);
		item.json.words.pop();
		expect(inputMark(runOfANode(), item)).toBe(inputMark(runOfANode(), structuredClone(item)));
		expect(inputMark(runOfANode(), item)).not.toBe(mark);
	});
});
