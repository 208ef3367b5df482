/** What is done is done: a retry of an execution sends nothing of it again, whatever was changed in between. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { advance, until } from '../../support/clock';
import {
	additionalDataFor,
	inThreePasses,
	workflowOf,
	type EngineRun,
	type TestWorkflow,
} from '../../support/engine';
import { status } from '../../support/faults';
import {
	ADD,
	ADD_MANY,
	CREATE,
	domains,
	keywords,
	listNamed,
	ONE_BY_ONE,
} from '../../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../../support/settings';
import { useEngine } from '../../support/useEngine';
import { inLoop, NODE_TYPE, TESTED_NODE, to } from '../../support/workflowOf';

const { sandbox, owner, execute, retry, start, startRetry } = useEngine({ remaining: 1_000 });
const OTHER_RETRY = 'Not sent: another retry of this execution is in progress';

const created = () => sandbox.state.jobs.map(({ keyword }) => keyword);
const values = () =>
	sandbox.requests
		.filter(({ carriedOut }) => carriedOut)
		.map(({ path, body }) => [path.split('/').at(-1), (body as IDataObject).value].join(' '));

/** The workflow as a person has changed it before a retry. */
function changed(workflow: TestWorkflow, parameters: INodeParameters, credential = '1') {
	const copy = structuredClone(workflow);
	for (const node of copy.nodes.filter(({ name }) => name === TESTED_NODE)) {
		node.parameters = { ...node.parameters, ...parameters };
		node.credentials!.businessListingSearchApi!.id = credential;
	}
	return copy;
}

/** Another address of the same service. */
const elsewhere = () => sandbox.address.replace('127.0.0.1', 'localhost');

/** Fails at the third of four jobs, with 402 unless told otherwise. */
async function failed(
	fault = status(402),
	settings: Partial<INode> = {},
): Promise<{ workflow: TestWorkflow; end: EngineRun }> {
	const times = settings.retryOnFail ? 2 : 1;
	sandbox.faults.add({ match: 'keyword 2.', times, fault });
	const workflow = workflowOf(ONE_BY_ONE, keywords(4), settings);
	const end = await execute(workflow);
	expect(end.error).toBeDefined();
	return { workflow, end };
}

const NEW_FIELDS = {
	keyword: '={{ $json.keyword + "!" }}',
	groupName: 'new',
	filters: { minRating: 4 },
};

