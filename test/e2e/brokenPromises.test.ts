/** Regression tests: cases in which version 1.0.0 lost jobs, money or the key, or blocked n8n. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { INode, INodeParameters } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../../n8n/examples';
import { startSandbox, type Fault, type Sandbox } from '../../sandbox';
import { status } from '../support/faults';
import { expectNothingOf } from '../support/leaks';
import { ADD, ADD_MANY, CREATE, domains, keywords, LIST, USAGE } from '../support/parameters';
import { memoryOfChildren } from '../support/processMemory';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { until } from '../support/until';
import { workflowOf } from '../support/workflowOf';
import { errorOf, NODE, outputOf, useN8n } from './n8n';

const n8n = useN8n();

const jobIds = () => n8n().sandbox.state.jobs.map(({ job_id }) => job_id);

/** What n8n has logged since its log had this length. */
async function logSince(length: number): Promise<string> {
	return (await n8n().log()).slice(length);
}

const cancelledLines = (log: string) =>
	log.split('\n').filter((line) => line.includes('was cancelled. Of '));

/** Clicks n8n's Retry button. */
async function retry(executionId: string) {
	const { client } = n8n();
	return await client.waitForExecution(await client.retryExecution(executionId));
}

describe('a parameter that differs between attempts', () => {
	it('Retry On Fail creates each job once', async () => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ match: 'keyword 3.', times: 1, fault: status(500) });
		const parameters = { ...CREATE, groupName: '={{ $now.toISO() }}' };
		const execution = await run(workflowOf(parameters, keywords(5), RETRY_ON_FAIL));
		expect(errorOf(execution)).toBeUndefined();
		expect(outputOf(execution, NODE).map(({ json }) => json.job_id)).toEqual(jobIds());
		expect(jobIds()).toHaveLength(5);
	});

	const perRun = { ...CREATE, groupName: '={{ "run " + $execution.id }}' };

	it('the Retry button creates each job once', async () => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ match: 'keyword 3.', times: 1, fault: status(400) });
		const failed = await run(workflowOf(perRun, keywords(5)));
		expect(failed.status).toBe('error');
		expect(jobIds()).toHaveLength(3);
		const retried = await retry(failed.id);
		expect(retried.status).toBe('success');
		expect(outputOf(retried, NODE).map(({ json }) => json.job_id)).toEqual(jobIds());
		expect(jobIds()).toHaveLength(5);
		expect(new Set(sandbox.state.jobs.map(({ group_name }) => group_name)).size).toBe(2);
	});

	it('the Retry button creates each job once with an expression that changes its item', async () => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ skip: 2, times: 1, fault: status(400) });
		const items = [1, 2, 3].map((item) => ({ words: [...'abcdefgh'].map((word) => word + item) }));
		const failed = await run(workflowOf({ ...CREATE, keyword: '={{ $json.words.pop() }}' }, items));
		expect(failed.status).toBe('error');
		expect(jobIds()).toHaveLength(2);
		expect((await retry(failed.id)).status).toBe('success');
		expect(jobIds()).toHaveLength(3);
	});

	it('the Retry button does not send again after an unknown outcome', async () => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: { kind: 'drop', carryOut: true } });
		const failed = await run(workflowOf(perRun, keywords(4)));
		expect(errorOf(failed)?.description).toContain('may have been carried out');
		const retried = await retry(failed.id);
		expect(retried.status).toBe('error');
		expect(errorOf(retried)?.message).toMatch(/^Not sent again/);
		expect(jobIds()).toHaveLength(3);
		expect(sandbox.requests).toHaveLength(3);
		for (const id of jobIds().slice(0, 2)) expect(errorOf(retried)?.description).toContain(id);
	});
});

describe('the Retry button, used twice on the same execution, creates each job once', () => {
	/** An execution that has failed at the third of eight jobs. */
	async function fail() {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(500) });
		return await run(workflowOf(CREATE, keywords(8)));
	}
	const createdKeywords = () => n8n().sandbox.state.jobs.map(({ keyword }) => keyword);
	const expected = keywords(8).map(({ keyword }) => keyword);

	it('after a retry that failed too', async () => {
		const failed = await fail();
		n8n().sandbox.faults.add({ match: 'keyword 5.', times: 1, fault: status(500) });
		expect((await retry(failed.id)).status).toBe('error');
		const retried = await retry(failed.id);
		expect(retried.status).toBe('success');
		expect(outputOf(retried, NODE).map(({ json }) => json.job_id)).toEqual(jobIds());
		expect(createdKeywords()).toEqual(expected);
	});

	it('at the same time', async () => {
		const failed = await fail();
		n8n().sandbox.faults.add({ fault: { kind: 'delay', ms: 300 } });
		const retries = await Promise.all([retry(failed.id), retry(failed.id)]);
		expect(retries.map((end) => end.status).sort()).toEqual(['error', 'success']);
		expect(createdKeywords()).toEqual(expected);
	});
});

