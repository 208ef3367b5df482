import { setTimeout as sleep } from 'node:timers/promises';

import { ExecuteSingleContext } from 'n8n-core';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { useSandbox } from '../support/account';
import {
	retryWorkflow,
	runWorkflow,
	startWorkflow,
	workflowOf,
	type Account,
} from '../support/engine';
import { status } from '../support/faults';
import {
	ADD,
	ADD_MANY,
	CREATE,
	DELETE,
	domains,
	keywords,
	listNamed,
	USAGE,
} from '../support/parameters';
import { useQuickTimeouts } from '../support/quickTimeouts';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { until } from '../support/until';

const account = useSandbox();

afterEach(() => jest.restoreAllMocks());

/** Expressions with a different value each time. */
const VOLATILE = [
	'={{ $now.toISO() }}',
	'={{ Math.random() }}',
	'={{ $execution.id + Date.now() }}',
];

const grouped = (groupName: string): INodeParameters => ({ ...CREATE, groupName });
const jobIds = () => account().sandbox.state.jobs.map(({ job_id }) => job_id);

it('what may have been carried out is told with what the service said then', async () => {
	const { sandbox, account: owner } = account();
	const body = { message: 'Job created', data: { id: 'paid-1' } };
	sandbox.faults.add({ times: 1, fault: { kind: 'json', body } });
	const { error } = await runWorkflow(workflowOf(CREATE, keywords(1), RETRY_ON_FAIL), owner);
	expect(error?.message).toBe(
		'Not sent again: the request may have been carried out in an earlier attempt',
	);
	expect(error?.description).toContain('What happened then: The response does not match');
	expect(error?.description).toContain('The service says: "Job created {"data":{"id":"paid-1"}}".');
	expect(sandbox.requests).toHaveLength(1);
});

describe('a parameter that differs between attempts', () => {
	it.each(VOLATILE)('Retry On Fail creates each job once with the group %s', async (group) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 3.', times: 1, fault: status(500) });
		const { json, error } = await runWorkflow(
			workflowOf(grouped(group), keywords(5), RETRY_ON_FAIL),
			owner,
		);
		expect(error).toBeUndefined();
		expect(sandbox.state.jobs).toHaveLength(5);
		expect(new Set(sandbox.state.jobs.map(({ keyword }) => keyword)).size).toBe(5);
		expect(json.map(({ job_id }) => job_id)).toEqual(jobIds());
		expect(sandbox.requests).toHaveLength(6);
	});

	it('Retry On Fail does so with Continue when the first item failed', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 0.', times: 1, fault: status(500) });
		const settings = { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' as const };
		await runWorkflow(workflowOf(grouped(VOLATILE[0]!), keywords(4), settings), owner);
		expect(sandbox.state.jobs).toHaveLength(4);
	});

	// The engine here is n8n's legacy one for expressions.
	it.each([
		"={{ $json.n = ($json.n ?? 0) + 1, 'k' + $json.n }}",
		'={{ Object.assign($json, { t: Math.random() }).t }}',
		'={{ $json.words.pop() }}',
	])(
		'Retry On Fail creates each job once with an expression that changes the item: %s',
		async (keyword) => {
			const { sandbox, account: owner } = account();
			sandbox.faults.add({ skip: 1, times: 1, fault: status(500) });
			const items = [1, 2].map((item) => ({ words: [...'abcdefgh'].map((word) => word + item) }));
			const { error } = await runWorkflow(
				workflowOf({ ...CREATE, keyword }, items, RETRY_ON_FAIL),
				owner,
			);
			expect(error).toBeUndefined();
			expect(sandbox.state.jobs).toHaveLength(2);
		},
	);

	// A limit that docs/reliability.md describes: n8n stores the changed item.
	it("n8n's Retry button sends again with an expression that changed the stored item", async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ skip: 1, times: 1, fault: status(400) });
		const items = [1, 2].map((item) => ({ words: [...'abcdefgh'].map((word) => word + item) }));
		const workflow = workflowOf({ ...CREATE, keyword: '={{ $json.words.pop() }}' }, items);
		const failed = await runWorkflow(workflow, owner);
		expect(sandbox.state.jobs).toHaveLength(1);
		const { error } = await retryWorkflow(workflow, failed, owner);
		expect(error).toBeUndefined();
		expect(sandbox.state.jobs).toHaveLength(3);
	});

	it("n8n's Retry button creates each job once", async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 3.', times: 1, fault: status(400) });
		const workflow = workflowOf(grouped(VOLATILE[1]!), keywords(5));
		const failed = await runWorkflow(workflow, owner);
		expect(failed.error?.httpCode).toBe('400');
		expect(sandbox.state.jobs).toHaveLength(3);
		const { json, error } = await retryWorkflow(workflow, failed, owner);
		expect(error).toBeUndefined();
		expect(sandbox.state.jobs).toHaveLength(5);
		expect(json.map(({ job_id }) => job_id)).toEqual(jobIds());
	});

	it('Add Many Items adds each value once, although the name of its blacklist differs each time', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'site-3.', times: 1, fault: status(500) });
		const items = domains(5);
		const blacklist = listNamed('={{ "list " + Math.random() }}');
		const parameters = { ...ADD_MANY, blacklist, options: { concurrency: 1 } };
		const { error } = await runWorkflow(workflowOf(parameters, items, RETRY_ON_FAIL), owner);
		expect(error).toBeUndefined();
		const added = [...sandbox.state.blacklists.values()].flatMap((list) => [...list.values()]);
		expect(added.map(({ value }) => value).sort()).toEqual(items.map(({ value }) => value));
		expect(sandbox.requests).toHaveLength(6);
	});

	it.each<[string, Fault]>([
		['a broken connection', { kind: 'drop', carryOut: true }],
		['half a response', { kind: 'truncated', carryOut: true }],
		['a 502', status(502, { carryOut: true })],
	])('does not send again after %s, with a volatile group', async (_what, fault) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1.', times: 1, fault });
		const workflow = workflowOf(grouped(VOLATILE[1]!), keywords(3), RETRY_ON_FAIL);
		const failed = await runWorkflow(workflow, owner);
		expect(failed.error?.message).toMatch(/^Not sent again/);
		expect(sandbox.state.jobs).toHaveLength(2);

		// The stored execution remembers it, too.
		const { error } = await retryWorkflow(workflow, failed, owner);
		expect(error?.message).toMatch(/^Not sent again/);
		expect(sandbox.state.jobs).toHaveLength(2);
		expect(sandbox.requests).toHaveLength(2);
	});

	it("remembers an unknown outcome through n8n's Retry button", async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: { kind: 'drop', carryOut: true } });
		const workflow = workflowOf(grouped(VOLATILE[0]!), keywords(3));
		const failed = await runWorkflow(workflow, owner);
		expect(failed.error?.description).toContain('may have been carried out');
		const { error } = await retryWorkflow(workflow, failed, owner);
		expect(error?.message).toMatch(/^Not sent again/);
		expect(sandbox.state.jobs).toHaveLength(2);
		expect(sandbox.requests).toHaveLength(2);
	});
});

