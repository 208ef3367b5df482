import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { Ledger } from '../../nodes/BusinessListingSearch/run/ledger';
import { blacklistOf, type Fault } from '../../sandbox';
import { advance, beBusy, until } from '../support/clock';
import type * as support from '../support/engine';
import { inThreePasses, loadWorkflow, workflowOf, type EngineRun } from '../support/engine';
import { status } from '../support/faults';
import {
	ADD,
	ADD_MANY,
	CREATE,
	DELETE,
	domains,
	keywords,
	ONE_BY_ONE,
	USAGE,
} from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { useEngine } from '../support/useEngine';
import { NODE_TYPE, TESTED_NODE, to } from '../support/workflowOf';

const { sandbox, owner, execute, retry, start, startRetry } = useEngine();

/** The engine with the node as another worker of n8n runs it: they share nothing in memory. */
function isolatedEngine() {
	let engine: typeof support | undefined;
	jest.isolateModules(() => {
		engine = jest.requireActual<typeof support>('../support/engine');
	});
	return engine!;
}

afterEach(() => jest.restoreAllMocks());

/** With Retry On Fail, the second attempt begins after this long, in milliseconds. */
const BETWEEN_TRIES = 1_000;
const RETRY_LATER: Partial<INode> = { ...RETRY_ON_FAIL, waitBetweenTries: BETWEEN_TRIES };

/** An expression with another value in each attempt. */
const VOLATILE = '={{ $execution.id + " " + $now.toMillis() }}';

/** The service did it, and its response was lost. */
const LOST: Fault = { kind: 'drop', carryOut: true };

const NOT_SENT_AGAIN = 'Not sent again: the request may have been carried out in an earlier try';
const OTHER_RETRY = 'Not sent: another retry of this execution is in progress';

const grouped = (groupName: string): INodeParameters => ({ ...ONE_BY_ONE, groupName });
const jobIds = () => sandbox.state.jobs.map(({ job_id }) => job_id);
const created = () => sandbox.state.jobs.map(({ keyword }) => keyword);
const idsOf = ({ json }: EngineRun) => json.map(({ job_id }) => job_id);

/** Acts between the two attempts of Retry On Fail: when so many requests have been answered. */
async function afterFirstAttempt(answered: number): Promise<void> {
	await until(
		() => sandbox.requests.filter(({ endedAt }) => endedAt !== undefined).length === answered,
	);
}

describe('what an expression gives differs in each attempt, but is the same request:', () => {
	it.each<[string, INodeParameters, Fault]>([
		['a job after a broken connection', grouped(VOLATILE), LOST],
		['a delete after a 502', DELETE, status(502, { carryOut: true })],
	])('%s is not sent again', async (_what, parameters, fault) => {
		sandbox.state.blacklists.set('customers', blacklistOf());
		sandbox.faults.add({ fault });
		const failed = await execute(parameters, [{}], RETRY_LATER);
		expect(failed.error?.message).toMatch(NOT_SENT_AGAIN);

		// The stored execution remembers it, too.
		const { error } = await retry(failed);
		expect(error?.message).toMatch(NOT_SENT_AGAIN);
		expect(sandbox.requests).toMatchObject([{ carriedOut: true }]);
	});

	it('a value after half a response is not sent again, but by a person: nobody can look one up', async () => {
		for (const parameters of [ADD, ADD_MANY]) {
			const { length } = sandbox.requests;
			sandbox.faults.add({ times: 1, fault: { kind: 'truncated', carryOut: true } });
			const failed = await execute(parameters, [{}], RETRY_LATER);
			expect(failed.error?.message).toMatch(NOT_SENT_AGAIN);
			expect(sandbox.requests).toHaveLength(length + 1);
			expect((await retry(failed)).error).toBeUndefined();
			expect(sandbox.requests).toHaveLength(length + 2);
		}
	});
});

// With n8n's legacy engine for expressions, which runs here.
it('an expression that changes the input item creates each job once with Retry On Fail', async () => {
	const changing = { ...ONE_BY_ONE, keyword: '={{ $json.words.pop() }}' };
	const items = [1, 2].map((item) => ({ words: [...'abcdefgh'].map((word) => word + item) }));
	sandbox.faults.add({ skip: 1, times: 1, fault: status(402) });
	const { error } = await execute(changing, items, RETRY_ON_FAIL);
	expect(error).toBeUndefined();
	expect(sandbox.state.jobs).toHaveLength(2);
	expect(sandbox.requests).toHaveLength(3);
});

/** How an execution fails: at which job, with which status. */
interface Failing {
	settings?: Partial<INode>;
	job?: number;
	statusCode?: number;
}