describe('Batching, when n8n cannot build a later item', () => {
	const items = Array.from({ length: 8 }, (_, index) => ({
		day: index === 5 ? 'no day' : `2030-01-0${index + 1}`,
	}));
	const parameters = {
		...CREATE,
		keyword: '={{ "events of " + $json.day.toDateTime().toFormat("d LLLL") }}',
		requestOptions: { batching: { batch: { batchSize: 5, batchInterval: 100 } } },
	};

	it.each<[string, Partial<INode>]>([
		['', {}],
		[', also with Retry On Fail', RETRY_ON_FAIL],
	])('sends nothing%s', async (_also, settings) => {
		const { sandbox, run } = n8n();
		const execution = await run(workflowOf(parameters, items, settings));
		expect(execution.status).toBe('error');
		expect(errorOf(execution)?.message).toMatch(/DateTime/);
		await sleep(500);
		expect(sandbox.requests).toEqual([]);
	});

	it('keeps the batches while sending', async () => {
		const { sandbox, run } = n8n();
		const execution = await run(
			workflowOf(
				parameters,
				items.filter(({ day }) => day !== 'no day'),
			),
		);
		expect(outputOf(execution, NODE)).toHaveLength(7);
		const [first, , , , fifth, sixth] = sandbox.requests.map(({ at }) => at);
		expect(sixth! - first!).toBeGreaterThan(60);
		expect(fifth! - first!).toBeLessThan(sixth! - first!);
	});
});

describe('a body that stalls', () => {
	const stall: Fault = { kind: 'stall', gzip: true, after: 12, carryOut: true };

	it.each([
		['POST', CREATE],
		['GET', USAGE],
	])('"Timeout" ends a %s', async (method, parameters) => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ fault: stall });
		const started = performance.now();
		const execution = await run(workflowOf({ ...parameters, requestOptions: { timeout: 300 } }));
		const { message, description } = errorOf(execution)!;
		expect(message).toBe('The service did not respond in time');
		expect(description!.includes('may have been carried out')).toBe(method === 'POST');
		// A GET has five attempts, with waits of at most 15 s in total. Without the timeout one lasts 300 s.
		expect(performance.now() - started).toBeLessThan(60_000);
	});

	it('Stop ends a GET at once', async () => {
		const { client, sandbox, save } = n8n();
		sandbox.faults.add({ fault: stall });
		const id = await client.runWorkflow(await save(workflowOf(LIST)));
		await until(() => sandbox.requests.length === 1);
		await sleep(200);
		await client.stopExecution(id);
		expect((await client.waitForExecution(id)).status).toBe('canceled');
		await sleep(1_500);
		expect(sandbox.requests).toHaveLength(1);
	});

	it('Stop ends a POST within about ten seconds, and logs it as unknown', async () => {
		const { client, sandbox, save, log } = n8n();
		const before = (await log()).length;
		sandbox.faults.add({ match: 'keyword 1.', fault: stall });
		const id = await client.runWorkflow(await save(workflowOf(CREATE, keywords(3))));
		await until(() => sandbox.requests.length === 2);
		await sleep(200);
		const asked = performance.now();
		await client.stopExecution(id);
		await until(async () => cancelledLines(await logSince(before)).length > 0, 40_000);
		expect(performance.now() - asked).toBeLessThan(40_000);
		const [line, ...others] = cancelledLines(await logSince(before));
		expect(others).toEqual([]);
		expect(line).toContain(
			`Of 3 items, 1 was done (job_id: ${jobIds()[0]}), 1 failed, 1 was not started.`,
		);
		expect(line).toContain('may have been carried out');
		expect((await client.getExecution(id)).status).toBe('canceled');
	});
});

