import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { Workflow } from '../../../n8n/client';
import type { Execution } from '../../../n8n/execution';
import { LANES } from '../../../nodes/shared/pacing/lane';
import { CREATE, ONE_BY_ONE } from '../../support/parameters';
import { onWebhook } from '../../support/workflowOf';
import { errorOf, n8n, NODE, outputOf, restartN8n, SET_UP_MS } from '../n8n';
import { until } from '../until';

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

/** Changes a saved workflow. */
async function change(id: string, edit: Edit): Promise<void> {
	const { client } = n8n();
	await client.updateWorkflow(id, edit(await client.getWorkflow(id)));
}

const CRASHED = /^Not sent: n8n crashed in the middle/;
const ONLY_THE_REST = [
	'Look in the log of the n8n server, and in your account.',
	'Run the workflow with only the items that are in neither, ',
];

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
		expect(errorOf(refused)?.message).toMatch(CRASHED);
		for (const words of ONLY_THE_REST) expect(errorOf(refused)?.description).toContain(words);
		expect(jobs()).toHaveLength(paid);

		// Followed.
		const named = loggedIds(before);
		const done = jobs().flatMap(({ job_id, keyword }) => (named.includes(job_id) ? [keyword] : []));
		const items = outputOf(refused, 'Split Out').map(({ json }) => String(json.item));
		const rest = items.filter((item) => !done.includes(item));
		await n8n().client.webhooks.call('leads', { items: rest });
		await until(() => jobs().length === paid + rest.length);
		const created = jobs().map(({ keyword }) => keyword);
		expect(created).toEqual(expect.arrayContaining(items));
		// What was in flight when n8n was killed is in no log.
		const twice = created.filter((keyword, index) => created.indexOf(keyword) !== index);
		expect(twice.filter((keyword) => done.includes(keyword))).toEqual([]);

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

/** A node before the others, which takes so many seconds. */
const pauseOf = (amount: number) =>
	nodeOf('Pause', 'wait', 1.1, { amount, unit: 'seconds', resume: 'timeInterval' });
const pause = insert(pauseOf(45), 'Split Out', NODE);
const shorten: Edit = ({ nodes }) => ({
	nodes: nodes.map((node) => (node.name === 'Pause' ? { ...node, ...pauseOf(1) } : node)),
});

/** From Split Out two branches to the node, each of which names its items. */
const inBranches: Edit = ({ nodes, connections }) => {
	const branches = ['One', 'Two'].map((name, index): INode => {
		const value = `={{ $json.item + " ${name}" }}`;
		const assignments = [{ id: 'item', name: 'item', type: 'string', value }];
		const branch = nodeOf(name, 'set', 3.4, { assignments: { assignments }, options: {} });
		return { ...branch, position: [0, 200 * index] };
	});
	return {
		nodes: [...nodes, ...branches],
		connections: {
			...connections,
			'Split Out': { main: [to('One', 'Two')] },
			One: { main: [to(NODE)] },
			Two: { main: [to(NODE)] },
		},
	};
};