describe("n8n's Retry button, used twice on the same execution,", () => {
	const expectEachOnce = (count: number) =>
		expect(created().sort()).toEqual(keywords(count).map(({ keyword }) => keyword));

	/** An execution that has failed at one of its jobs, and its Retry button. */
	async function fail(count: number, { settings = {}, job = 1, statusCode = 500 }: Failing = {}) {
		// A job that has failed is sent once.
		const times = statusCode === 500 ? 1 : (settings.maxTries ?? 1);
		sandbox.faults.add({ match: `keyword ${job}.`, times, fault: status(statusCode) });
		const failed = await execute(ONE_BY_ONE, keywords(count), settings);
		return {
			sandbox,
			retry: async () => await retry(failed),
			/** A double click. */
			async retryTwiceAtOnce() {
				const both = [1, 2].map(() => startRetry(failed).finished);
				const ends = await until(Promise.all(both));
				// Without what is paid, which depends on who is first.
				return ends.map(({ error }) => error?.message.replace(/ \(paid: .*/, '')).sort();
			},
		};
	}

	it('creates each job once if none was created before the failure', async () => {
		const { sandbox, retry } = await fail(3, { job: 0, statusCode: 400 });
		expect(sandbox.state.jobs).toEqual([]);
		await retry();
		expect(idsOf(await retry())).toEqual(jobIds());
		expectEachOnce(3);
	});

	it('does not repeat an unknown outcome of the first retry', async () => {
		const { sandbox, retry } = await fail(3);
		sandbox.faults.add({ match: 'keyword 1.', fault: LOST });
		await retry();
		expect((await retry()).error?.message).toMatch(NOT_SENT_AGAIN);
		expectEachOnce(3);
	});

	it('creates each job once if both run at the same time, with Retry On Fail', async () => {
		const { sandbox, retryTwiceAtOnce } = await fail(3, { settings: RETRY_ON_FAIL });
		// The second retry tries again while the job of the first is in flight.
		sandbox.faults.add({ fault: { kind: 'delay', ms: 300 } });
		await retryTwiceAtOnce();
		expectEachOnce(3);
	});

	it('the other one goes on when the first was cancelled, or ended with failures', async () => {
		sandbox.faults.add({ match: 'keyword 0.', times: 2, fault: status(400) });
		const failed = await execute(ONE_BY_ONE, keywords(4));
		// It goes on after the failure of keyword 0.
		const going = workflowOf(ONE_BY_ONE, keywords(4), CONTINUE);
		expect((await retry(failed, going)).error).toBeUndefined();
		expect(created()).toHaveLength(3);
		sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '60' }) });
		const { stop } = startRetry(failed);
		await until(() => sandbox.requests.length === 6);
		await stop();
		expect((await retry(failed)).error).toBeUndefined();
		expect(created().sort()).toEqual(keywords(4).map(({ keyword }) => keyword));
	});

	it('does not repeat an unknown outcome if both run at the same time', async () => {
		const { sandbox, retryTwiceAtOnce } = await fail(2);
		sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
		sandbox.faults.add({ match: 'keyword 1.', fault: LOST });
		expect(await retryTwiceAtOnce()).toEqual([
			OTHER_RETRY,
			'The connection to the service broke before the response was complete',
		]);
		expectEachOnce(2);
	});
});

it('retries of retries on two workers in turn know what each has done', async () => {
	const workflow = workflowOf(ONE_BY_ONE, keywords(8));
	const otherWorker = isolatedEngine();
	sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(500) });
	sandbox.faults.add({ match: 'keyword 4.', times: 1, fault: status(500) });
	sandbox.faults.add({ match: 'keyword 6.', times: 1, fault: LOST });

	const failed = await execute(workflow);
	const onFirst = await retry(failed);
	const onSecond = await until(otherWorker.startRetry(workflow, onFirst, owner).finished);
	expect(created()).toHaveLength(7);
	const { error } = await retry(onSecond, workflow);
	expect(error?.message).toMatch(NOT_SENT_AGAIN);
	expect(created()).toEqual(keywords(8).map(({ keyword }) => keyword));
});