describe('the summary of a cancelled run', () => {
	it.each<[string, Fault, Partial<INode>, string]>([
		['the third in flight gets a 500', status(500), {}, 'The service could not process'],
		[
			'with Retry On Fail, the third in flight gets a 500',
			status(500),
			RETRY_ON_FAIL,
			'The service could not process',
		],
		[
			'with Continue, the third is carried out without a response',
			{ kind: 'drop', carryOut: true },
			CONTINUE,
			'The connection to the service broke',
		],
	])('with two jobs created, %s', async (_what, fault, settings, reason) => {
		const { client, sandbox, save, log } = n8n();
		const before = (await log()).length;
		sandbox.faults.add({ match: 'keyword 2.', fault: { kind: 'delay', ms: 1_500 } });
		sandbox.faults.add({ match: 'keyword 2.', fault });
		const id = await client.runWorkflow(await save(workflowOf(CREATE, keywords(6), settings)));
		await until(() => sandbox.requests.length === 3);
		await client.stopExecution(id);
		await until(async () => cancelledLines(await logSince(before)).length > 0, 10_000);
		await sleep(1_000);
		const [line, ...others] = cancelledLines(await logSince(before));
		const [first, second] = jobIds();
		expect(line).toContain(
			`Of 6 items, 2 were done (job_id: ${first}, ${second}), 1 failed, 3 were not started. Item 2: ${reason}`,
		);
		expect(others).toEqual([]);
		expect(sandbox.requests).toHaveLength(3);
		expect((await client.getExecution(id)).status).toBe('canceled');
	});
});

describe('the key is not exposed', () => {
	/** With characters that JSON, URLs and HTML escape, and words that occur nowhere else. */
	const KEY = 'Zqxv/Wkjh+Yqpz&Jüxw';
	const escaped = JSON.stringify(KEY).replace(
		/[+&ü]/g,
		(sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
	);
	let sandbox: Sandbox;
	let credential: { id: string; name: string };

	beforeAll(async () => {
		sandbox = await startSandbox({ key: KEY });
		const name = 'With Signs';
		const data = { baseUrl: sandbox.address, apiKey: KEY, keyFormat: 'documented' };
		const id = await n8n().client.createCredential({ name, type: CREDENTIAL_TYPE, data });
		credential = { id, name };
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.stop());

	async function run(parameters: INodeParameters) {
		const { client } = n8n();
		const workflow = workflowOf(parameters);
		workflow.nodes[1]!.credentials = { [CREDENTIAL_TYPE]: credential };
		const { id } = await client.createWorkflow(workflow);
		return await client.waitForExecution(await client.runWorkflow(id));
	}

	const FAULTS: Array<[string, Fault]> = [
		...(['plain', 'slashes', 'unicode', 'percent', 'nested'] as const).map(
			(form): [string, Fault] => [form, { kind: 'echo', status: 400, form }],
		),
		['in the Location header', { kind: 'echo', status: 302, in: 'location' }],
		['with \\u002B', { kind: 'raw', status: 400, body: `{"message":${escaped}}` }],
		['with \\u002B in no JSON', status(400, { body: escaped })],
		[
			'JSON in JSON',
			{ kind: 'raw', status: 400, body: `{"message":${JSON.stringify(`{"key":${escaped}}`)}}` },
		],
		[
			'in a success',
			{ kind: 'raw', body: `{"plan":${escaped},"remaining":"1","job_id":${escaped}}` },
		],
	];

	it.each(FAULTS)('even if the service repeats it, %s', async (_form, fault) => {
		sandbox.faults.add({ fault });
		for (const parameters of [CREATE, { ...USAGE, simple: false }]) {
			expectNothingOf(KEY, await run(parameters));
		}
		expect(sandbox.requests).toHaveLength(2);
		expectNothingOf(KEY, await n8n().log());
	});
});

describe('when every row of Add Many Items returns the values of all rows', () => {
	const COUNT = 2_000;

	it('2,000 rows finish, and n8n stays responsive', async () => {
		const { client, sandbox, save } = n8n();
		const rows = Array.from({ length: COUNT }, (_, row) => ({ value: `site-${row}.example.com` }));
		const parameters = {
			...ADD_MANY,
			values: '={{ $("Start").all().map(i => i.json.value) }}',
			options: { concurrency: 20 },
		};
		const workflow = await save(workflowOf(parameters, rows));
		const idle = (await memoryOfChildren()) ?? 0;
		const id = await client.runWorkflow(workflow);

		const health = watchHealth(client.address);
		const started = performance.now();
		await until(() => sandbox.requestCount === COUNT, 500_000);
		const seconds = (performance.now() - started) / 1000;
		const { worst, asked, memory } = await health.end();
		process.stdout.write(
			`7. ${COUNT} x ${COUNT} values took ${seconds.toFixed(1)} s; n8n's slowest of ${asked} answers took ${worst.toFixed(0)} ms; memory ${idle.toFixed(0)} MB before, ${memory.toFixed(0)} MB at most\n`,
		);
		const execution = await client.waitForExecution(id, 60_000);
		expect(execution.status).toBe('success');
		expect(outputOf(execution, NODE)[0]!.json).toEqual({
			blacklist: 'customers',
			...{ added: COUNT, duplicates: COUNT * COUNT - COUNT, invalid: 0, failed: 0 },
			problems: [],
		});
		expect(sandbox.state.blacklists.get('customers')!.size).toBe(COUNT);
		expect(worst).toBeLessThan(2_000);
	}, 600_000);

	/** Polls n8n's health every 100 ms until stopped. */
	function watchHealth(address: string) {
		let isOver = false;
		let worst = 0;
		let asked = 0;
		let memory = 0;
		const watch = (async () => {
			while (!isOver) {
				const started = performance.now();
				const response = await fetch(`${address}/healthz`);
				await response.body?.cancel();
				const took = performance.now() - started;
				worst = Math.max(worst, took);
				asked += 1;
				memory = Math.max(memory, (await memoryOfChildren()) ?? 0);
				await sleep(Math.max(0, 100 - took));
			}
		})();
		return {
			end: async () => {
				isOver = true;
				await watch;
				return { worst, asked, memory };
			},
		};
	}
});

describe('a slow service, with default settings', () => {
	it.each<[string, Fault]>([
		['1 a second', { kind: 'rateLimit', perSecond: 1 }],
		['2 a second', { kind: 'rateLimit', perSecond: 2 }],
		['1 at once', { kind: 'capacity', atOnce: 1, ms: 50, refuses: true }],
		['2 at once', { kind: 'capacity', atOnce: 2, ms: 50, refuses: true }],
	])('receives all 20 adds at %s', async (_limit, fault) => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ fault });
		const execution = await run(workflowOf(ADD, domains(20)));
		expect(errorOf(execution)).toBeUndefined();
		expect(outputOf(execution, NODE)).toHaveLength(20);
		expect(sandbox.state.blacklists.get('customers')!.size).toBe(20);
	});
});

