import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { blacklist } from '../../nodes/BusinessListingSearch/resources/blacklist';
import { job } from '../../nodes/BusinessListingSearch/resources/job';
import { usage } from '../../nodes/BusinessListingSearch/resources/usage';
import { useSandbox } from '../support/account';
import { CONTRACT } from '../support/contract';
import {
	inThreePasses,
	retryWorkflow,
	runWorkflow,
	activeTrigger,
	searchBlacklists,
	workflowOf,
} from '../support/engine';
import { status } from '../support/faults';
import { listed, listedJob } from '../support/jobs';
import { useLog } from '../support/log';
import {
	ADD,
	ADD_MANY,
	CREATE,
	DELETE,
	domains,
	keywords,
	ONE_BY_ONE,
	LIST,
	OPERATIONS,
} from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { TESTED_NODE } from '../support/workflowOf';

const account = useSandbox();
const log = useLog();

const MAYBE = 'may have been carried out';
const BROKEN = { kind: 'drop', carryOut: true } as const;

describe('a run that ends early says how to send only what is missing', () => {
	const sentence = (which: string) =>
		`To send only what is missing, leave the parameters of "Business Listing Search" as they are (options can change), and retry ${which}: under "Executions", select it, then the arrow at the top right, then either choice. Running the workflow or this step again repeats what was done.`;

	async function descriptionOf(
		parameters: INodeParameters,
		items = keywords(6),
		options: NonNullable<Parameters<typeof runWorkflow>[2]> = {},
	): Promise<string> {
		const { error } = await runWorkflow(workflowOf(parameters, items), account().account, options);
		return error!.description!;
	}

	it('once, at its end, with the execution', async () => {
		account().sandbox.faults.add({ match: 'keyword 3.', fault: status(402) });
		const [, end] = (await descriptionOf(ONE_BY_ONE)).split('were not started. ');
		expect(end).toBe(sentence('execution 1'));
	});

	it('in a workflow that another one called', async () => {
		account().sandbox.faults.add({ match: 'keyword 3.', fault: status(402) });
		expect(await descriptionOf(ONE_BY_ONE, keywords(6), { mode: 'integrated' })).toContain(
			sentence('execution 1 of the workflow "Test" (not the one that called it)'),
		);
	});

	it('for values', async () => {
		account().sandbox.faults.add({ match: 'site-3.', fault: status(402) });
		const parameters = { ...ADD_MANY, options: { concurrency: 1 } };
		expect(await descriptionOf(parameters, domains(6))).toContain(sentence('execution 1'));
	});

	it.each<[when: string, at: number, fault: object, options: object]>([
		['nothing was done', 0, status(402), {}],
		['there is no execution number', 3, status(402), { executionId: undefined }],
	])('but not when %s', async (_when, at, fault, options) => {
		account().sandbox.faults.add({ match: `keyword ${at}.`, fault: fault as typeof BROKEN });
		expect(await descriptionOf(ONE_BY_ONE, keywords(6), options)).not.toContain('either choice');
	});

	it('in a later pass of a loop, whose earlier passes a new run would repeat', async () => {
		account().sandbox.faults.add({ match: 'keyword 2.', fault: status(402) });
		const workflow = inThreePasses(workflowOf(ONE_BY_ONE, keywords(1)));
		const keyword = '={{ "keyword " + $runIndex + "." }}';
		workflow.nodes.find(({ name }) => name === TESTED_NODE)!.parameters.keyword = keyword;
		const { error } = await runWorkflow(workflow, account().account);
		expect(error?.description).toContain(sentence('execution 1'));
	});

	it('if only the outcome of the first is unknown, and others were not started', async () => {
		account().sandbox.faults.add({ match: 'keyword 0.', fault: BROKEN });
		expect(await descriptionOf(ONE_BY_ONE)).toContain(sentence('execution 1'));
	});

	it('not for requests that change nothing: a retry sends them all', async () => {
		account().sandbox.faults.add({ skip: 2, fault: status(404) });
		expect(await descriptionOf(LIST, keywords(3))).not.toContain('either choice');
	});

	it.each([
		['failed executions', 'trigger', { saveDataErrorExecution: 'none' }, false],
		['executions of the editor', 'manual', { saveManualExecutions: false }, false],
		['the other kind', 'trigger', { saveManualExecutions: false }, true],
		['the other kind', 'manual', { saveDataErrorExecution: 'none' }, true],
	] as const)('but names none if the workflow does not save %s (%s)', async (...row) => {
		const [, mode, settings, isNamed] = row;
		account().sandbox.faults.add({ match: 'keyword 3.', fault: status(402) });
		const workflow = { ...workflowOf(ONE_BY_ONE, keywords(6)), settings };
		const { error } = await runWorkflow(workflow, account().account, { mode });
		expect(error!.description!.includes('either choice')).toBe(isNamed);
		expect(error!.description).toContain('repeats what was done.');
	});
});

