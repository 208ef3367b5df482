import type { Execution } from '../../n8n/client';
import type { RecordedRequest } from '../../sandbox';
import { status } from '../support/faults';
import { ADD, CREATE } from '../support/parameters';
import { until } from '../support/until';
import { onWebhook, workflowOf } from '../support/workflowOf';
import { errorOf, NODE, outputOf, useN8n } from './n8n';

const n8n = useN8n();

const ONE_JOB = { ...CREATE, keyword: '={{ $json.item }}' };

/** The largest page of n8n's list. */
const MOST_LISTED = 100;

/**
 * Starts this many executions at once, and waits until there is a job for each.
 *
 * @returns the newest executions, when all have ended
 */
async function startAtOnce(count: number) {
	const { client, sandbox, save } = n8n();
	const path = `jobs-${Math.random().toString(36).slice(2)}`;
	const id = await save(onWebhook(path, ONE_JOB));
	await client.activate(id);
	await client.callWebhook(path, { items: ['first'] });
	const calls = Array.from({ length: count - 1 }, (_, index) =>
		client.callWebhook(path, { items: [`keyword ${index}`] }),
	);
	await Promise.all(calls);
	await until(() => sandbox.state.jobs.length >= count, 110_000);
	const running = ({ status: now }: { status: string }) => ['new', 'running'].includes(now);
	await until(async () => !(await client.listExecutions(id, MOST_LISTED)).some(running), 10_000);
	await client.deactivate(id);
	return await client.listExecutions(id, MOST_LISTED);
}

const refusedShare = () => {
	const { requests } = n8n().sandbox;
	return requests.filter(({ status: code }) => code === 429).length / requests.length;
};

it.each([
	[100, 'seconds'],
	[100, 'date'],
	[100, 'none'],
	[200, 'seconds'],
] as const)(
	'%i executions at once create each job once at 5 a second (Retry-After: %s)',
	async (count, retryAfter) => {
		const { sandbox } = n8n();
		sandbox.faults.add({ fault: { kind: 'rateLimit', perSecond: 5, retryAfter } });
		const executions = await startAtOnce(count);
		expect(executions.filter(({ status: end }) => end !== 'success')).toEqual([]);
		const made = sandbox.state.jobs.map(({ keyword }) => keyword);
		expect(new Set(made).size).toBe(count);
		expect(made).toHaveLength(count);
		process.stdout.write(
			`${count} executions, ${retryAfter}: ${(100 * refusedShare()).toFixed(1)} % refused in ${Math.round(sandbox.lasted / 100) / 10} s\n`,
		);
		expect(refusedShare()).toBeLessThanOrEqual(0.05);
	},
);

describe('during a bulk run of 2,000 with a limit of 20 per second', () => {
	const BULK = Array.from({ length: 2_000 }, (_, index) => `bulk-${index}.example.com`);
	const SINGLES = 6;
	/** Short enough not to count as a quota. */
	const PAUSE_S = 4;
	/** Requests that other runs send while n8n starts a node, on a busy machine. */
	const BUSY = 5;

	it.each([
		['adds', { ...ADD, value: '={{ $json.item }}' }],
		['jobs', ONE_JOB],
	])('of %s, each single job is sent when it is its turn', async (what, parameters) => {
		const { client, sandbox, save } = n8n();
		sandbox.state.remaining = 100_000;
		sandbox.faults.add({ fault: { kind: 'rateLimit', perSecond: 20 } });
		const activate = async (name: string, of: typeof parameters) => {
			const id = await save(onWebhook(`${name}-${what}`, of));
			await client.activate(id);
			return id;
		};
		const bulk = await activate('bulk', parameters);
		const singles = await activate('singles', ONE_JOB);
		const single = async (name: string) =>
			await client.callWebhook(`singles-${what}`, { items: [name] });
		const sent = (text: string) =>
			sandbox.requests.findIndex(({ rawBody }) => rawBody.includes(`"${text}`));
		await client.callWebhook(`bulk-${what}`, { items: BULK });
		await until(() => sandbox.requests.length > 60, 60_000);

		// One by one.
		const names = Array.from({ length: SINGLES }, (_, index) => `single ${index}.`);
		for (const name of names) {
			await single(name);
			await until(() => sent(name) >= 0, 20_000);
		}
		await until(() => !isUnderWay(sandbox.requests.at(-1)!), 20_000);
		const ahead: number[] = [];
		for (const { id } of await client.listExecutions(singles)) {
			ahead.push(sentAhead(await client.waitForExecution(id), sandbox.requests));
		}
		expect(ahead).toHaveLength(SINGLES);

		// Together, during a pause: the order afterwards does not depend on the machine's speed.
		const tooMany = status(429, { retryAfter: String(PAUSE_S) });
		sandbox.faults.add({ times: 1, fault: tooMany });
		const isPause = ({ fault }: RecordedRequest) => fault === 'status';
		await until(() => sandbox.requests.some(isPause), 20_000);
		const { at: pausedAt } = sandbox.requests.find(isPause)!;
		const together = names.map((name) => `together ${name}`);
		await Promise.all(together.map(single));
		await until(() => together.every((name) => sent(name) >= 0), 60_000);
		const [running] = await client.listExecutions(bulk);
		await client.stopExecution(running!.id);
		expect(sandbox.requests.length).toBeLessThan(BULK.length);
		const during = sandbox.requests.filter(({ at }) => at < pausedAt + 500 * PAUSE_S).length;
		const places = together.map((name) => sent(name) - during).sort((a, b) => a - b);

		process.stdout.write(
			`singles in a bulk run of ${what}: ${ahead.join(', ')} ahead; ${places.join(', ')} after a pause\n`,
		);
		// Sent one by one, a single job waits for the bulk run only; sent together, also for the other
		// singles. While one job is in flight, the next waits for it, and an add of the bulk run may go
		// first.
		for (const requests of ahead) expect(requests).toBeLessThanOrEqual(1 + 1 + BUSY);
		for (const place of places) expect(place).toBeLessThanOrEqual(1 + 2 * SINGLES);
	});

	const isUnderWay = ({ status: code }: RecordedRequest) => code === undefined;

	/** The number of requests sent between the start of a single job's node and its own request. */
	function sentAhead(execution: Execution, requests: RecordedRequest[]): number {
		const { startTime } = execution.data.resultData.runData[NODE]![0]!;
		const from = startTime - Date.now() + performance.now();
		const [{ json }] = outputOf(execution, 'Split Out') as [{ json: { item: string } }];
		const to = requests.find(({ rawBody }) => rawBody.includes(`"${json.item}"`))!.at;
		return requests.filter(({ at }) => at > from && at < to).length;
	}
});