it.each([1, 3])(
	'what a model asks for in a later retry is not taken for what it asked for in an earlier one (calls at once: %d)',
	async (calls) => {
		const keyword = '={{ "asked at " + $now.toMillis() + ", call " + $runIndex }}';
		const tool = { type: `${NODE_TYPE}Tool`, onError: 'continueRegularOutput' as const };
		const workflow = workflowOf({ ...CREATE, keyword }, [{ calls }], tool);
		// With the defaults of the form, as in the first run.
		const node = loadWorkflow(workflow).getNode(TESTED_NODE)!;
		// The outcome of these calls is unknown, so they are remembered.
		sandbox.faults.add({ times: calls, fault: LOST });
		const first = await execute(workflow);
		// Each retry runs the agent again, which counts its calls from the same number.
		const callAgain: Parameters<typeof retry>[2] = (stored) => {
			delete stored.resultData.runData[TESTED_NODE];
			const data = { main: [[{ json: { calls } }]] };
			stored.executionData!.nodeExecutionStack.push({ node, data, source: null });
		};
		for (let times = 0; times < 2; times++) {
			await advance(1_000);
			const { json } = await retry(first, undefined, callAgain);
			expect(json.map(({ job_id }) => job_id)).toEqual(jobIds().slice(-calls));
		}
		expect(sandbox.state.jobs).toHaveLength(3 * calls);
		await advance(1_000);
		// Two retries at once take no turns.
		const both = [1, 2].map(() => startRetry(first, undefined, callAgain).finished);
		await until(Promise.all(both));
		expect(sandbox.state.jobs).toHaveLength(5 * calls);
	},
);

it('a retry that recalls many items while another one ends creates no job of it again', async () => {
	sandbox.faults.add({ match: 'keyword 0.', times: 1, fault: status(402) });
	const failed = await execute(ONE_BY_ONE, keywords(2));
	sandbox.faults.add({ fault: { kind: 'delay', ms: 100 } });
	const workflow = workflowOf({ ...CREATE, options: { concurrency: 2 } }, keywords(2));
	const first = startRetry(failed, workflow).finished;
	await until(() => sandbox.requests.length === 3);
	const { recall } = Ledger.prototype;
	jest.spyOn(Ledger.prototype, 'recall').mockImplementation(function (this: Ledger, identity) {
		const known = recall.call(this, identity);
		// As long as the first retry takes.
		beBusy(100);
		return known;
	});
	await until(Promise.all([first, startRetry(failed, workflow).finished]));
	expect(created()).toHaveLength(2);
});

describe('two retries of an execution share only the run that n8n stored with it:', () => {
	it('what a later node does is its own, although its input looks alike', async () => {
		const { nodes, connections, ...workflow } = workflowOf(ADD, domains(2));
		const later: INode = {
			...nodes[1]!,
			id: 'later',
			name: 'Later',
			parameters: { ...ONE_BY_ONE, keyword: '={{ $itemIndex }}' },
		};
		const both = {
			...workflow,
			nodes: [...nodes, later],
			connections: {
				...connections,
				[TESTED_NODE]: to('Later'),
			},
		};
		sandbox.faults.add({ match: 'site-1.', times: 1, fault: status(500) });
		const failed = await execute(both);
		for (let times = 0; times < 2; times++) await retry(failed);
		expect(sandbox.requests.filter(({ carriedOut }) => carriedOut)).toHaveLength(2 + 4);
	});

	it.each([
		['one after the other', false, 6 + 2],
		['at once, where the other one says so', true, 6],
	])('a later pass of a loop: %s', async (_when, isAtOnce, jobs) => {
		const keyword = '={{ $runIndex + " " + $("Start").all()[$itemIndex].json.keyword }}';
		const parameters = { ...ONE_BY_ONE, keyword };
		const workflow = inThreePasses(workflowOf(parameters, keywords(2)));
		sandbox.faults.add({ match: '1 keyword 1.', times: 1, fault: status(500) });
		const failed = await execute(workflow);
		expect(created()).toHaveLength(3);
		sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
		const retry = async () =>
			(await startRetry(failed).finished).error?.message.replace(/ \(paid.*/, '');
		const [first, second] = isAtOnce
			? await until(Promise.all([retry(), retry()]))
			: [await until(retry()), await until(retry())];
		expect(first).toBeUndefined();
		expect(second).toBe(isAtOnce ? OTHER_RETRY : undefined);
		expect(new Set(created()).size).toBe(6);
		expect(created()).toHaveLength(jobs);
	});
});

describe('a different request is sent', () => {
	/** Fails at the third of four items; returns the workflow and its run. */
	async function failed(groupName = 'first') {
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(400) });
		const workflow = workflowOf(grouped(groupName), keywords(4));
		const end = await execute(workflow);
		expect(sandbox.state.jobs).toHaveLength(2);
		return { workflow, end };
	}

	it('for a changed input item', async () => {
		const { workflow, end } = await failed();
		await retry(end, workflow, ({ executionData }) => {
			const [items] = executionData!.nodeExecutionStack[0]!.data.main!;
			(items![1]!.json as IDataObject).keyword = 'changed';
		});
		expect(created()).toEqual(['keyword 0.', 'keyword 1.', 'changed', 'keyword 2.', 'keyword 3.']);
	});
});