/** What to do when Retry does not get past an item. */
const CONTINUE_WITH =
	'To go on with the rest, set "On Error" of this node to "Continue", save, and retry execution 1: under "Executions", select it, then the arrow at the top right, then "Retry with currently saved workflow".';

describe('where Retry would send nothing more, the first error says how the rest is reached', () => {
	const UNKNOWN_LEFT = `Retry never repeats an unknown outcome. ${CONTINUE_WITH} Running the workflow or this step again repeats what was done.`;

	it('if the last item broke', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 5.', fault: BROKEN });
		const { error } = await runWorkflow(workflowOf(ONE_BY_ONE, keywords(6)), owner);
		expect(error?.description?.endsWith(UNKNOWN_LEFT)).toBe(true);
	});

	it('if each pass of a loop has one item', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ skip: 2, fault: BROKEN });
		const workflow = inThreePasses(workflowOf(ONE_BY_ONE, keywords(1)));
		const failed = await runWorkflow(workflow, owner);
		expect(failed.error?.description?.endsWith(UNKNOWN_LEFT)).toBe(true);

		sandbox.faults.clear();
		const continued = structuredClone(workflow);
		for (const node of continued.nodes) Object.assign(node, CONTINUE);
		expect((await retryWorkflow(continued, failed, owner)).error).toBeUndefined();
		expect(sandbox.state.jobs).toHaveLength(3);
	});
});

describe('a rejection of the content', () => {
	const REJECTED: Array<[what: string, fault: ReturnType<typeof status>]> = [
		...[400, 404, 405, 409, 413, 422].map((code): [string, ReturnType<typeof status>] => [
			`${code}`,
			status(code),
		]),
		['success: false', status(200, { body: { success: false } })],
	];

	it.each(REJECTED)(
		'says that Retry sends the same values, and how the others are reached: %s',
		async (_what, fault) => {
			const { sandbox, account: owner } = account();
			const parameters = { ...ADD, options: { concurrency: 1 } };
			sandbox.faults.add({ match: 'site-2.', fault });
			const failed = await runWorkflow(workflowOf(parameters, domains(6)), owner);
			const again = `Retry sends the same values again. ${CONTINUE_WITH} Changing the parameters of this node, or running the workflow or this step again, repeats what was done.`;
			expect(failed.error?.description?.endsWith(again)).toBe(true);

			const before = sandbox.requests.length;
			const continued = workflowOf(parameters, domains(6), CONTINUE);
			const { outputs } = await retryWorkflow(continued, failed, owner);
			expect(outputs.map(({ length }) => length)).toEqual([5, 1]);
			expect(sandbox.requests.length - before).toBe(4);
		},
	);

	it.each(REJECTED)('says to run again if nothing was done: %s', async (_what, fault) => {
		account().sandbox.faults.add({ fault });
		const { error } = await runWorkflow(workflowOf(ADD, domains(6)), account().account);
		expect(error?.description).toMatch(
			/Once corrected, run the whole workflow again, earlier nodes included: Retry sends the same values\.$/,
		);
	});

	it.each<[what: string, fault: ReturnType<typeof status>]>([
		['a refused key', status(401)],
		['a used-up allowance', status(402)],
		['403', status(403)],
		['a redirect', status(302)],
		['a web page', status(403, { body: '<html>No</html>' })],
	])('is not %s: Retry is right once it is mended', async (_what, fault) => {
		account().sandbox.faults.add({ match: 'keyword 2.', fault });
		const { error } = await runWorkflow(workflowOf(ONE_BY_ONE, keywords(6)), account().account);
		expect(error?.description).toContain('and retry execution 1: ');
	});
});

