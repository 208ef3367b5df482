import type { INode, INodeParameters } from 'n8n-workflow';

import type { Workflow } from '../../n8n/client';
import type { Execution } from '../../n8n/execution';
import { LANES } from '../../nodes/shared/account/lane';
import { CREATE } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { onWebhook } from '../support/workflowOf';
import { errorOf, n8n, NODE, outputOf, restartN8n, SET_UP_MS } from './n8n';
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

type Edit = (workflow: Pick<Workflow, 'nodes' | 'connections'>) => Partial<Workflow>;

const to = (...names: string[]) => names.map((node) => ({ node, type: 'main' as const, index: 0 }));

const nodeOf = (name: string, type: string, typeVersion: number, parameters: object) => ({
	...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion },
	position: [0, 0] as [number, number],
	parameters: parameters as INodeParameters,
});

/** Puts a new node between two others. */
const insert =
	(added: INode, before: string, after: string): Edit =>
	({ nodes, connections }) => ({
		nodes: [...nodes, added],
		connections: {
			...connections,
			[before]: { main: [to(added.name)] },
			[added.name]: { main: [to(after)] },
		},
	});

const rename =
	(from: string, name: string): Edit =>
	({ nodes, connections }) => {
		const text = JSON.stringify({ nodes, connections });
		return JSON.parse(text.replaceAll(`"${from}"`, `"${name}"`)) as Partial<Workflow>;
	};

/** Leads each pass of a loop through the node. */
const loopBefore: Edit = ({ nodes, connections }) => ({
	nodes: [...nodes, nodeOf('Loop', 'splitInBatches', 3, { batchSize: 1 })],
	connections: {
		...connections,
		'Split Out': { main: [to('Loop')] },
		Loop: { main: [[], to(NODE)] },
		[NODE]: { main: [to('Loop')] },
	},
});

/** A Filter that leaves out these keywords, as a person adds it who has read them in the log. */
function filterOf(keywordsDone: unknown[]): INode {
	const condition = {
		leftValue: `={{ !${JSON.stringify(keywordsDone)}.includes($json.item) }}`,
		rightValue: '',
		operator: { type: 'boolean', operation: 'true', singleValue: true },
	};
	const conditions = { options: { version: 2 }, combinator: 'and', conditions: [condition] };
	return nodeOf('Filter', 'filter', 2.2, { conditions });
}

