import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { installTarball } from '../../n8n/package';
import type { Execution } from '../../n8n/client';
import { AUTOMATIC } from '../../nodes/shared/account/account';
import { startSandbox, type Sandbox } from '../../sandbox';
import { CREATE } from '../support/parameters';
import { until } from '../support/until';
import { onWebhook } from '../support/workflowOf';
import { NODE, openN8n, prepareN8n, SET_UP_MS, type TestN8n } from './n8n';

const EXECUTIONS = 50;
/** The service's response time. */
const DELAY_MS = 300;
/** The longest time until a job is in the log, on a busy machine. */
const UNNAMED_MS = 1_000;
/** n8n pauses when it starts after a kill. */
const TEST_MS = 5 * 60_000;

let userFolder: string;
let sandbox: Sandbox;
let n8n: TestN8n | undefined;

beforeEach(async () => {
	const tarball = await prepareN8n();
	userFolder = await mkdtemp(join(tmpdir(), 'n8n-killed-'));
	await installTarball(tarball, userFolder);
	sandbox = await startSandbox({ remaining: 100_000 });
	n8n = await openN8n(userFolder, sandbox);
}, SET_UP_MS);

afterEach(async () => {
	await n8n?.stop();
	await sandbox.stop();
	await rm(userFolder, { recursive: true, force: true });
});

/** The ids in a stored execution. */
function storedIds({ data }: Execution): string[] {
	const runs = data.resultData.runData[NODE] ?? [];
	const items = runs.flatMap((run) => run.data?.main?.flat() ?? []);
	return items.flatMap((item) => (item?.json.job_id ? [String(item.json.job_id)] : []));
}

/** The ids in the progress lines of the log. */
function loggedIds(log: string): string[] {
	const lines = log.matchAll(/\d+ of \d+ finished, new: ([^\n{]*)/g);
	return [...lines].flatMap(([, ids]) => ids!.trim().split(', '));
}

/** Half of the executions end before the kill, the others are interrupted. */
const oneOrMany = (call: number) => (call % 2 === 0 ? 1 : 20);

it.each([
	['one job', () => 1, 20],
	['one job or 20', oneOrMany, 200],
])(
	'n8n killed during 50 concurrent executions of %s each loses at most the jobs in flight',
	async (_what, jobsOf, killAfter) => {
		const { client, save, kill, log } = n8n!;
		sandbox.faults.add({ fault: { kind: 'delay', ms: DELAY_MS } });
		const id = await save(onWebhook('leads', { ...CREATE, keyword: '={{ $json.item }}' }));
		await client.activate(id);
		const calls = Array.from({ length: EXECUTIONS }, async (_, call) => {
			const items = Array.from({ length: jobsOf(call) }, (_none, job) => `keyword ${call}-${job}.`);
			await client.callWebhook('leads', { items });
		});
		await Promise.all(calls);
		await until(() => sandbox.state.jobs.length >= killAfter, 120_000);
		const killedAt = performance.now();
		await kill();
		const lines = loggedIds(await log());
		// The service still carries out what was in flight.
		await sleep(2 * DELAY_MS);
		const requests = sandbox.requestCount;

		n8n = await openN8n(userFolder, sandbox);
		const executions: Execution[] = [];
		for (const one of await n8n.client.listExecutions(id, EXECUTIONS)) {
			executions.push(await n8n.client.waitForExecution(one.id, TEST_MS));
		}
		expect(executions).toHaveLength(EXECUTIONS);
		const ends = executions.map(({ status }) => status);
		expect(new Set(ends)).toEqual(new Set(['success', 'crashed']));

		const named = new Set([...lines, ...executions.flatMap(storedIds)]);
		const created = new Set(sandbox.state.jobs.map(({ job_id }) => job_id));
		expect([...named].filter((one) => !created.has(one))).toEqual([]);
		const keywords = sandbox.state.jobs.map(({ keyword }) => keyword);
		expect(new Set(keywords).size).toBe(keywords.length);
		const sentAt = new Map(sandbox.requests.map(({ rawBody, at }) => [rawBody, at]));
		const lost = sandbox.state.jobs.filter(({ job_id }) => !named.has(job_id));
		const lostAfter = lost.map(({ keyword }) => {
			const [, at] = [...sentAt].find(([body]) => body.includes(`"${keyword}"`))!;
			return Math.round(killedAt - at);
		});
		process.stdout.write(
			`killed with ${created.size} jobs: ${lines.length} logged, ${ends.filter((end) => end === 'success').length} executions stored, ${lost.length} unnamed, sent ${lostAfter.join(', ')} ms before\n`,
		);
		expect(lost.length).toBeLessThanOrEqual(AUTOMATIC.jobs.most);
		expect(lostAfter.filter((ms) => ms > DELAY_MS + UNNAMED_MS)).toEqual([]);

		// n8n resumes none of them, and new executions run.
		expect(sandbox.requestCount).toBe(requests);
		await n8n.client.callWebhook('leads', { items: ['afterwards'] });
		await until(() => sandbox.state.jobs.some(({ keyword }) => keyword === 'afterwards'), 60_000);
	},
	TEST_MS,
);

// A limit of n8n that docs/reliability.md describes.
it(
	'a crashed execution that is retried starts from its beginning, and creates all its jobs again',
	async () => {
		const { client, save, kill } = n8n!;
		sandbox.faults.add({ fault: { kind: 'delay', ms: DELAY_MS } });
		const workflow = onWebhook('two-steps', { ...CREATE, keyword: '={{ $json.item }}' });
		const parameters = { ...CREATE, keyword: '={{ "after " + $json.job_id }}' };
		workflow.nodes.push({ ...workflow.nodes.at(-1)!, id: 'second', name: 'Second', parameters });
		workflow.connections[NODE] = { main: [[{ node: 'Second', type: 'main', index: 0 }]] };
		const id = await save(workflow);
		await client.activate(id);
		const items = ['first', 'second'];
		await client.callWebhook('two-steps', { items });
		await until(() => sandbox.state.jobs.length > items.length, 60_000);
		await kill();
		await sleep(2 * DELAY_MS);
		const paid = sandbox.state.jobs.length;

		n8n = await openN8n(userFolder, sandbox);
		const [interrupted] = await n8n.client.listExecutions(id);
		const crashed = await n8n.client.waitForExecution(interrupted!.id, TEST_MS);
		expect(crashed.status).toBe('crashed');
		const retried = await n8n.client.retryExecution(crashed.id);
		expect((await n8n.client.waitForExecution(retried)).status).toBe('success');
		expect(sandbox.state.jobs).toHaveLength(paid + 2 * items.length);
	},
	TEST_MS,
);