/** How an execution fails: at which job, with which status. */
interface Failing {
	settings?: Partial<INode>;
	options?: INodeParameters;
	job?: number;
	statusCode?: number;
}

describe("n8n's Retry button, used twice on the same execution,", () => {
	const jobsOnce = (count: number) =>
		expect(
			account()
				.sandbox.state.jobs.map(({ keyword }) => keyword)
				.sort(),
		).toEqual(keywords(count).map(({ keyword }) => keyword));

	/** An execution that has failed at one of its jobs, and its Retry button. */
	async function fail(
		count: number,
		{ settings = {}, options = {}, job = 1, statusCode = 500 }: Failing = {},
	) {
		const { sandbox, account: owner } = account();
		const workflow = workflowOf({ ...CREATE, options }, keywords(count), settings);
		const times = settings.maxTries ?? 1;
		sandbox.faults.add({ match: `keyword ${job}.`, times, fault: status(statusCode) });
		const failed = await runWorkflow(workflow, owner);
		return { sandbox, retry: async () => await retryWorkflow(workflow, failed, owner) };
	}

	it('creates each job once, although n8n passes the same stored data each time', async () => {
		const { sandbox, retry } = await fail(6);
		sandbox.faults.add({ match: 'keyword 4.', times: 1, fault: status(500) });
		expect((await retry()).error).toBeDefined();
		const { json } = await retry();
		expect(json.map(({ job_id }) => job_id).sort()).toEqual(jobIds().sort());
		jobsOnce(6);
	});

	it.each([400, 401, 402])(
		'creates each job once if none was created before a %i',
		async (code) => {
			const { sandbox, retry } = await fail(3, { job: 0, statusCode: code });
			expect(sandbox.state.jobs).toEqual([]);
			await retry();
			const { json } = await retry();
			expect(json.map(({ job_id }) => job_id)).toEqual(jobIds());
			jobsOnce(3);
		},
	);

	it('does not repeat an unknown outcome of the first retry', async () => {
		const { sandbox, retry } = await fail(3);
		sandbox.faults.add({ match: 'keyword 1.', fault: { kind: 'drop', carryOut: true } });
		await retry();
		const { error } = await retry();
		expect(error?.message).toMatch(/^Not sent again: /);
		jobsOnce(2);
	});

	it('creates each job once if both run at the same time', async () => {
		const { sandbox, retry } = await fail(6);
		sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
		const ends = await Promise.all([retry(), retry()]);
		expect(ends.map(({ error }) => error?.message).sort()).toEqual([
			'Not sent: another retry of this execution has already sent it',
			undefined,
		]);
		jobsOnce(6);
	});

	it('creates each job once if both run at the same time, with Retry On Fail', async () => {
		const { sandbox, retry } = await fail(3, {
			settings: RETRY_ON_FAIL,
			options: { concurrency: 1 },
		});
		// The second retry tries again while the job of the first is in flight.
		sandbox.faults.add({ fault: { kind: 'delay', ms: 300 } });
		await Promise.all([retry(), retry()]);
		jobsOnce(3);
	});

	it('does not repeat an unknown outcome if both run at the same time', async () => {
		const { sandbox, retry } = await fail(2);
		sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
		sandbox.faults.add({ match: 'keyword 1.', fault: { kind: 'drop', carryOut: true } });
		const ends = await Promise.all([retry(), retry()]);
		expect(ends.map(({ error }) => error?.message).sort()).toEqual([
			'Not sent: another retry of this execution has already sent it',
			'The connection to the service broke before the response was complete',
		]);
		jobsOnce(2);
	});
});

