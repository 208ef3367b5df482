import fc from 'fast-check';
import type { IContextObject, IDataObject, IExecuteData } from 'n8n-workflow';

import { fingerprint, inputMark } from '../../nodes/BusinessListingSearch/run/fingerprint';
import { hasUnloggedAttempt, Memory } from '../../nodes/BusinessListingSearch/run/memory';

const TASK = fingerprint(['account', [4, { city: 'Vienna' }]]);
const OTHER = fingerprint(['account', [5, { city: 'Vienna' }]]);
const OUTPUT = [{ job_id: '9b1f6c1e-0000-4000-8000-000000000001' }];
const PARAMETERS: IDataObject = { resource: 'job', keyword: '={{ $json.city }}', filters: {} };

/** The memory of an attempt of the run. */
const memoryOf = (context: IContextObject, run = 0, parameters = PARAMETERS) =>
	new Memory(context, run, structuredClone(parameters));

/** As n8n stores a failed execution, and loads it. */
const stored = (context: IContextObject) => JSON.parse(JSON.stringify(context)) as IContextObject;

/** The context of an execution that has finished a task. */
function contextWith(task: string, run = 0, parameters = PARAMETERS): IContextObject {
	const context: IContextObject = {};
	memoryOf(context, run, parameters).finish(task, OUTPUT);
	return context;
}

describe('a finished task', () => {
	it('is recalled in the next attempt of the run, also as n8n stores it', () => {
		const context = contextWith(TASK);
		for (const memory of [memoryOf(context), memoryOf(stored(context))]) {
			expect(memory.recall(TASK)).toEqual(OUTPUT);
			expect(memory.isDone(TASK)).toBe(true);
			expect(memory.isUnknown(TASK)).toBe(false);
		}
	});

	it('is recalled with all its items', () => {
		const context = contextWith(TASK);
		memoryOf(context).finish(TASK, []);
		memoryOf(context).finish(OTHER, [{ a: 1 }, { b: [null, { c: 'd' }] }]);
		expect(memoryOf(context).recall(TASK)).toEqual([]);
		expect(memoryOf(context).recall(OTHER)).toEqual([{ a: 1 }, { b: [null, { c: 'd' }] }]);
	});

	it('does not change when the output is modified later', () => {
		const context: IContextObject = {};
		const output = [{ job_id: 'a-1' }];
		memoryOf(context).finish(TASK, output);
		output[0]!.job_id = 'changed';
		memoryOf(context).recall(TASK)![0]!.job_id = 'changed';
		expect(memoryOf(context).recall(TASK)).toEqual([{ job_id: 'a-1' }]);
	});

	it('is not recalled for another task', () => {
		const memory = memoryOf(contextWith(TASK));
		expect(memory.recall(OTHER)).toBeUndefined();
		expect(memory.isDone(OTHER)).toBe(false);
	});

	it('is not recalled for another run, such as the next pass of a loop', () => {
		expect(memoryOf(contextWith(TASK), 1).recall(TASK)).toBeUndefined();
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
		expect(memoryOf(context, 0, { ...PARAMETERS, ...now }).recall(TASK)).toBeUndefined();
	});

	it.each<[what: string, before: IDataObject, now: IDataObject]>([
		['an option', {}, { options: { concurrency: 2, minRemaining: 10 } }],
		['Request Options', {}, { requestOptions: { timeout: 20_000 } }],
		['the label of a choice', chosen('customers'), chosen('customers', 'list', 'customers (4)')],
	])('is recalled if only %s has changed', (_what, before, now) => {
		const context = contextWith(TASK, 0, { ...PARAMETERS, ...before });
		expect(memoryOf(context, 0, { ...PARAMETERS, ...now }).recall(TASK)).toEqual(OUTPUT);
	});

	it('is forgotten when a later run has finished a task', () => {
		const context = contextWith(TASK);
		memoryOf(context, 1).finish(OTHER, OUTPUT);
		expect(memoryOf(context, 0).recall(TASK)).toBeUndefined();
		expect(memoryOf(context, 1).recall(TASK)).toBeUndefined();
		expect(memoryOf(context, 1).recall(OTHER)).toEqual(OUTPUT);
	});

	it('is forgotten with its run; the rest of the context stays', () => {
		const context: IContextObject = { other: 1 };
		const memory = memoryOf(context);
		memory.finish(TASK, OUTPUT);
		memory.leaveUnknown(OTHER, 'Item 1', 'It broke.');
		expect(context.other).toBe(1);
		memory.forget();
		expect(context).toEqual({ other: 1 });
		expect(memoryOf(context).recall(TASK)).toBeUndefined();
		expect(memoryOf(context).isUnknown(OTHER)).toBe(false);
	});

	it('is recalled unchanged for any output', () => {
		const json = fc.jsonValue({ maxDepth: 2 });
		const outputs = fc.array(fc.dictionary(fc.string(), json), { maxLength: 3 });
		fc.assert(
			fc.property(json, outputs, (identity, entered) => {
				const context: IContextObject = {};
				const output = JSON.parse(JSON.stringify(entered)) as typeof OUTPUT;
				memoryOf(context).finish(fingerprint(identity), output);
				expect(memoryOf(context).recall(fingerprint(structuredClone(identity)))).toEqual(output);
			}),
			{ numRuns: 50 },
		);
	});

	it('that this attempt does not reach is listed', () => {
		const context = contextWith(TASK);
		memoryOf(context).finish(OTHER, [{ job_id: 'a-1' }]);
		const memory = memoryOf(context);
		expect(memory.notRecalled).toEqual([OUTPUT, [{ job_id: 'a-1' }]]);
		memory.recall(TASK);
		expect(memory.notRecalled).toEqual([[{ job_id: 'a-1' }]]);
	});
});

