import type { Execution } from '../../n8n/execution';
import { IN_FLIGHT } from '../../nodes/shared/account/lane';
import { CREATE } from '../support/parameters';
import { onWebhook } from '../support/workflowOf';
import { errorOf, n8n, NODE, restartN8n, SET_UP_MS } from './n8n';
import { until } from './until';

const EXECUTIONS = 30;
/** Each second execution. */
const MANY_JOBS = 20;
/** The service responds to so many jobs, and carries out the next ones without a response. */
const RESPONSES = 150;

/** The ids in a stored execution. */
function storedIds({ data }: Execution): string[] {
	const runs = data.resultData.runData[NODE] ?? [];
	const items = runs.flatMap((run) => run.data?.main?.flat() ?? []);
	return items.flatMap((item) => (item?.json.job_id ? [String(item.json.job_id)] : []));
}

/** The ids in the progress lines of the log. */
function loggedIds(log: string): string[] {
	const lines = log.matchAll(/\d+ of \d+ finished, new: ([^\n{]*)/g);
	return [...lines].flatMap(([, ids]) => ids!.split(', ').map((job) => job.split(' ')[0]!));
}

/** Puts a Filter node directly before the node, as a person does who has read these keywords in the log. */
async function leaveOut(id: string, keywordsDone: unknown[]): Promise<void> {
	const { client } = n8n();
	const { nodes, connections } = await client.getWorkflow(id);
	const isLeft = `={{ !${JSON.stringify(keywordsDone)}.includes($json.item) }}`;
	const condition = {
		leftValue: isLeft,
		rightValue: '',
		operator: { type: 'boolean', operation: 'true', singleValue: true },
	};
	const filter = {
		id: 'filter',
		name: 'Filter',
		type: 'n8n-nodes-base.filter',
		typeVersion: 2.2,
		position: [0, 0] as [number, number],
		parameters: {
			conditions: { options: { version: 2 }, combinator: 'and', conditions: [condition] },
		},
	};
	const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	await client.updateWorkflow(id, {
		nodes: [...nodes, filter],
		connections: { ...connections, 'Split Out': to('Filter'), Filter: to(NODE) },
	});
}

it(
	'n8n killed during many executions loses at most the jobs in flight, and a retry creates none again',
	async () => {
		const { client, ended, kill, log, sandbox, save } = n8n();
		sandbox.state.remaining = 100_000;
		sandbox.faults.add({ skip: RESPONSES, fault: { kind: 'stall', carryOut: true } });
		const id = await save(onWebhook('leads', { ...CREATE, keyword: '={{ $json.item }}' }));
		await client.activate(id);
		const call = async (_: unknown, index: number) => {
			const count = index % 2 === 0 ? 1 : MANY_JOBS;
			const items = Array.from({ length: count }, (_none, job) => `keyword ${index}-${job}.`);
			await client.webhooks.call('leads', { items });
		};
		await Promise.all(Array.from({ length: EXECUTIONS }, call));

		const jobs = () => sandbox.state.jobs;
		const stored = async () => {
			const executions = await client.listExecutions(id, 100);
			const done = executions.filter(({ status }) => status === 'success');
			return (await Promise.all(done.map((one) => ended(one.id)))).flatMap(storedIds);
		};
		// Within a second, each job with a response is in the log, or in a stored execution.
		await until(async () => {
			// The log of the shared n8n names the jobs of other tests, too.
			const named = new Set([...loggedIds(await log()), ...(await stored())]);
			const own = jobs().filter(({ job_id }) => named.has(job_id));
			return own.length === RESPONSES && jobs().length > RESPONSES;
		});
		await kill();
		const before = await log();
		expect(jobs().length - RESPONSES).toBeLessThanOrEqual(IN_FLIGHT.jobs.most);
		expect(new Set(jobs().map(({ keyword }) => keyword)).size).toBe(jobs().length);

		// n8n resumes none of them.
		const paid = jobs().length;
		sandbox.faults.clear();
		await restartN8n();
		const executions: Execution[] = [];
		for (const one of await n8n().client.listExecutions(id, 100)) {
			executions.push(await n8n().ended(one.id));
		}
		expect(executions).toHaveLength(EXECUTIONS);
		const ends = new Set(executions.map(({ status }) => status));
		expect(ends).toEqual(new Set(['success', 'crashed']));
		expect(jobs()).toHaveLength(paid);

		// n8n rebuilds what its event log shows to be unfinished, and the retry of that sends nothing. Of one that
		// had ended, but was not stored yet, it shows nothing at all.
		const hasEnded = (id: string) => new RegExp(`execution ${id}\\): (\\d+) of \\1 `).test(before);
		const [crashed] = executions
			.reverse()
			.filter(({ status }) => status === 'crashed')
			.filter(({ id, data }) => NODE in data.resultData.runData && !hasEnded(id));
		const refused = await n8n().retry(crashed!.id);
		expect(errorOf(refused)?.message).toMatch(/^Not sent: n8n ended in the middle/);
		expect(jobs()).toHaveLength(paid);

		// The way on that the error names.
		const done = jobs().flatMap(({ job_id, keyword }) =>
			loggedIds(before).includes(job_id) ? [keyword] : [],
		);
		await leaveOut(id, done);
		expect((await n8n().retry(crashed!.id, true)).status).toBe('success');
		const created = jobs().map(({ keyword }) => keyword);
		const twice = created.filter((keyword, index) => created.indexOf(keyword) !== index);
		// What was in flight when n8n was killed is in no log.
		expect(twice.filter((keyword) => done.includes(keyword))).toEqual([]);
		expect(created.length).toBeGreaterThan(paid);

		// New executions run.
		await n8n().client.webhooks.call('leads', { items: ['afterwards'] });
		await until(() => jobs().some(({ keyword }) => keyword === 'afterwards'));
		await n8n().client.deactivate(id);
	},
	SET_UP_MS,
);