describe('isolation', () => {
	const sites = (name: string, count: number) =>
		Array.from({ length: count }, (_, index) => ({ value: `${name}-${index}.example.com` }));
	const DELAY_MS = 100;
	const COUNT = 200;
	/** How many times longer it may take on a busy machine. */
	const BUSY = 5;

	/** Runs the good execution; returns its output and the seconds that its node took. */
	async function good(): Promise<[object[], number]> {
		const { client, sandbox, save } = n8n();
		const id = await client.runWorkflow(await save(workflowOf(ADD, sites('good', COUNT))));
		const execution = await client.waitForExecution(id, 110_000);
		expect(execution.status).toBe('success');
		const own = sandbox.requests.filter(({ rawBody }) => rawBody.includes('"good-'));
		expect(own.filter(({ status: code }) => code !== 200)).toEqual([]);
		expect(own).toHaveLength(COUNT);
		return [
			outputOf(execution, NODE),
			execution.data.resultData.runData[NODE]![0]!.executionTime / 1_000,
		];
	}

	it('a good execution is not affected by cancelled, refused and waiting ones', async () => {
		const { client, renewAccount, sandbox, save } = n8n();
		const slow = { fault: { kind: 'delay', ms: DELAY_MS } } as const;
		sandbox.faults.add(slow);
		const [outputAlone, alone] = await good();

		sandbox.reset();
		await renewAccount();
		sandbox.faults.add({ match: '"stopped-20.', fault: { kind: 'hang' } });
		sandbox.faults.add({ match: '"other-', fault: status(429, { retryAfter: '60' }) });
		sandbox.faults.add({ match: '"used-up-', skip: 10, fault: status(402) });
		sandbox.faults.add(slow);
		const start = async (name: string, apiKey?: string) =>
			await client.runWorkflow(await save(workflowOf(ADD, sites(name, COUNT)), apiKey));
		const sent = (name: string) =>
			sandbox.requests.filter(({ rawBody }) => rawBody.includes(`"${name}-`)).length;
		const other = await start('other', 'another key');
		await until(() => sent('other') > 0, 20_000);
		const goodOne = good();
		const stopped = await start('stopped');
		const usedUp = await start('used-up');
		const refused = await start('refused', 'a refused key');
		await until(() => sent('stopped') > 25, 60_000);
		await client.stopExecution(stopped);
		const [output, beside] = await goodOne;
		process.stdout.write(`the good one: ${alone} s alone, ${beside} s beside the others\n`);

		expect(output).toEqual(outputAlone);
		expect(beside).toBeLessThan(BUSY * alone);
		expect((await client.waitForExecution(stopped)).status).toBe('canceled');
		const messages = [usedUp, refused].map(async (id) => {
			const execution = await client.waitForExecution(id);
			return errorOf(execution, NODE)?.message;
		});
		expect(await Promise.all(messages)).toEqual([
			'The request allowance of the account is used up',
			'The service refused the API key',
		]);
		expect(sent('stopped')).toBeLessThan(COUNT);
		expect(sent('other')).toBeLessThan(10);
		await client.stopExecution(other);
	});
});