it('what was done is remembered if the execution is cancelled while the credential is read', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: status(500) });
	const workflow = workflowOf(CREATE, keywords(2), { ...RETRY_ON_FAIL, waitBetweenTries: 500 });
	const { finished, cancel } = startWorkflow(workflow, owner);
	await until(() => sandbox.requests.filter(({ endedAt }) => endedAt).length === 2);
	jest.spyOn(ExecuteSingleContext.prototype, 'getCredentials').mockImplementation(async () => {
		cancel();
		await sleep(50);
		return owner as never;
	});
	const cancelled = await finished;
	await sleep(100);
	expect(sandbox.requests).toHaveLength(2);
	const { contextData } = cancelled.run.data.executionData!;
	expect(JSON.stringify(contextData)).toContain(jobIds()[0]);
});

describe('an unknown outcome is reported in every attempt', () => {
	const several = { ...CREATE, options: { concurrency: 3 } };
	const dropped: Fault = { kind: 'drop', carryOut: true };

	it.each<[string, string, (owner: Account) => void]>([
		['the key is removed', '"API Key" in the credential is empty', (owner) => (owner.apiKey = '')],
		[
			'the Base URL is removed',
			'"Base URL" in the credential is empty',
			(owner) => (owner.baseUrl = ''),
		],
		[
			'the credential cannot be read',
			'The database does not respond',
			() =>
				jest
					.spyOn(ExecuteSingleContext.prototype, 'getCredentials')
					.mockRejectedValue(new Error('The database does not respond')),
		],
	])('and the jobs of an earlier one are returned, even if %s', async (_what, message, change) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 0.', fault: status(500) });
		sandbox.faults.add({ match: 'keyword 2.', fault: dropped });
		const settings = { ...RETRY_ON_FAIL, ...CONTINUE, waitBetweenTries: 500 };
		const ends = runWorkflow(workflowOf(CREATE, keywords(3), settings), owner);
		await until(() => sandbox.requests.filter(({ endedAt }) => endedAt).length === 3);
		change(owner);
		const { outputs } = await ends;
		expect(outputs[0]!.map(({ json: { job_id } }) => job_id)).toEqual([
			sandbox.state.jobs[0]!.job_id,
		]);
		expect(outputs[1]!.map(({ json: { error } }) => error)).toEqual([
			message,
			'Not sent again: the request may have been carried out in an earlier attempt',
		]);
	});

	it('for several requests in flight, with Retry On Fail', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ times: 3, fault: dropped });
		const { error } = await runWorkflow(workflowOf(several, keywords(5), RETRY_ON_FAIL), owner);
		expect(sandbox.state.jobs).toHaveLength(3);
		expect(error?.message).toMatch(/^Not sent again/);
		expect(error?.context.itemIndex).toBe(0);
		expect(error?.description).toContain('3 failed, 2 were not started');
		expect(error?.description).toMatch(/Item 1: Not sent again.*Item 2: Not sent again/);
	});

	it("with n8n's Retry button", async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ times: 3, fault: dropped });
		const workflow = workflowOf(several, keywords(5));
		const failed = await runWorkflow(workflow, owner);
		const { error } = await retryWorkflow(workflow, failed, owner);
		expect(sandbox.state.jobs).toHaveLength(3);
		expect(error?.description).toMatch(/Item 1: Not sent again.*Item 2: Not sent again/);
	});

	it('even if an earlier item ends the run', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'delay', ms: 30 } });
		sandbox.faults.add({ match: 'keyword 0.', fault: status(400) });
		sandbox.faults.add({ match: 'keyword 2.', fault: dropped });
		const { error } = await runWorkflow(workflowOf(several, keywords(5), RETRY_ON_FAIL), owner);
		expect(sandbox.state.jobs).toHaveLength(2);
		expect(error?.httpCode).toBe('400');
		expect(error?.description).toContain('1 was done');
		expect(error?.description).toMatch(/Item 2: Not sent again/);
	});

	it('by Add Many Items', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ times: 3, fault: dropped });
		const parameters = { ...ADD_MANY, options: { concurrency: 3 } };
		const items = domains(5);
		const { error } = await runWorkflow(workflowOf(parameters, items, RETRY_ON_FAIL), owner);
		expect(sandbox.state.blacklists.get('customers')!.size).toBe(3);
		for (const { value } of items.slice(1, 3)) {
			expect(error?.description).toContain(`"${String(value)}": Not sent again`);
		}
	});
});