it('a refused value in a later pass of a loop says the same, because Retry has the same input', async () => {
	const { sandbox, account: owner } = account();
	const keyword = '={{ $runIndex === 1 ? " " : $json.keyword ?? "keyword" }}';
	const workflow = inThreePasses(workflowOf({ ...CREATE, keyword }, keywords(1)));
	const failed = await runWorkflow(workflow, owner);
	expect(failed.error?.message).toBe('"Keyword" is empty');
	expect(failed.error?.description).toContain(
		`Retry sends the same values again. ${CONTINUE_WITH}`,
	);
	const continued = structuredClone(workflow);
	for (const node of continued.nodes) {
		Object.assign(node, { onError: 'continueRegularOutput' });
	}
	await retryWorkflow(continued, failed, owner);
	expect(sandbox.state.jobs).toHaveLength(2);
});

it('a wrong option in a later pass does not: it can change', async () => {
	const { sandbox, account: owner } = account();
	const concurrency = '={{ $runIndex === 1 ? 0 : 1 }}';
	const workflow = inThreePasses(workflowOf({ ...CREATE, options: { concurrency } }, keywords(1)));
	const failed = await runWorkflow(workflow, owner);
	expect(failed.error?.message).toMatch(/^"Concurrency" is below 1/);
	expect(failed.error?.description).toContain('and retry execution 1: ');
	const corrected = inThreePasses(workflowOf(ONE_BY_ONE, keywords(1)));
	await retryWorkflow(corrected, failed, owner);
	expect(sandbox.state.jobs).toHaveLength(3);
});

it('a redirect says that a new Base URL is another account', async () => {
	account().sandbox.faults.add({ skip: 2, fault: status(307) });
	const { error } = await runWorkflow(workflowOf(ONE_BY_ONE, keywords(4)), account().account);
	expect(error?.description).toContain(
		'A new "Base URL" counts as another account, and Retry would send everything again.',
	);
});

it('what another retry has sent names no execution to retry', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: status(500) });
	const workflow = workflowOf(ONE_BY_ONE, keywords(4));
	const failed = await runWorkflow(workflow, owner);
	sandbox.faults.add({ fault: { kind: 'delay', ms: 200 } });
	const both = await Promise.all([1, 2].map(() => retryWorkflow(workflow, failed, owner)));
	const [refused] = both.filter(({ error }) => error);
	expect(refused?.error?.message).toMatch(/^Not sent: another retry/);
	expect(refused?.error?.description).not.toContain('either choice');
	expect(refused?.error?.description).toMatch(/ repeats what was done\.$/);
});

it.each<[option: string, options: INodeParameters]>([
	['Maximum Jobs per Run', { maxJobs: 2 }],
	['Minimum Remaining Requests', { minRemaining: 100_000 }],
])('a run that %s refuses as a whole names no item', async (_option, options) => {
	const workflow = workflowOf({ ...CREATE, options }, keywords(3));
	const { error } = await runWorkflow(workflow, account().account);
	expect(error?.message).toMatch(/^No job was created/);
	expect(error?.description).not.toMatch(/item/i);
	expect(account().sandbox.state.jobs).toEqual([]);
});