describe('a job that was created', () => {
	it.each<[what: string, parameters: INodeParameters, credential: string, isMoved: boolean]>([
		['another keyword, group and filter', NEW_FIELDS, '1', false],
		['another option', { options: { concurrency: 2 } }, '1', false],
		['another credential', {}, '2', false],
		['another Base URL', {}, '1', true],
		['all of them', NEW_FIELDS, '2', true],
	])('is returned by a retry with %s; the rest is sent as the form is now', async (...row) => {
		const [, parameters, credential, isMoved] = row;
		const { workflow, end } = await failed();
		const first = sandbox.state.jobs.map(({ job_id }) => job_id);
		if (isMoved) owner.baseUrl = elsewhere();
		const { json, error } = await retry(end, changed(workflow, parameters, credential));
		expect(error).toBeUndefined();
		const sign = parameters.keyword ? '!' : '';
		expect(created()).toEqual([
			...['keyword 0.', 'keyword 1.'],
			...[`keyword 2.${sign}`, `keyword 3.${sign}`],
		]);
		expect(json.slice(0, 2).map(({ job_id }) => job_id)).toEqual(first);
		expect(sandbox.state.jobs.map(({ group_name }) => group_name).slice(2)).toEqual(
			Array(2).fill(parameters.groupName ?? 'API'),
		);
	});

	type Changes = [parameters: INodeParameters, credential: string];
	const ORIGINAL: Changes = [{}, '1'];
	const SAVED: Changes = [NEW_FIELDS, '1'];
	const OTHER: Changes = [NEW_FIELDS, '2'];
	it.each<[what: string, ...both: Changes[]]>([
		['original, then saved', ORIGINAL, SAVED],
		['saved, then original', SAVED, ORIGINAL],
		['saved, then another credential', SAVED, OTHER],
	])('is not sent by the second of two retries of one execution: %s', async (_what, ...both) => {
		const { workflow, end } = await failed();
		for (const [parameters, credential] of both) {
			const { json, error } = await retry(end, changed(workflow, parameters, credential));
			expect(error).toBeUndefined();
			expect(json).toHaveLength(4);
		}
		expect(created()).toHaveLength(4);
	});

	it('is sent by one of two retries at once, with different fields and credentials', async () => {
		const { workflow, end } = await failed();
		sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
		const both = [changed(workflow, {}), changed(workflow, NEW_FIELDS, '2')].map(
			(each) => startRetry(end, each).finished,
		);
		const errors = (await until(Promise.all(both))).map(({ error }) => error?.message);
		expect(errors.filter((message) => message === undefined)).toHaveLength(1);
		expect(errors.find((message) => message !== undefined)).toMatch(OTHER_RETRY);
		expect(created()).toHaveLength(4);
	});

	it.each([5, 20, 30, 50])(
		'is not sent by a second retry that reads its credential while the first one ends (%d ms)',
		async (milliseconds) => {
			const { workflow, end } = await failed();
			sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
			const first = startRetry(end);
			await advance(60);
			const { credentialsHelper } = additionalDataFor(workflow, owner);
			const read = credentialsHelper.getDecrypted.bind(credentialsHelper);
			credentialsHelper.getDecrypted = async (...of) => {
				await new Promise((resolve) => setTimeout(resolve, milliseconds));
				return await read(...of);
			};
			const second = startRetry(end, workflow, undefined, { credentialsHelper });
			await until(Promise.all([first.finished, second.finished]));
			expect(created()).toHaveLength(4);
		},
	);

	it('is not sent after Retry On Fail, and then a retry with everything changed', async () => {
		const { workflow, end } = await failed(status(402), RETRY_ON_FAIL);
		owner.baseUrl = elsewhere();
		await retry(end, changed(workflow, NEW_FIELDS, '2'));
		expect(created()).toEqual(['keyword 0.', 'keyword 1.', 'keyword 2.!', 'keyword 3.!']);
	});

	it('is not sent, nor what is unknown, whatever is changed; the latter leaves by the error output', async () => {
		const { workflow, end } = await failed(status(504, { carryOut: true }));
		const all = changed(workflow, NEW_FIELDS, '2');
		owner.baseUrl = elsewhere();
		const again = await retry(end, all);
		owner.baseUrl = sandbox.address;
		expect(again.error?.message).toMatch(/^Not sent again/);
		for (const node of all.nodes) Object.assign(node, CONTINUE);
		const { outputs, error } = await retry(again, all);
		expect(error).toBeUndefined();
		expect(outputs.map(({ length }) => length)).toEqual([3, 1]);
		expect(outputs[1]![0]!.json).toMatchObject({
			keyword: 'keyword 2.',
			message: expect.stringContaining('may have been carried out'),
		});
		expect(created()).toEqual(['keyword 0.', 'keyword 1.', 'keyword 2.', 'keyword 3.!']);
		expect(sandbox.requests).toHaveLength(4);
	});

	it('is not taken for the result of another operation, nor forgotten after it', async () => {
		const { workflow, end } = await failed();
		sandbox.faults.add({ match: 'site-3.', times: 1, fault: status(402) });
		const value = '={{ "site-" + $itemIndex + ".example.com" }}';
		const add = changed(workflow, { ...ADD, value, options: { concurrency: 1 } });
		const added = await retry(end, add);
		expect(added.error?.message).toContain('(done: 3 of 4 values)');
		expect(sandbox.state.blacklists.get('customers')?.size).toBe(3);
		const { json } = await retry(added, workflow);
		expect(json).toHaveLength(4);
		expect(created()).toHaveLength(4);
	});

	it('is not sent after a retry with "Dry Run" on, which sends nothing', async () => {
		const { workflow, end } = await failed();
		const dry = await retry(end, changed(workflow, { options: { dryRun: true } }));
		expect(dry.error?.message).toMatch(/"Dry Run" is on in a retry/);
		expect(sandbox.requests).toHaveLength(3);
		expect((await retry(dry, workflow)).json).toHaveLength(4);
		expect(created()).toHaveLength(4);
	});

	it('in a pass of a loop is done in that pass alone, whatever is changed', async () => {
		// Three of three items, also of equal ones, and then one more in each pass.
		const of = (keyword: string) => `={{ "${keyword} " + ($itemIndex % 2) }}`;
		const items = [{ a: 1 }, { a: 2 }, { a: 3 }];
		const workflow = inThreePasses(workflowOf({ ...ONE_BY_ONE, keyword: of('same') }, items));
		sandbox.faults.add({ skip: 3, times: 1, fault: status(402) });
		const end = await execute(workflow);
		expect(created()).toEqual(['same 0', 'same 1', 'same 0']);
		const { error } = await retry(end, changed(workflow, { keyword: of('new') }, '2'));
		expect(error).toBeUndefined();
		expect(created().slice(3)).toEqual(['new 1', 'new 0', 'new 1']);
	});

	it('belongs to its node: two with the same input have each their own', async () => {
		const keyword = '={{ $itemIndex }}';
		const workflow = workflowOf({ ...ONE_BY_ONE, keyword }, [{ a: 1 }, { a: 2 }]);
		const options = { concurrency: 1, includeInputFields: true };
		const second = { ...workflow.nodes[1]!, id: 'second', name: 'Second' };
		workflow.nodes[1]!.parameters.options = options;
		workflow.nodes.push(second);
		workflow.connections[TESTED_NODE] = to('Second');
		sandbox.faults.add({ skip: 3, times: 1, fault: status(402) });
		const end = await execute(workflow);
		expect(created()).toHaveLength(3);
		expect((await retry(end)).error).toBeUndefined();
		expect(created()).toHaveLength(4);
	});
});

