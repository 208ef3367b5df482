import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { startSandbox, type Fault, type Sandbox } from '../../sandbox';
import { runWorkflow, workflowOf, type EngineRun } from '../support/engine';
import { ADD, ADD_MANY, CREATE, domains, keywords } from '../support/parameters';

const VALUES = [{ values: domains(20).map(({ value }) => value) }];

/** Default settings, 20 items each; concurrently, because they take real time. */
const CASES: Array<[string, Fault, INodeParameters, object[]]> = [
	['1 per second', { kind: 'rateLimit', perSecond: 1 }, ADD, domains(20)],
	['2 per second', { kind: 'rateLimit', perSecond: 2 }, ADD, domains(20)],
	[
		'2 per second, with a date',
		{ kind: 'rateLimit', perSecond: 2, retryAfter: 'date' },
		ADD,
		domains(20),
	],
	[
		'2 per second, without Retry-After',
		{ kind: 'rateLimit', perSecond: 2, retryAfter: 'none' },
		ADD,
		domains(20),
	],
	[
		'2 per second, with a wrong Retry-After',
		{ kind: 'rateLimit', perSecond: 2, retryAfter: 'decimal' },
		ADD,
		domains(20),
	],
	['2 per second, Job: Create', { kind: 'rateLimit', perSecond: 2 }, CREATE, keywords(20)],
	['2 per second, Add Many Items', { kind: 'rateLimit', perSecond: 2 }, ADD_MANY, VALUES],
	['1 at once', { kind: 'capacity', atOnce: 1, ms: 50, refuses: true }, ADD, domains(20)],
	['2 at once', { kind: 'capacity', atOnce: 2, ms: 50, refuses: true }, ADD, domains(20)],
	[
		'1 at once, with Retry-After',
		{ kind: 'capacity', atOnce: 1, ms: 50, refuses: true, retryAfter: '1' },
		ADD,
		domains(20),
	],
	[
		'1 at once, Add Many Items',
		{ kind: 'capacity', atOnce: 1, ms: 50, refuses: true },
		ADD_MANY,
		VALUES,
	],
];

interface Finished {
	run: EngineRun;
	sandbox: Sandbox;
	seconds: number;
}

describe('a slow service, with default settings', () => {
	const ended = new Map<string, Finished>();

	beforeAll(async () => {
		await Promise.all(
			CASES.map(async ([name, fault, parameters, items]) => {
				const sandbox = await startSandbox();
				sandbox.faults.add({ fault });
				const account = { baseUrl: sandbox.address, apiKey: sandbox.key, keyFormat: 'documented' };
				const started = performance.now();
				const run = await runWorkflow(workflowOf(parameters, items as []), account);
				ended.set(name, { run, sandbox, seconds: (performance.now() - started) / 1000 });
			}),
		);
	}, 120_000);

	afterAll(async () => {
		const lines = CASES.map(([name]) => {
			const { seconds, sandbox } = ended.get(name)!;
			const refused = sandbox.requests.filter(({ status }) => status === 429).length;
			return `${name}: ${seconds.toFixed(1)} s, ${refused} refused`;
		});
		process.stdout.write(`20 at a slow service.\n${lines.join('\n')}\n`);
		await Promise.all([...ended.values()].map(async ({ sandbox }) => await sandbox.stop()));
	});

	it.each(CASES)('receives all 20 at %s', (name) => {
		const { run, sandbox, seconds } = ended.get(name)!;
		expect(run.error).toBeUndefined();
		const { jobs, blacklists } = sandbox.state;
		expect(jobs.length + (blacklists.get('customers')?.size ?? 0)).toBe(20);
		const [items] = run.outputs as [INodeExecutionData[]];
		if (name.includes('Many')) expect(items[0]!.json).toMatchObject({ added: 20, failed: 0 });
		else expect(items).toHaveLength(20);
		expect(sandbox.requests.filter(({ carriedOut }) => carriedOut)).toHaveLength(20);
		expect(seconds).toBeLessThan(60);
	});
});