describe('the words "may have been carried out"', () => {
	const CHANGING = OPERATIONS.filter(([, method]) => method !== 'GET');
	it('are in the message of what is not sent again', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: BROKEN });
		const failed = await runWorkflow(workflowOf(ONE_BY_ONE, keywords(2)), owner);
		const { outputs } = await retryWorkflow(
			workflowOf(ONE_BY_ONE, keywords(2), CONTINUE),
			failed,
			owner,
		);
		expect(outputs[1]![0]!.json.error).toMatch(/^Not sent again/);
		expect(outputs[1]![0]!.json.message).toContain(MAYBE);
	});

	it.each<[what: string, fault: ReturnType<typeof status>]>([
		['told to wait for too long', status(503, { retryAfter: '500' })],
		['rejected', status(400)],
		['not paid for', status(402)],
	])('are in the message of what failed before, and is %s now', async (_what, fault) => {
		const { sandbox, account: owner } = account();
		for (const [, , parameters] of CHANGING) {
			sandbox.faults.clear();
			sandbox.faults.add({ times: 1, fault: status(500, { carryOut: true }) });
			sandbox.faults.add({ fault });
			const workflow = workflowOf(parameters, [{}], RETRY_ON_FAIL);
			const { error, outputs } = await runWorkflow(workflow, owner);
			const told = error?.description ?? JSON.stringify(outputs);
			expect(told).toMatch(/may have been (carried out|added)/);
		}
	});

	it('are in the message of what another retry is sending', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: status(400) });
		const failed = await runWorkflow(workflowOf(ONE_BY_ONE, keywords(2)), owner);
		const continued = workflowOf(ONE_BY_ONE, keywords(2), CONTINUE);
		sandbox.faults.add({ match: 'keyword 1.', fault: { kind: 'delay', ms: 200 } });
		const both = await Promise.all([1, 2].map(() => retryWorkflow(continued, failed, owner)));
		const refused = both.flatMap(({ outputs }) => outputs[1] ?? []);
		expect(refused.map(({ json }) => json.error)).toEqual([
			'Not sent: another retry of this execution is in progress',
		]);
		expect(refused[0]!.json.message).toContain(MAYBE);
		expect(sandbox.state.jobs).toHaveLength(2);
	});
});

describe('a refusal with 401 or 403', () => {
	it.each([401, 403])('%d with a web page names what is in between first', async (code) => {
		account().sandbox.faults.add({
			fault: status(code, { body: '<!DOCTYPE html><html><body>No</body></html>' }),
		});
		const { error } = await runWorkflow(workflowOf(CREATE), account().account);
		expect(error?.message).toBe(`The request was refused with a web page (status ${code})`);
		expect(error?.description).toMatch(/^A firewall, .* check "API Key" in this credential\./);
		expect(error?.httpCode).toBe(String(code));
	});

	it.each([401, 403])(
		'%d with an empty answer names the key, then what is in between',
		async (code) => {
			account().sandbox.faults.add({ fault: status(code, { body: '' }) });
			const { error } = await runWorkflow(workflowOf(CREATE), account().account);
			expect(error?.message).toBe('The service refused the API key');
			expect(error?.description).toMatch(/^Check "API Key" in .* A firewall, .* as well\./);
		},
	);

	it('401 with a web page ends the rest of the run without blaming the key', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: status(401, { body: '<html>No</html>' }) });
		const { outputs } = await runWorkflow(workflowOf(ONE_BY_ONE, keywords(2), CONTINUE), owner);
		expect(outputs[1]![1]!.json.error).toBe(
			'Not sent: the request was refused with a web page (status 401)',
		);
		expect(sandbox.requests).toHaveLength(1);
	});
});

describe('what the resource or the operation cannot be', () => {
	const choices = [blacklist, job, usage].map(([operation]) => operation!.options!);

	// As n8n does with each node that has a credential.
	beforeAll(() => {
		for (const each of choices)
			each.push({ name: 'Custom API Call', value: '__CUSTOM_API_CALL__' });
	});

	afterAll(() => {
		for (const each of choices) each.pop();
	});

	const resources = [...new Set(CONTRACT.map(({ resource }) => resource))];
	const operationsOf = (wanted: string) =>
		CONTRACT.flatMap(({ resource, operation }) => (resource === wanted ? [operation] : []));

	it.each([
		['jobs', 'create', '"Resource" does not exist: jobs', resources],
		['job', 'get', '"Operation" does not exist for job: get', operationsOf('job')],
		[
			...['usage', '__CUSTOM_API_CALL__'],
			'"Operation" does not exist for usage: __CUSTOM_API_CALL__',
			operationsOf('usage'),
		],
		[
			...['blacklist', 'create'],
			'"Operation" does not exist for blacklist: create',
			operationsOf('blacklist'),
		],
	] as Array<[string, string, string, string[]]>)('%s.%s is refused by name', async (...row) => {
		const [resource, operation, message, choices] = row;
		const { sandbox, account: owner } = account();
		const parameters = { resource, operation };
		const { error } = await runWorkflow(workflowOf(parameters), owner);
		expect(error?.message).toBe(message);
		const [, listed = ''] = /^Choose one of these: (.*)\.$/.exec(error?.description ?? '') ?? [];
		expect(listed.split(', ').sort()).toEqual([...choices].sort());
		const { outputs } = await runWorkflow(workflowOf(parameters, [{}, {}], CONTINUE), owner);
		expect(outputs[1]!.map(({ json }) => Object.keys(json))).toEqual([
			['error', 'message'],
			['error', 'message'],
		]);
		expect(sandbox.requests).toEqual([]);
	});
});