describe('a value that was added', () => {
	const parameters = { ...ADD_MANY, options: { concurrency: 1 } };

	/** Fails at the third of four values; retries with these changes. @returns what was sent, as list and value */
	async function retried(first: INodeParameters, changes: INodeParameters, credential?: string) {
		sandbox.faults.add({ match: 'site-2.', times: 1, fault: status(402) });
		const workflow = workflowOf(first, domains(4));
		const end = await execute(workflow);
		const again = await retry(end, changed(workflow, changes, credential));
		expect(again.error).toBeUndefined();
		return values();
	}
	const to = (list: string, ...sites: number[]) =>
		sites.map((site) => `${list} site-${site}.example.com`);

	it.each<[what: string, first: INodeParameters]>([
		['Add Many Items', parameters],
		['Add Item', { ...ADD, options: { concurrency: 1 } }],
	])('is sent again only to another list, or with another credential: %s', async (_what, first) => {
		expect(await retried(first, {})).toEqual(to('customers', 0, 1, 2, 3));
		sandbox.requests.length = 0;
		const other = { blacklist: listNamed('right') };
		expect(await retried(first, other)).toEqual([
			...to('customers', 0, 1),
			...to('right', 0, 1, 2, 3),
		]);
		sandbox.requests.length = 0;
		expect(await retried(first, {}, '2')).toEqual([
			...to('customers', 0, 1),
			...to('customers', 0, 1, 2, 3),
		]);
	});

	it('is not forgotten by a retry whose options are refused', async () => {
		sandbox.faults.add({ match: 'site-2.', times: 1, fault: status(402) });
		const workflow = workflowOf(parameters, domains(4));
		const end = await execute(workflow);
		const refused = await retry(end, changed(workflow, { options: { concurrency: 0 } }));
		expect(refused.error?.message).toBe('"Concurrency" is below 1: 0 (done: 2 of 4 values)');
		await retry(refused, workflow);
		expect(values()).toEqual(to('customers', 0, 1, 2, 3));
	});

	it('in two rows, of which one failed, is one; in two accounts, it is sent to both', async () => {
		const rows = [{ value: 'a.example' }, { value: 'b.example' }, { value: 'a.example' }];
		sandbox.faults.add({ match: 'b.example', times: 1, fault: status(402) });
		const workflow = workflowOf(parameters, rows);
		const end = await execute(workflow);
		await retry(end);
		expect(values()).toEqual(['customers a.example', 'customers b.example']);
		sandbox.requests.length = 0;
		sandbox.faults.add({ match: 'b.example', times: 1, fault: status(402) });
		owner.baseUrl = `={{ $itemIndex === 2 ? "${elsewhere()}" : "${owner.baseUrl}" }}`;
		const failed = await execute(workflow);
		expect((await retry(failed)).error).toBeUndefined();
		expect(values().sort()).toEqual([
			...['customers a.example', 'customers a.example', 'customers b.example'],
		]);
	});
});