describe('a different request is sent', () => {
	/** Fails at the third of four items; returns the workflow and its run. */
	async function failed(groupName = 'first') {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(400) });
		const workflow = workflowOf(grouped(groupName), keywords(4));
		const end = await runWorkflow(workflow, owner);
		expect(sandbox.state.jobs).toHaveLength(2);
		return { workflow, end };
	}

	it('after a change of the entered parameters', async () => {
		const { sandbox, account: owner } = account();
		const { end } = await failed();
		await retryWorkflow(workflowOf(grouped('second'), keywords(4)), end, owner);
		expect(sandbox.state.jobs.map(({ group_name }) => group_name)).toEqual([
			...Array(2).fill('first'),
			...Array(4).fill('second'),
		]);
	});

	it('but not after a change of Concurrency or Request Options', async () => {
		const { sandbox, account: owner } = account();
		const { end } = await failed();
		const parameters = { ...grouped('first'), options: { concurrency: 2 } };
		await retryWorkflow(workflowOf(parameters, keywords(4)), end, owner);
		expect(sandbox.state.jobs).toHaveLength(4);
	});

	it('for a changed input item', async () => {
		const { sandbox, account: owner } = account();
		const { workflow, end } = await failed();
		await retryWorkflow(workflow, end, owner, ({ executionData }) => {
			const [items] = executionData!.nodeExecutionStack[0]!.data.main!;
			(items![1]!.json as IDataObject).keyword = 'changed';
		});
		expect(sandbox.state.jobs.map(({ keyword }) => keyword)).toEqual([
			'keyword 0.',
			'keyword 1.',
			'changed',
			'keyword 2.',
			'keyword 3.',
		]);
	});

	it('by Add Many Items for a changed input item', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'b.example', times: 1, fault: status(500) });
		const blacklist = listNamed('={{ $json.list }}');
		const workflow = workflowOf({ ...ADD_MANY, blacklist, options: { concurrency: 1 } }, [
			{ list: 'wrong', values: 'a.example' },
			{ list: 'right', values: 'b.example' },
		]);
		const end = await runWorkflow(workflow, owner);
		await retryWorkflow(workflow, end, owner, ({ executionData }) => {
			const [items] = executionData!.nodeExecutionStack[0]!.data.main!;
			items![0]!.json.list = 'right';
		});
		expect(sandbox.state.blacklists.get('right')!.size).toBe(2);
	});

	it('with another credential', async () => {
		const { sandbox, account: owner } = account();
		const { workflow, end } = await failed();
		const other = structuredClone(workflow);
		other.nodes[1]!.credentials!.businessListingSearchApi!.id = '2';
		await retryWorkflow(other, end, owner);
		expect(sandbox.state.jobs).toHaveLength(2 + 4);
	});

	it('with another Base URL in the same credential', async () => {
		const { sandbox, account: owner } = account();
		const { workflow, end } = await failed();
		const moved = { ...owner, baseUrl: owner.baseUrl.replace('127.0.0.1', 'localhost') };
		await retryWorkflow(workflow, end, moved);
		expect(sandbox.state.jobs).toHaveLength(2 + 4);
	});
});