describe('a failure that the service itself reports', () => {
	const REPORTED: Array<[code: number, fault: Fault]> = [500, 501, 503, 505].map((code) => [
		code,
		status(code, { carryOut: true, body: { message: 'Out of memory' } }),
	]);

	it.each(REPORTED)('of a job (%d) is not sent again by Retry On Fail', async (code, fault) => {
		sandbox.faults.add({ match: 'keyword 0.', times: 1, fault });
		const settings = { ...RETRY_ON_FAIL, maxTries: 3 };
		const { error } = await execute(ONE_BY_ONE, keywords(3), settings);
		expect(created()).toEqual(['keyword 0.', 'keyword 1.', 'keyword 2.']);
		expect(error?.message).toMatch(NOT_SENT_AGAIN);
		expect(error?.httpCode).toBe(String(code));
		expect(error?.description).toContain('The service says: "Out of memory".');
		expect(error?.description).toContain('may have been carried out.');
		// A retry, which a person selects, sends it.
		expect(error?.description).toContain(
			'Otherwise: save, and within 14 days open "Executions" > execution 1 of',
		);
	});

	it("is sent by n8n's Retry button, but in its own tries not again", async () => {
		sandbox.faults.add({ match: 'keyword 1.', times: 2, fault: status(500, { carryOut: true }) });
		const failed = await execute(ONE_BY_ONE, keywords(3), RETRY_ON_FAIL);
		expect(created()).toEqual(['keyword 0.', 'keyword 1.', 'keyword 2.']);
		const retried = await retry(failed);
		expect(retried.error?.message).toMatch(NOT_SENT_AGAIN);
		expect(created()).toEqual(['keyword 0.', 'keyword 1.', 'keyword 2.', 'keyword 1.']);
		expect((await retry(retried)).error).toBeUndefined();
	});

	it.each([400, 500])(
		'is not sent again beside a second retry that begins between its tries, after a %d',
		async (before) => {
			const workflow = workflowOf(ONE_BY_ONE, keywords(3), RETRY_LATER);
			sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: status(before) });
			const failed = await execute(ONE_BY_ONE, keywords(3));
			// Each of the two retries meets it once, and neither of them in its second try.
			sandbox.faults.add({ match: 'keyword 1.', times: 2, fault: status(500, { carryOut: true }) });
			const first = startRetry(failed, workflow).finished;
			await afterFirstAttempt(3);
			const second = startRetry(failed, workflow).finished;
			const ends = await until(Promise.all([first, second]));
			expect(created()).toEqual(['keyword 0.', 'keyword 1.', 'keyword 1.', 'keyword 2.']);
			for (const { error } of ends) expect(error?.message).toMatch(NOT_SENT_AGAIN);
		},
	);

	it('is sent again by Retry On Fail if it is a value: one that comes twice is one more request', async () => {
		sandbox.faults.add({ match: 'site-1.', times: 1, fault: status(500) });
		for (const parameters of [ADD, { ...ADD_MANY, options: { concurrency: 1 } }]) {
			expect((await execute(parameters, domains(3), RETRY_ON_FAIL)).error).toBeUndefined();
		}
	});

	it('is counted once if the next attempt is refused', async () => {
		sandbox.faults.add({ match: 'keyword 1.', fault: status(500) });
		const { finished } = start(ONE_BY_ONE, keywords(3), RETRY_LATER);
		await afterFirstAttempt(2);
		owner.apiKey = '';
		const { error } = await until(finished);
		expect(error?.message).toBe('"API Key" in the credential is empty (paid: 1 of 3 jobs)');
		expect(error?.description).toMatch(
			/^Enter it, or check .* looks up\.<br><br><b>Created and paid: 1 of 3 jobs\..*Look in your account for Item 1 .* Otherwise: /,
		);
		expect(error?.context.data).toEqual([{ job_id: jobIds()[0], keyword: 'keyword 0.' }]);
	});
});

it("a GET, which costs nothing, is sent again by n8n's Retry button", async () => {
	sandbox.faults.add({ fault: { kind: 'drop' } });
	const failed = await execute(USAGE, keywords(2));
	expect(failed.error).toBeDefined();
	sandbox.faults.clear();
	sandbox.state.remaining = 7;
	const { json } = await retry(failed);
	expect(json.map(({ remaining }) => remaining)).toEqual([7, 7]);
});