describe('a word that n8n treats as a cancellation', () => {
	it.each(['canceled', 'cancelled'])('%s leaves the execution failed', async (word) => {
		const { sandbox, run } = n8n();
		const message = `Your plan was ${word}`;
		const faults: Fault[] = [
			status(402, { body: { message } }),
			{ kind: 'redirect', to: `https://example.com/${word}` },
		];
		for (const fault of faults) {
			sandbox.faults.clear();
			sandbox.faults.add({ fault });
			expect((await run(workflowOf(CREATE))).status).toBe('error');
		}
		const refused = { ...ADD, type: 'cid', value: `={{ "${word}" }}` };
		const execution = await run(workflowOf(refused));
		expect(execution.status).toBe('error');
		expect(errorOf(execution)?.message).toMatch(/"Value" is invalid for the type CID/);
	});
});

describe('a credential with an expression', () => {
	it.each(['={{ $json.key }}', '={{ $("Start").item.json.key }}'])(
		'%s gives each item its own key',
		async (apiKey) => {
			const { client, sandbox } = n8n();
			const name = `Per Item ${apiKey}`;
			const data = { baseUrl: sandbox.address, apiKey, keyFormat: 'documented' };
			const id = await client.createCredential({ name, type: CREDENTIAL_TYPE, data });
			const keys = ['first-key', 'second-key'];
			sandbox.faults.add({ fault: { kind: 'json', body: { job_id: 'made' } } });
			const workflow = workflowOf(
				CREATE,
				keys.map((key) => ({ key })),
			);
			workflow.nodes[1]!.credentials = { [CREDENTIAL_TYPE]: { id, name } };
			const stored = await client.createWorkflow(workflow);
			const execution = await client.waitForExecution(await client.runWorkflow(stored.id));
			expect(errorOf(execution)).toBeUndefined();
			expect(sandbox.requests.map(({ headers }) => headers['x-api-key'])).toEqual(
				keys.map((key) => `Token ${key}`),
			);
		},
	);
});