describe('an execution that version 1.0.0 began', () => {
	const values = domains(3).map(({ value }) => value);

	/** Retries an execution of which version 1.0.0 carried out the first item, in its first run. */
	async function retryOf(parameters: INodeParameters, run = 0, settings = {}) {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ skip: 1, times: 2, fault: status(500) });
		const items = keywords(3).map((item, index) => ({ ...item, value: values[index] }));
		const workflow = workflowOf(parameters, items, settings);
		const failed = await runWorkflow(workflow, owner);
		sandbox.faults.clear();
		const before = sandbox.requestCount;
		const done = { '0': 'Dv2nXq8aPzE[{"job_id":"1"}]' };
		const result = await retryWorkflow(workflow, failed, owner, ({ executionData }) => {
			const { contextData } = executionData!;
			for (const context of Object.values(contextData)) {
				context.businessListingSearch = { run, account: owner.baseUrl, done };
			}
		});
		return { ...result, sent: sandbox.requestCount - before };
	}

	it.each([
		['Job: Create', CREATE],
		['Add Item', ADD],
		['Add Many Items', { ...ADD_MANY, options: { concurrency: 1 } }],
		['Blacklist: Delete', DELETE],
	])('is not sent again by %s', async (_what, parameters) => {
		const { error, sent } = await retryOf(parameters);
		expect(sent).toBe(0);
		expect(error).toMatchObject({
			message:
				'Not sent: version 1.0.0 of this node began this execution, and part of it may be done',
			description: expect.stringMatching(
				/^Check your account, then start a new execution for what is missing\./,
			),
		});
	});

	it('goes on with the next pass of a loop, which is a run of its own', async () => {
		const { error, json, sent } = await retryOf({ ...ADD_MANY, options: { concurrency: 1 } }, 5);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ added: 3 }]);
		expect(sent).toBe(3);
	});
});

describe('a failure that the service itself reports', () => {
	it('is sent again by Retry On Fail even if it was carried out, and the message says so', async () => {
		const { sandbox, account: owner } = account();
		const fault = status(500, { carryOut: true });
		sandbox.faults.add({ times: 1, fault });
		const { error } = await runWorkflow(workflowOf(CREATE, [{}], RETRY_ON_FAIL), owner);
		expect(error).toBeUndefined();
		expect(sandbox.state.jobs).toHaveLength(2);

		sandbox.faults.add({ times: 1, fault });
		const alone = await runWorkflow(workflowOf(CREATE), owner);
		expect(alone.error?.description).toContain(
			'The service does not document whether it carried out the request: check your account. Retry On Fail sends it again.',
		);
	});

	it('is counted once if the next attempt is refused', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1.', fault: status(500) });
		const settings = { ...RETRY_ON_FAIL, waitBetweenTries: 500 };
		const ends = runWorkflow(workflowOf(CREATE, keywords(3), settings), owner);
		await until(() => sandbox.requests.filter(({ endedAt }) => endedAt).length === 2);
		owner.apiKey = '';
		const { error } = await ends;
		expect(error?.message).toBe('"API Key" in the credential is empty');
		expect(error?.description).toMatch(
			/ 1 was done \(job_id: .+\), 1 failed, 1 was not started\.$/,
		);
	});

	it('no longer counts as failed when the next attempt carries it out', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: status(500) });
		sandbox.faults.add({ match: 'keyword 2.', fault: status(400) });
		const { error } = await runWorkflow(workflowOf(CREATE, keywords(4), RETRY_ON_FAIL), owner);
		expect(error?.httpCode).toBe('400');
		expect(error?.description).toMatch(/ 2 were done \(.+\), 1 failed, 1 was not started\.$/);
	});

	it.each([501, 503, 505])('also with %i', async (code) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ times: 1, fault: status(code) });
		const { error } = await runWorkflow(workflowOf(ADD, [{}], RETRY_ON_FAIL), owner);
		expect(error).toBeUndefined();
		expect(sandbox.requests).toHaveLength(2);
	});
});

describe('a GET, which costs nothing,', () => {
	useQuickTimeouts(20);

	it.each<[string, Fault]>([
		['rejected', status(400)],
		['broken off', { kind: 'drop' }],
	])("is sent again by n8n's Retry button for every item after one was %s", async (_how, fault) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ skip: 1, fault });
		const workflow = workflowOf(USAGE, keywords(2));
		const failed = await runWorkflow(workflow, owner);
		expect(failed.error).toBeDefined();
		sandbox.faults.clear();
		sandbox.state.remaining = 7;
		const { json } = await retryWorkflow(workflow, failed, owner);
		expect(json.map(({ remaining }) => remaining)).toEqual([7, 7]);
	});
});