it('Delete names the blacklist that may not exist', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ fault: { kind: 'json', body: { success: false } } });
	const { error } = await runWorkflow(workflowOf(DELETE), owner);
	expect(error?.description).toMatch(/"Blacklist".* no blacklist of this name/);
});

it('the dropdown says what to do if the credential depends on an item', async () => {
	const { account: owner } = account();
	const searching = searchBlacklists({ ...owner, apiKey: '' });
	await expect(searching).rejects.toMatchObject({
		message: '"API Key" in the credential is empty',
		description:
			'Enter the private key of your account. If the credential uses an expression, choose "Name" and enter the name: a list has no input item.',
	});
});

it('the trigger says what to do if the credential depends on an item', async () => {
	const { account: owner } = account();
	const baseUrl = '={{ $("Clients").item.json.url }}';
	const poll = activeTrigger({ ...owner, baseUrl }, { events: ['allowanceLow'], threshold: 1 });
	const advice = 'choose one without: a trigger has no input item.';
	await expect(poll()).rejects.toMatchObject({ description: expect.stringContaining(advice) });
});

it('two sentences that are joined get their full stop', async () => {
	const { account: owner } = account();
	const { error } = await runWorkflow(workflowOf(ONE_BY_ONE, keywords(2)), {
		...owner,
		apiKey: '',
	});
	expect(error?.description).toContain('Enter the private key of your account. Failed at');
});

describe('whose job it is', () => {
	it('is in the summary and in the log, as it was sent, on one line', async () => {
		const { sandbox, account: owner } = account();
		const long = `dentist\n\u001b in ${'x'.repeat(67)}🐎🐎`;
		const items = [{ keyword: long }, { keyword: 'bakery' }, { keyword: 'florist' }];
		sandbox.faults.add({ match: 'florist', fault: status(422) });
		const { error } = await runWorkflow(workflowOf(ONE_BY_ONE, items), owner);
		const [first, second] = sandbox.state.jobs;
		const shown = `dentist in ${'x'.repeat(67)}…`;
		expect(shown).toHaveLength(79);
		const jobs = [`${first!.job_id} for "${shown}"`, listedJob(second!)];
		expect(error?.description).toContain(`(job_id: ${jobs.join(', ')})`);
		expect(error?.description).toContain('Failed at Item 2 ("florist").');
		expect(log.lines('info')).toEqual([
			`Business Listing Search (execution 1): 1 of 3 finished, new: ${jobs[0]}`,
			`Business Listing Search (execution 1): 2 of 3 finished, new: ${jobs[1]}`,
		]);
	});

	it('is remembered: a retry names the right one, whatever the expression gives then', async () => {
		const { sandbox, account: owner } = account();
		const parameters = { ...ONE_BY_ONE, keyword: '={{ $json.keyword }} {{ Math.random() }}' };
		const workflow = workflowOf(parameters, keywords(4));
		sandbox.faults.add({ match: 'keyword 2.', times: 2, fault: status(400) });
		const failed = await runWorkflow(workflow, owner);
		const { error } = await retryWorkflow(workflow, failed, owner);
		expect(sandbox.state.jobs).toHaveLength(2);
		expect(error?.description).toContain(`(job_id: ${listed(sandbox.state.jobs)})`);
	});

	it.each<[name: string, parameters: INodeParameters, label: string]>([
		['Add Item', ADD, 'Failed at Item 1 ("site-1.example.com").'],
		['Add Many Items', ADD_MANY, 'Failed at "site-1.example.com".'],
	])('%s names the value that failed', async (_name, parameters, label) => {
		account().sandbox.faults.add({ match: 'site-1.', fault: BROKEN });
		const workflow = workflowOf({ ...parameters, options: { concurrency: 1 } }, domains(3));
		const { error } = await runWorkflow(workflow, account().account);
		expect(error?.description).toContain(label);
	});
});