/** Changes a saved workflow. */
async function change(id: string, edit: Edit): Promise<void> {
	const { client } = n8n();
	await client.updateWorkflow(id, edit(await client.getWorkflow(id)));
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
		expect(jobs().length - RESPONSES).toBeLessThanOrEqual(LANES.jobs.most);
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
		await change(id, insert(filterOf(done), 'Split Out', NODE));
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

/** The service carries out the job of this item without a response, and n8n is killed. */
const LAST = 3;

/**
 * A Wait that suspends the execution, and a node behind it: what had finished before the Wait is stored, not rebuilt.
 * Another node knows how it is resumed, with one item.
 */
const suspend: Edit = ({ nodes, connections }) => {
	const url = { id: 'url', name: 'url', type: 'string', value: '={{ $execution.resumeUrl }}' };
	const address = nodeOf('Address', 'set', 3.4, { assignments: { assignments: [url] } });
	const wait = nodeOf('Wait', 'wait', 1.1, { resume: 'webhook', options: {} });
	const behind = nodeOf('Behind', 'noOp', 1, {});
	const keyword = `={{ $("Split Out").all()[${LAST}].json.item }}`;
	const others = nodes.map((node) =>
		node.name === NODE ? { ...node, parameters: { ...node.parameters, keyword } } : node,
	);
	return {
		nodes: [...others, address, { ...wait, webhookId: 'wait' }, behind],
		connections: {
			...connections,
			'Split Out': { main: [to('Address')] },
			Address: { main: [to('Wait')] },
			Wait: { main: [to('Behind')] },
			Behind: { main: [to(NODE)] },
		},
	};
};

async function resume(execution: string): Promise<void> {
	const { client } = n8n();
	await until(async () => (await client.getExecution(execution)).status === 'waiting');
	const [item] = outputOf(await client.getExecution(execution), 'Address');
	// A retry has another id.
	const { search } = new URL(String(item!.json.url));
	await client.send(`/webhook-waiting/${execution}${search}`, {});
}

const pause = insert(
	nodeOf('Pause', 'wait', 1.1, { amount: 40, unit: 'seconds' }),
	'Split Out',
	NODE,
);

describe('the retry of an execution that was killed in the middle, whatever is changed since:', () => {
	const ITEMS = [0, 1, 2, 3, 4, 5];

	interface Case {
		settings?: Partial<INode>;
		/** What the workflow is, besides the webhook, Split Out and the node. */
		built?: Edit;
		/** What is changed before it is retried. */
		changed?: (done: string[]) => Edit;
		/** How many jobs the retry creates. */
		creates: number;
	}

	const filter = (after: string) => (done: string[]) => insert(filterOf(done), 'Split Out', after);
	const CASES: Record<string, Case> = {
		'the node before is renamed': { changed: () => rename('Split Out', 'Rows'), creates: 0 },
		'a loop is put before': { changed: () => loopBefore, creates: 0 },
		'every pass with Continue': { settings: CONTINUE, built: loopBefore, creates: 0 },
		'a Filter was there, and a node is renamed': {
			built: insert(filterOf([]), 'Split Out', NODE),
			changed: () => rename('Split Out', 'Rows'),
			creates: 0,
		},
		'a node is put before, behind a Wait that suspended it': {
			built: suspend,
			changed: () => insert(nodeOf('New', 'noOp', 1, {}), 'Behind', NODE),
			creates: 0,
		},
		'a new Filter': { changed: filter(NODE), creates: ITEMS.length - LAST },
		'a new Filter before the loop': {
			built: loopBefore,
			changed: filter('Loop'),
			creates: ITEMS.length - LAST,
		},
		'it had not begun': { built: pause, creates: ITEMS.length },
	};
	const paths = Object.keys(CASES).map((name) => name.replaceAll(/\W/g, '-'));
	const keywordOf = (path: string, item: number) => `${path} ${item}.`;
	const keywords = () => n8n().sandbox.state.jobs.map(({ keyword }) => keyword);
	const ids: string[] = [];

	it(
		'all are killed',
		async () => {
			const { client, kill, sandbox, save } = n8n();
			sandbox.state.remaining = 1_000;
			const parameters = { ...CREATE, keyword: '={{ $json.item }}', options: { concurrency: 1 } };
			const executions: string[] = [];
			// Last, what pauses: it must not go on before n8n is killed.
			for (const [index, { settings, built }] of Object.values(CASES).entries()) {
				const path = paths[index]!;
				const match = keywordOf(path, LAST);
				sandbox.faults.add({ match, fault: { kind: 'stall', carryOut: true } });
				const id = await save(onWebhook(path, parameters, settings));
				if (built) await change(id, built);
				await client.activate(id);
				await client.webhooks.call(path, { items: ITEMS.map((item) => keywordOf(path, item)) });
				ids.push(id);
				const started = async () => (await client.listExecutions(id))[0];
				await until(async () => (await started()) !== undefined);
				const { id: execution } = (await started())!;
				executions.push(execution);
				if (built === suspend) await resume(execution);
				if (built !== pause) await until(() => keywords().includes(keywordOf(path, LAST)));
			}
			await kill();
			sandbox.faults.clear();
			await restartN8n();
			for (const id of executions) expect((await n8n().ended(id)).status).toBe('crashed');
		},
		SET_UP_MS,
	);

	it.each(Object.entries(CASES))('%s', async (name, { built, changed, creates }) => {
		const { client } = n8n();
		const index = Object.keys(CASES).indexOf(name);
		const [path, id] = [paths[index]!, ids[index]!];
		const done = ITEMS.slice(0, LAST).map((item) => keywordOf(path, item));
		if (changed) await change(id, changed(done));
		const [execution] = await client.listExecutions(id);
		const retry = await client.retryExecution(execution!.id, true);
		if (built === suspend) await resume(retry);
		const retried = await n8n().ended(retry);
		expect(keywords()).toHaveLength(creates);
		expect(keywords().filter((keyword) => done.includes(String(keyword)))).toEqual(
			creates === ITEMS.length ? done : [],
		);
		if (creates > 0) expect(retried.status).toBe('success');
		else expect(JSON.stringify(retried.data)).toContain('Not sent: n8n ended in the middle');
		await client.deactivate(id);
	});
});