describe('what is unknown, or failed, in one pass is not sent by a later one of the same execution:', () => {
	/** Leads the error output back into the node, through another node, as a Wait. */
	function backThroughWait(rows: IDataObject[], settings: Partial<INode> = {}): TestWorkflow {
		const workflow = workflowOf(ONE_BY_ONE, rows, { ...CONTINUE, ...settings });
		const wait = { ...workflow.nodes[0]!, id: 'wait', name: 'Wait' };
		workflow.nodes.push(wait);
		workflow.connections[TESTED_NODE] = { main: [[], ...to('Wait').main] };
		workflow.connections.Wait = to(TESTED_NODE);
		return workflow;
	}

	it.each([504, 500])(
		'the error output led back through a Wait orders nothing again: %d',
		async (code) => {
			sandbox.faults.add({ match: 'keyword 2.', fault: status(code, { carryOut: true }) });
			const { stop } = start(backThroughWait(keywords(5)));
			await until(() => sandbox.requests.length === 5);
			for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
			await stop();
			expect(created()).toHaveLength(5);
		},
	);

	it('it comes out as an error item, and what was rejected is sent', async () => {
		sandbox.faults.add({ match: 'keyword 0.', times: 1, fault: status(500, { carryOut: true }) });
		sandbox.faults.add({
			match: 'keyword 1.',
			times: 1,
			fault: status(429, { retryAfter: '500' }),
		});
		const workflow = inThreePasses(
			workflowOf(
				{ ...ONE_BY_ONE, keyword: '={{ $("Start").all()[$itemIndex].json.keyword }}' },
				keywords(2),
				{
					onError: 'continueRegularOutput',
				},
			),
		);
		const { json } = await execute(workflow);
		expect(json).toEqual([
			{
				error: expect.stringMatching(/^Not sent again: the same request/),
				message: expect.stringContaining('may have been carried out'),
			},
			{ job_id: expect.any(String) },
		]);
		expect(created().filter((keyword) => keyword === 'keyword 0.')).toHaveLength(1);
	});

	it("a person's retry of the pass sends its failed job, and then the rest", async () => {
		const keyword = '={{ "pass " + $runIndex + " " + $itemIndex }}';
		const workflow = inThreePasses(workflowOf({ ...ONE_BY_ONE, keyword }, keywords(2)));
		sandbox.faults.add({ match: 'pass 1 0', times: 1, fault: status(500) });
		const end = await execute(workflow);
		expect((await retry(end)).error).toBeUndefined();
		expect(created()).toEqual(
			[0, 1, 2].flatMap((pass) => [0, 1].map((item) => `pass ${pass} ${item}`)),
		);
	});

	it('two accounts with the same keyword are both sent', async () => {
		sandbox.faults.add({ times: 1, fault: status(504, { carryOut: true }) });
		const workflow = inThreePasses(
			workflowOf({ ...CREATE, keyword: 'dentist' }, [{}], { onError: 'continueRegularOutput' }),
		);
		owner.baseUrl = `={{ $runIndex === 0 ? "${owner.baseUrl}" : "${elsewhere()}" }}`;
		await execute(workflow);
		expect(created()).toHaveLength(3);
	});

	it('a later call of a tool does not order what an earlier one has left unknown', async () => {
		sandbox.faults.add({ times: 1, fault: status(500, { carryOut: true }) });
		const { json } = await execute(CREATE, [{}], { type: `${NODE_TYPE}Tool` });
		expect(json.map(({ error }) => error)).toEqual([
			'The service could not process the request (status 500)',
			...Array(2).fill(expect.stringMatching(/^Not sent again: the same request/)),
		]);
		expect(created()).toHaveLength(1);
	});

	it('a tool that an agent runs as a node of its own, with Retry On Fail, orders once', async () => {
		sandbox.faults.add({ fault: status(500, { carryOut: true }) });
		await execute(CREATE, [{ calls: 1 }], {
			type: `${NODE_TYPE}Tool`,
			...{ ...RETRY_ON_FAIL, maxTries: 3 },
		});
		expect(created()).toHaveLength(1);
	});
});