it('Add Many Items stores no values of what was done, because no id is listed with them', async () => {
	account().sandbox.faults.add({ match: 'site-1.', fault: status(402) });
	const parameters = { ...ADD_MANY, options: { concurrency: 1 } };
	const { run } = await runWorkflow(workflowOf(parameters, domains(2)), account().account);
	const kept = JSON.stringify(run.data.executionData?.contextData);
	expect(kept).toContain('"done":{"');
	expect(kept).not.toContain('site-0.');
});

describe('"Include Input Fields"', () => {
	const including = (value: unknown): INodeParameters => ({
		...CREATE,
		options: { includeInputFields: value } as INodeParameters,
	});
	const ITEM = { keyword: 'dentist', row: 7, job_id: 'old', nested: { a: [1] } };

	it('returns the input and the new job_id', async () => {
		const { sandbox, account: owner } = account();
		const { outputs } = await runWorkflow(workflowOf(including(true), [ITEM]), owner);
		const { job_id } = sandbox.state.jobs[0]!;
		expect(outputs[0]).toEqual([{ json: { ...ITEM, job_id }, pairedItem: { item: 0 } }]);
	});

	it.each([undefined, null, '', false, '={{ false }}'])('is off for %p', async (value) => {
		const { json } = await runWorkflow(workflowOf(including(value), [ITEM]), account().account);
		expect(Object.keys(json[0]!)).toEqual(['job_id']);
	});

	it('keeps the run small: the input is not stored again', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1.', fault: status(400) });
		const items = keywords(2).map((item) => ({ ...item, note: 'MARK' }));
		const { run } = await runWorkflow(workflowOf(including(true), items), owner);
		const { contextData } = run.data.executionData!;
		expect(JSON.stringify(contextData)).toContain(sandbox.state.jobs[0]!.job_id);
		expect(JSON.stringify(contextData)).not.toContain('MARK');
	});

	it.each<[what: string, fields: IDataObject, kept: IDataObject]>([
		['of an error output', { error: 'Broke', message: 'It may have been carried out' }, {}],
		['alone', { message: 'Hello' }, { message: 'Hello' }],
		['beside an empty error', { error: '', message: 'Hi' }, { message: 'Hi' }],
		['beside an error of another kind', { error: null, message: 'Hi' }, { message: 'Hi' }],
		['of another kind', { error: 'Broke', message: { text: 'Hi' } }, { message: { text: 'Hi' } }],
	])('with a message %s', async (_what, fields, kept) => {
		const { sandbox, account: owner } = account();
		const items = [{ keyword: 'dentist', ...fields }];
		const { json } = await runWorkflow(workflowOf(including(true), items), owner);
		expect(json).toEqual([{ keyword: 'dentist', ...kept, job_id: sandbox.state.jobs[0]!.job_id }]);
	});

	it.each<Partial<INode>>([
		{},
		{ onError: 'stopWorkflow' },
		{ onError: 'continueRegularOutput' },
		{ onError: 'continueErrorOutput' },
	])(
		'leaves out a field named error: each job once with Retry On Fail and %j',
		async (settings) => {
			const { sandbox, account: owner } = account();
			const items = keywords(2).map((item) => ({ ...item, error: 'as an error output names it' }));
			const workflow = workflowOf(including(true), items, {
				...RETRY_ON_FAIL,
				maxTries: 5,
				...settings,
			});
			const { outputs, error } = await runWorkflow(workflow, owner);
			expect(error).toBeUndefined();
			expect(sandbox.state.jobs).toHaveLength(2);
			expect(outputs[0]!.map(({ json }) => json)).toEqual(
				sandbox.state.jobs.map(({ job_id, keyword }) => ({ keyword, job_id })),
			);
		},
	);
});
