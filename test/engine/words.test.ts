/** Words of errors, wherever they stand; those of a run that ended: ending.test.ts. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { CONTRACT } from '../support/contract';
import { activeTrigger, searchBlacklists, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { listedJob } from '../support/jobs';
import { ADD_MANY, CREATE, keywords, LIST, ONE_BY_ONE, OPERATIONS } from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, execute, retry, log } = useEngine();

const MAYBE = 'may have been carried out';
const LOOK = `The request ${MAYBE}.`;
const SAYS = 'The service says: "Sandbox fault".';
const CUT = { kind: 'drop', carryOut: true } as const;

describe('a sign of HTML is shown as it is', () => {
	const items = ['a', 'pizza <near me', 'bar <!-- &lt; AT&T'].map((keyword) => ({ keyword }));
	const link = '<a href="https://evil.example">Pay</a>';

	it('in the error of the node, once, but not in its title, its data and the log', async () => {
		sandbox.faults.add({ match: 'bar', fault: status(400, { body: { message: link } }) });
		const { error } = await execute(ONE_BY_ONE, items);
		expect(error?.description).toContain(
			'Item 2 ("bar &lt;!-- &amp;lt; AT&T"): The service says: "&lt;a href="https://evil.example">Pay&lt;/a>". Correct the values of this item.<br><br><b>Created',
		);
		expect(error?.context.data).toMatchObject([{ keyword: 'a' }, { keyword: 'pizza <near me' }]);
		expect(log.lines('info').join()).toContain('for "pizza <near me"');
	});

	it('once, also where it is quoted in a later error', async () => {
		const fault = status(504, { body: { message: link } });
		sandbox.faults.add({ match: 'near', times: 1, fault });
		const { error } = await execute(ONE_BY_ONE, items, RETRY_ON_FAIL);
		expect(error?.description).toContain('("pizza &lt;near me"): Earlier: ');
		expect(error?.description).toContain('The service says: "&lt;a href=');
	});

	it('but not in an error item, which is text', async () => {
		sandbox.faults.add({ fault: status(400, { body: { message: link } }) });
		const { outputs } = await execute(CREATE, [{}], CONTINUE);
		expect(outputs[1]![0]!.json.message).toContain(`The service says: "${link}"`);
	});

	it('in the error of Add Many Items, but not of the trigger', async () => {
		const fault = status(402, { body: { message: link } });
		sandbox.faults.add({ fault });
		const { error } = await execute(ADD_MANY);
		expect(error?.description).toContain('"&lt;a href=');
		sandbox.faults.clear();
		sandbox.faults.add({ fault: { ...fault, status: 401 } });
		const poll = activeTrigger(owner, { events: ['allowanceLow'], threshold: 1 });
		// Its error is one text, which n8n shows as text.
		await expect(poll()).rejects.toThrow('"<a href=');
	});
});

describe('with Continue, a message speaks of its item alone', () => {
	async function messages(parameters: INodeParameters, items: IDataObject[] = [{}, {}]) {
		const { outputs } = await execute(parameters, items, CONTINUE);
		return outputs[1]!.map(({ json }) => json.message as string);
	}

	it.each<[what: string, parameters: INodeParameters, fault: Fault | undefined, message: string]>([
		['a broken connection', CREATE, CUT, `System code: ECONNRESET. ${LOOK} Look in your account.`],
		[
			'a request that only reads',
			LIST,
			status(404),
			`${SAYS} Check "Base URL" in the credential, and "Blacklist" if there is one.`,
		],
		[
			'an option',
			{ ...CREATE, options: { concurrency: 0 } },
			undefined,
			'Enter a whole number from 1 to 100.',
		],
		[
			'a row of Add Many Items',
			{ ...ADD_MANY, type: 'phone' },
			undefined,
			'Choose one from the list, or use an expression that returns one of auto, cid, domain, email, place_id.',
		],
	])('%s', async (_what, parameters, fault, message) => {
		if (fault) sandbox.faults.add({ fault });
		expect(await messages(parameters)).toEqual([message, message]);
	});
});

describe('the words "may have been carried out"', () => {
	const CHANGING = OPERATIONS.filter(([, method]) => method !== 'GET');

	it.each<[what: string, fault: ReturnType<typeof status>]>([
		['told to wait for too long', status(503, { retryAfter: '500' })],
		['rejected', status(400)],
		['not paid for', status(402)],
	])('are in the message of what failed before, and is %s now', async (_what, fault) => {
		for (const [, , parameters] of CHANGING) {
			sandbox.faults.clear();
			sandbox.faults.add({ times: 1, fault: status(500, { carryOut: true }) });
			sandbox.faults.add({ fault });
			const { error, outputs } = await execute(parameters, [{}], RETRY_ON_FAIL);
			const told = error?.description ?? JSON.stringify(outputs);
			expect(told).toMatch(/may have been (carried out|added)/);
		}
	});

	it('are in the message of what another retry is sending', async () => {
		sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: status(400) });
		const failed = await execute(ONE_BY_ONE, keywords(2));
		const continued = workflowOf(ONE_BY_ONE, keywords(2), CONTINUE);
		sandbox.faults.add({ match: 'keyword 1.', fault: { kind: 'delay', ms: 200 } });
		const both = await Promise.all([1, 2].map(() => retry(failed, continued)));
		const refused = both.flatMap(({ outputs }) => outputs[1] ?? []);
		expect(refused.map(({ json }) => json.error)).toEqual([
			'Not sent: another retry of this execution is in progress',
		]);
		expect(refused[0]!.json.message).toContain(MAYBE);
		expect(sandbox.state.jobs).toHaveLength(2);
	});
});

it.each([
	['jobs', 'create', 'jobs'],
	['job', 'addItems', 'job addItems'],
	// n8n adds this choice to the operations of each node that has a credential.
	['usage', '__CUSTOM_API_CALL__', 'usage __CUSTOM_API_CALL__'],
])('%s.%s is refused by name, with what exists', async (resource, operation, named) => {
	const parameters = { resource, operation };
	const { error } = await execute(parameters);
	expect(error?.message).toBe(`"Resource" or "Operation" does not exist here: ${named}`);
	const [, all = ''] = /^These exist: (.*?)\.<br>/.exec(error?.description ?? '') ?? [];
	const listed = all.replace(/ \(.*?\)/, '');
	const existing = CONTRACT.map((each) => `${each.resource} ${each.operation}`);
	expect(listed.split(', ').sort()).toEqual(existing.sort());
	const { outputs } = await execute(parameters, [{}, {}], CONTINUE);
	expect(outputs[1]!.map(({ json }) => Object.keys(json))).toEqual([
		['error', 'message'],
		['error', 'message'],
	]);
	expect(sandbox.requests).toEqual([]);
});

it('the dropdown says what to do if the credential depends on an item', async () => {
	const searching = searchBlacklists({ ...owner, apiKey: '' });
	await expect(searching).rejects.toMatchObject({
		description: expect.stringContaining(
			'choose "Name" and enter the name: a list has no input item.',
		),
	});
});

it('the trigger says what to do if the credential depends on an item', async () => {
	const baseUrl = '={{ $("Clients").item.json.url }}';
	const poll = activeTrigger({ ...owner, baseUrl }, { events: ['allowanceLow'], threshold: 1 });
	const advice = 'choose one without: a trigger has no input item.';
	await expect(poll()).rejects.toThrow(advice);
});

it('a job is named in the log, as it was sent, on one line', async () => {
	const long = `dentist\t\u001b in ${'x'.repeat(67)}🐎🐎`;
	const items = [{ keyword: long }, { keyword: 'bakery' }, { keyword: 'florist' }];
	sandbox.faults.add({ match: 'florist', fault: status(422) });
	const { error } = await execute(ONE_BY_ONE, items);
	const [first, second] = sandbox.state.jobs;
	const shown = `dentist in ${'x'.repeat(67)}…`;
	expect(shown).toHaveLength(79);
	const jobs = [`${first!.job_id} for "${shown}"`, listedJob(second!)];
	expect(error?.context.data).toMatchObject([{ keyword: shown }, { keyword: 'bakery' }]);
	expect(log.lines('info')).toEqual([
		`Business Listing Search (execution 1): 1 of 3 finished, new: ${jobs[0]}`,
		`Business Listing Search (execution 1): 2 of 3 finished, new: ${jobs[1]}`,
	]);
});