describe('the retry of an execution that was killed in the middle, whatever is changed since:', () => {
	const ITEMS = [0, 1, 2, 3, 4, 5];

	interface Case {
		settings?: Partial<INode>;
		/** What the workflow is, besides the webhook, Split Out and the node. */
		built?: Edit;
		/** Whether a node before this one pauses when n8n is killed: this one has not begun. */
		isPaused?: true;
		/** What the last item is named with that was begun. */
		branch?: string;
		/** What is changed before it is retried. */
		changed?: Edit;
		/** What the retry says, which is followed. */
		followed?: string[];
	}

	const REGULAR: Partial<INode> = { onError: 'continueRegularOutput' };

	const CASES: Record<string, Case> = {
		'a node is put before, behind a Wait that suspended it': {
			built: suspend,
			changed: insert(nodeOf('New', 'noOp', 1, {}), 'Behind', NODE),
		},
		'two branches with Continue, killed in the second': {
			...{ settings: REGULAR, built: inBranches, branch: ' Two' },
		},
		'its words are followed': { followed: ONLY_THE_REST },
		'it had not begun': { built: pause, isPaused: true, changed: shorten },
	};
	const rows = Object.values(CASES);
	const paths = rows.map((_row, index) => `killed-${index}`);
	const itemsOf = (index: number) => ITEMS.map((item) => `${paths[index]} ${item}.`);
	const ids: string[] = [];
	let logged = '';
	/** What the log says was done, by its keyword. */
	const doneIn = (path: string) =>
		[...logged.matchAll(/ for "(.*?)"/g)].flatMap(([, keyword]) =>
			keyword!.startsWith(`${path} `) ? [keyword!] : [],
		);
	/** How many jobs were done when n8n was killed. */
	const countDone = ({ branch, built, isPaused }: Case) =>
		isPaused || built === suspend ? 0 : LAST + (branch ? ITEMS.length : 0);
	const sent = () =>
		n8n().sandbox.requests.map(({ body }) => String((body as IDataObject).keyword));

	it(
		'all are killed',
		async () => {
			const { client, kill, log, sandbox, save } = n8n();
			sandbox.state.remaining = 1_000;
			const executions = new Map<number, string>();
			const start = async (index: number) => {
				const id = ids[index]!;
				await client.webhooks.call(paths[index]!, { items: itemsOf(index) });
				await until(async () => (await client.listExecutions(id)).length > 0);
				executions.set(index, (await client.listExecutions(id))[0]!.id);
			};
			for (const [index, row] of rows.entries()) {
				const { settings, built } = row;
				const parameters = { ...ONE_BY_ONE, keyword: '={{ $json.item }}' };
				const id = await save(onWebhook(paths[index]!, parameters, settings));
				if (built) await change(id, built);
				await client.activate(id);
				ids.push(id);
			}
			for (const [index, { branch = '', built, isPaused }] of rows.entries()) {
				if (isPaused) continue;
				const last = `${itemsOf(index)[LAST]}${branch}`;
				sandbox.faults.add({ match: `"${last}"`, fault: { kind: 'stall', carryOut: true } });
				await start(index);
				if (built === suspend) await resume(executions.get(index)!);
				await until(() => sent().includes(last));
			}
			// Last, what pauses: it must not go on before n8n is killed.
			const paused = rows.flatMap(({ isPaused }, index) => (isPaused ? [index] : []));
			await Promise.all(paused.map(start));
			const begun = async () => (await log()).split('Running node "Pause" started').length - 1;
			await until(async () => (await begun()) === paused.length);
			// Within a second, what was done is in the log.
			await until(async () => {
				logged = await log();
				return rows.every((row, index) => doneIn(paths[index]!).length === countDone(row));
			});
			await kill();
			logged = await log();
			sandbox.faults.clear();
			await restartN8n();
			for (const [index, id] of executions) {
				const hasBegun = !rows[index]!.isPaused;
				// n8n 1 sets the status a moment before it stores what it has rebuilt.
				await until(async () => {
					const { runData } = (await n8n().ended(id)).data.resultData;
					return 'Split Out' in runData && NODE in runData === hasBegun;
				});
				expect((await n8n().ended(id)).status).toBe('crashed');
			}
		},
		SET_UP_MS,
	);

	it.each(Object.keys(CASES))('%s', async (name) => {
		const index = Object.keys(CASES).indexOf(name);
		const [path, id, row] = [paths[index]!, ids[index]!, rows[index]!];
		const { built, changed, followed } = row;
		const { client } = n8n();
		const done = doneIn(path);
		expect(done).toHaveLength(countDone(row));
		const [crashed] = await client.listExecutions(id);
		if (changed) await change(id, changed);
		const execution = await client.retryExecution(crashed!.id, true);
		if (built === suspend) {
			await resume(execution);
			// n8n 1 sets the status a moment before it stores what came after the Wait.
			await until(async () => errorOf(await client.getExecution(execution)) !== undefined);
		}
		const retried = await n8n().ended(execution);
		const said = JSON.stringify(retried.data);
		expect(said).toContain('Not sent: n8n crashed in the middle');
		for (const words of followed ?? []) expect(said).toContain(words);
		expect(sent()).toEqual([]);
		if (followed) {
			const rest = itemsOf(index).filter((item) => !done.includes(item));
			await client.webhooks.call(path, { items: rest });
			await until(() => sent().length === rest.length);
			expect(sent()).toEqual(rest);
		}
		await client.deactivate(id);
	});
});