describe('a task that the service failed to carry out', () => {
	it('counts as failed, not as unknown, until it is finished', () => {
		const context: IContextObject = {};
		memoryOf(context).leaveFailed(TASK, 'Item 1', 'It failed.');
		expect([...memoryOf(context).failedBefore]).toEqual([[TASK, 'Item 1']]);
		expect(memoryOf(context).isUnknown(TASK)).toBe(false);
		expect(memoryOf(context).whatHappened(TASK)).toBe('It failed.');
		memoryOf(context).finish(TASK, OUTPUT);
		expect([...memoryOf(context).failedBefore]).toEqual([]);
		expect(memoryOf(context).whatHappened(TASK)).toBeUndefined();
	});
});

describe('a task with an unknown outcome', () => {
	it('is known in all attempts of a run, also as n8n stores it', () => {
		const context: IContextObject = {};
		const memory = memoryOf(context);
		memory.leaveUnknown(TASK, 'Item 1', 'It broke.');
		for (const each of [memory, memoryOf(context), memoryOf(stored(context))]) {
			expect(each.isUnknown(TASK)).toBe(true);
			expect(each.isDone(TASK)).toBe(false);
			expect(each.whatHappened(TASK)).toBe('It broke.');
			expect(each.recall(TASK)).toBeUndefined();
		}
		expect([...memoryOf(context).failedBefore]).toEqual([[TASK, 'Item 1']]);
	});

	it('is kept once, next to those of other attempts and to finished tasks', () => {
		const context: IContextObject = {};
		memoryOf(context).leaveUnknown(TASK, 'Item 1', 'It broke.');
		memoryOf(context).finish('done', OUTPUT);
		memoryOf(context).leaveUnknown(OTHER, 'Item 2', 'It broke.');
		memoryOf(context).leaveUnknown(TASK, 'Item 1', 'It broke again.');
		expect(context.businessListingSearch).toMatchObject({ unknown: [TASK, OTHER] });
		const memory = memoryOf(context);
		expect(memory.isUnknown('done')).toBe(false);
		expect(memory.recall('done')).toEqual(OUTPUT);
	});

	it('is remembered with what happened, for the first fifty', () => {
		const context: IContextObject = {};
		for (let item = 0; item < 60; item++) {
			memoryOf(context).leaveUnknown(`mark ${item}`, `Item ${item}`, 'It broke.');
		}
		const memory = memoryOf(context);
		expect(memory.whatHappened('mark 49')).toBe('It broke.');
		expect(memory.whatHappened('mark 50')).toBeUndefined();
		expect(memory.isUnknown('mark 59')).toBe(true);
		expect(memory.failedBefore.get('mark 59')).toBe('Item 59');
		memory.leaveUnknown('mark 7', 'Item 7', 'The service says: paid.');
		expect(memory.whatHappened('mark 7')).toBe('The service says: paid.');
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

it('the account that was used last is that of a task whose credential cannot be read', () => {
	const context: IContextObject = {};
	expect(memoryOf(context).accountFor(undefined)).toBeUndefined();
	for (const account of ['first', 'second']) {
		const memory = memoryOf(context);
		expect(memory.accountFor(account)).toBe(account);
		memory.finish(TASK, OUTPUT);
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
		memoryOf(context).noteCancelled('7');
		expect(memoryOf(context).wasCancelled('7')).toBe(true);
		expect(memoryOf(context).wasCancelled('8')).toBe(false);
	});

	it('is not one without an id, as that of an agent', () => {
		expect(memoryOf({}).wasCancelled(undefined as unknown as string)).toBe(false);
	});

	it('has its summary in the log; any other earlier attempt of the run has not', () => {
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
		second.finish(TASK, OUTPUT);
		expect(loaded(text).recall(TASK)).toEqual(OUTPUT);
		expect(loaded(textOf()).recall(TASK)).toBeUndefined();
	});

	it('is forgotten after twenty others', () => {
		const text = execution();
		loaded(text).finish(TASK, OUTPUT);
		for (let others = 0; others < 19; others++) loaded(execution());
		expect(loaded(text).recall(TASK)).toEqual(OUTPUT);
		loaded(execution());
		expect(loaded(text).recall(TASK)).toBeUndefined();
	});

	it('is not forgotten after twenty attempts of other executions', () => {
		const text = execution();
		loaded(text).finish(TASK, OUTPUT);
		for (let others = 0; others < 20; others++) memoryOf(contextWith(OTHER));
		expect(loaded(text).recall(TASK)).toEqual(OUTPUT);
	});
});

describe('fingerprint', () => {
	it('stays the same, because n8n stores it', () => {
		expect(fingerprint(['account', [0, { city: 'Vienna' }]])).toBe('1y679oeugsg');
	});

	it('has 11 characters for any JSON value, and is the same for a copy', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(fingerprint(value)).toMatch(/^[0-9a-z]{11}$/);
				expect(fingerprint(structuredClone(value))).toBe(fingerprint(value));
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
		expect(new Set(tasks.map(fingerprint)).size).toBe(tasks.length);
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
		);
	});

	it('reads what JSON cannot hold, with dates as n8n stores them', () => {
		const circular = (...content: unknown[]) => {
			content.push(content);
			return content;
		};
		const day = new Date('2030-01-01');
		expect(fingerprint(circular(1))).toBe(fingerprint(circular(1)));
		expect(fingerprint(circular(1))).not.toBe(fingerprint(circular(2)));
		expect(fingerprint(circular({ day, none: undefined }))).toBe(
			fingerprint(circular({ day: day.toJSON() })),
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
