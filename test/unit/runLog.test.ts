import { reasonsOf, tallyOf } from '../../nodes/BusinessListingSearch/run/runLog';
import type {
	FailedTask,
	InDoubt,
	Task,
	TaskEnd,
	TaskState,
} from '../../nodes/BusinessListingSearch/run/task';

const failed = (label: string, more: Partial<FailedTask> = {}): FailedTask => ({
	label,
	reason: 'It broke.',
	...more,
});

const many = (count: number, more?: Partial<FailedTask>) =>
	Array.from({ length: count }, (_, index) => failed(`Item ${index}`, more));

/** A task on its way, and what an earlier attempt left of it. */
const state = (
	end: TaskEnd | undefined,
	inDoubt?: InDoubt,
	task: Partial<Task> = {},
): TaskState => ({ task: task as Task, key: '', inDoubt, end });

const done = (id: string, name?: string): TaskEnd => ({
	kind: 'done',
	output: [{ job_id: id }],
	name,
	sentBy: id,
});
const ending = (of: FailedTask) => ({ kind: 'failed', failed: of }) as TaskEnd;

describe('the tally of a run', () => {
	it('has the ids of the jobs with their keywords, in the order of the input', () => {
		const states = [done('b-2', 'dentist'), ending(failed('Item 1')), done('a-1')];
		const tally = tallyOf(
			states.map((end) => state(end)),
			'jobs',
		);
		expect(tally).toEqual({
			...{ total: 3, done: 2, failed: [failed('Item 1')] },
			ids: [{ job_id: 'b-2', keyword: 'dentist' }, { job_id: 'a-1' }],
		});
		expect(tallyOf([state(done('a-1'))], 'values').ids).toEqual([]);
	});

	it('has the doubt of an earlier attempt, of what this one has not reached', () => {
		const earlier = {
			...failed('Item 0', { doubt: 'unknown' }),
			executions: ['1'],
			requests: [''],
			sentBy: '',
		};
		const now = failed('Item 0', { reason: 'No.' });
		const of = (end?: TaskEnd) => tallyOf([state(end, earlier)], 'jobs').failed;
		expect(of()).toEqual([earlier]);
		expect(of({ kind: 'notStarted' })).toEqual([earlier]);
		expect(of(ending(now))).toEqual([now]);
		expect(of(done('a-1'))).toEqual([]);
	});

	it('counts an item with the first that asks for the same, unless another request left it in doubt', () => {
		const inDoubt = (sentBy: string) => ({ ...failed('x'), executions: [], requests: [], sentBy });
		const first = state(undefined, inDoubt('a'));
		const totalWith = (other: TaskState) => tallyOf([first, { ...other, first }], 'jobs').total;
		expect(totalWith(state(undefined))).toBe(1);
		expect(totalWith(state(undefined, inDoubt('a')))).toBe(1);
		expect(totalWith(state(undefined, inDoubt('b')))).toBe(2);
		expect(totalWith(state(done('b-1'), inDoubt('b')))).toBe(1);
	});

	it('does not count a row of Add Many Items that is refused: it is no value', () => {
		const row = state(ending(failed('Item 0')), undefined, { isRow: true });
		expect(tallyOf([row, state(done('a-1'))], 'values')).toMatchObject({
			total: 1,
			failed: [],
		});
	});
});

describe('why tasks failed', () => {
	it('is listed by reason: the first fifty', () => {
		const no = failed('Item 9', { reason: 'No.' });
		expect(reasonsOf([...many(2), no])).toEqual(['Item 0, Item 1: It broke.', 'Item 9: No.']);
		expect(reasonsOf(many(50))[0]).toMatch(/, Item 49: It broke\.$/);
		expect(reasonsOf(many(53))[0]).toMatch(/, Item 49 and 3 more: It broke\.$/);
	});

	it('names all that may have been carried out, and says so once', () => {
		const [all] = reasonsOf(many(53, { doubt: 'unknown' }));
		expect(all).toMatch(/, Item 52: It broke\. It may have been carried out\.$/);
		const reason = 'It may have been carried out in an earlier try.';
		expect(reasonsOf([failed('Item 0', { reason, doubt: 'reportedFailed' })])).toEqual([
			`Item 0: ${reason}`,
		]);
		// The same words without a doubt are another reason.
		expect(reasonsOf([...many(1), ...many(1, { doubt: 'unknown' })])).toHaveLength(2);
	});
});