it('what a Retry has done holds back no equal row of a later pass: each row of a loop is a job', async () => {
	const rows = ['k0', 'k1', 'k0'].map((keyword) => ({ keyword }));
	const workflow = inLoop(workflowOf(CREATE, rows), 1);
	// It carries nothing out.
	sandbox.faults.add({ times: 1, fault: status(500) });
	const failed = await execute(workflow);
	expect(sandbox.state.jobs).toEqual([]);
	expect((await retry(failed)).error).toBeUndefined();
	expect(sandbox.state.jobs.map(({ keyword }) => keyword)).toEqual(['k0', 'k1', 'k0']);
});

it('what a corrected retry leaves unknown is not ordered by a later pass, beside what it replaced', async () => {
	const passes = (keyword: string, settings: Partial<INode> = {}) =>
		inThreePasses(workflowOf({ ...CREATE, keyword }, [{}], settings));
	sandbox.faults.add({ match: 'wrong', times: 1, fault: status(500) });
	const failed = await execute(passes('wrong'));
	sandbox.faults.add({ match: 'right', times: 1, fault: status(504, { carryOut: true }) });
	await retry(failed, passes('right', { onError: 'continueRegularOutput' }));
	expect(sandbox.state.jobs.map(({ keyword }) => keyword)).toEqual(['right']);
});

it('the words of a limit beside an unknown job name the retry, and the job', async () => {
	sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: status(504, { carryOut: true }) });
	const failed = await execute(ONE_BY_ONE, keywords(5));
	const limited = { ...CREATE, options: { concurrency: 1, maxJobs: 4 } };
	const { error } = await retry(failed, workflowOf(limited, keywords(5)));
	expect(error?.description).toMatch(
		/<br>Then save, and .*<br>Item 1 \("keyword 1\."\): Not sent again: .* may have been carried out\.$/,
	);
});

describe('a wrong option refuses what is not done yet, and hides nothing', () => {
	const WRONG: Array<[string, INodeParameters['options'], string]> = [
		['above its range', { concurrency: 500 }, '"Concurrency" is above 100: 500'],
		['of a dry run', { dryRun: true }, '"Dry Run" is on in a retry of an execution'],
		[
			'that differs',
			{ maxJobs: '={{ $itemIndex > 9 ? 99 : 98 }}' },
			'"Maximum Jobs per Run" differs between the items: 98 (item 0), 99 (item 10)',
		],
	];

	it.each(WRONG)('one %s', async (_what, options, message) => {
		sandbox.faults.add({ match: 'keyword 24.', times: 1, fault: status(402) });
		const end = await execute(ONE_BY_ONE, keywords(60));
		const jobs = sandbox.state.jobs.map(({ job_id }) => job_id);
		expect(jobs).toHaveLength(24);

		const wrong = await retry(end, workflowOf({ ...CREATE, options }, keywords(60)));
		expect(wrong.error!.message).toBe(`${message} (paid: 24 of 60 jobs)`);
		const data = wrong.error!.context.data as IDataObject[];
		expect(data.map(({ job_id }) => job_id)).toEqual(jobs);

		const { json, outputs } = await retry(
			end,
			workflowOf({ ...CREATE, options }, keywords(60), CONTINUE),
		);
		expect(json.map(({ job_id }) => job_id)).toEqual(jobs);
		expect(outputs[1]!.map((item) => item.json.error)).toEqual(Array(36).fill(message));
		expect(sandbox.state.jobs).toHaveLength(24);

		await retry(wrong, end.workflow);
		expect(sandbox.state.jobs).toHaveLength(60);
	});
});
