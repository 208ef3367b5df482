import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { Workflow } from '../../n8n/client';
import type { Execution } from '../../n8n/execution';
import { LANES } from '../../nodes/shared/account/lane';
import { ADD_MANY, CREATE } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { onWebhook } from '../support/workflowOf';
import { follow } from './follow';
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
function filterOf(keywordsDone: unknown[], name = 'Filter'): INode {
	const condition = {
		leftValue: `={{ !${JSON.stringify(keywordsDone)}.includes($json.item) }}`,
		rightValue: '',
		operator: { type: 'boolean', operation: 'true', singleValue: true },
	};
	const conditions = { options: { version: 2 }, combinator: 'and', conditions: [condition] };
	return nodeOf(name, 'filter', 2.2, { conditions });
}

/** Changes a saved workflow. */
async function change(id: string, edit: Edit): Promise<void> {
	const { client } = n8n();
	await client.updateWorkflow(id, edit(await client.getWorkflow(id)));
}

/** What a person does at each step that tells of the Filters; they are in the workflow before it is saved. */
const addingFilters = (id: string, filters: Edit) => ({
	'Add a new Filter node directly before this node, on each way that leads to it.': () => {},
	'If this node is in a loop, add it before the loop instead.': () => {},
	'Do the same for each other node of this kind.': () => {},
	'Let the Filter leave out what was done: the log names it.': async () =>
		await change(id, filters),
});

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
		expect(errorOf(refused)?.message).toMatch(/^Not sent: n8n crashed in the middle/);
		expect(jobs()).toHaveLength(paid);

		// The way on that the error names.
		const done = jobs().flatMap(({ job_id, keyword }) =>
			loggedIds(before).includes(job_id) ? [keyword] : [],
		);
		const { choice, retried } = await follow({
			...{ failed: refused, id, crashed: crashed!.id },
			own: addingFilters(id, insert(filterOf(done), 'Split Out', NODE)),
		});
		expect([choice, retried.status]).toEqual(['currently saved', 'success']);
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

/** Several changes, one after the other. */
const each =
	(...edits: Edit[]): Edit =>
	(workflow) =>
		edits.reduce((edited, edit) => ({ ...edited, ...edit(edited) }), workflow);

/** A node before the others, which takes so many seconds. */
const pauseOf = (amount: number) =>
	nodeOf('Pause', 'wait', 1.1, { amount, unit: 'seconds', resume: 'timeInterval' });
const pause = insert(pauseOf(45), 'Split Out', NODE);
const pauseBeforeLoop = each(loopBefore, insert(pauseOf(45), 'Split Out', 'Loop'));
const shorten: Edit = ({ nodes }) => ({
	nodes: nodes.map((node) => (node.name === 'Pause' ? { ...node, ...pauseOf(1) } : node)),
});

/** Leads the error output back to the loop as well. */
const goOn: Edit = ({ connections }) => ({
	connections: { ...connections, [NODE]: { main: [to('Loop'), to('Loop')] } },
});

/** The names of the two branches, in the order in which n8n takes them. */
const BRANCHES = ['One', 'Two'];

/** Leads to a node, or to the next input of one. */
const toInput = (node: string, index: number) => [{ node, type: 'main' as const, index }];

/** From Split Out two branches, each of which names its items, to the node, or to one before it. */
const inBranches =
	(meet?: INode): Edit =>
	({ nodes, connections }) => {
		const branches = BRANCHES.map((name, index): INode => {
			const value = `={{ $json.item + " ${name}" }}`;
			const assignments = [{ id: 'item', name: 'item', type: 'string', value }];
			const branch = nodeOf(name, 'set', 3.4, { assignments: { assignments }, options: {} });
			return { ...branch, position: [0, 200 * index] };
		});
		const ways = BRANCHES.map((name, index) => [name, { main: [inputOf(meet, index)] }]);
		return {
			nodes: [...nodes, ...branches, ...(meet ? [meet] : [])],
			connections: {
				...connections,
				'Split Out': { main: [to(...BRANCHES)] },
				...(Object.fromEntries(ways) as Workflow['connections']),
				...(meet && { [meet.name]: { main: [to(NODE)] } }),
			},
		};
	};

/** Where a branch leads to. */
const inputOf = (meet: INode | undefined, branch: number) =>
	toInput(meet?.name ?? NODE, meet?.type.endsWith('.merge') ? branch : 0);

/** New Filters at the end of these branches. */
const filtersIn =
	(names: string[], meet?: INode) =>
	(done: string[]): Edit =>
	({ nodes, connections }) => {
		const filters = names.map((name) => {
			const index = BRANCHES.indexOf(name);
			const filter = filterOf(done, `Filter ${name}`);
			return { name, filter: { ...filter, position: [200, 200 * index] } as INode, index };
		});
		const ways = filters.flatMap(({ name, filter, index }) => [
			[name, { main: [to(filter.name)] }],
			[filter.name, { main: [inputOf(meet, index)] }],
		]);
		return {
			nodes: [...nodes, ...filters.map(({ filter }) => filter)],
			connections: {
				...connections,
				...(Object.fromEntries(ways) as Workflow['connections']),
			},
		};
	};

describe('the retry of an execution that was killed in the middle, whatever is changed since:', () => {
	const ITEMS = [0, 1, 2, 3, 4, 5];

	interface Case {
		settings?: Partial<INode>;
		/** By default those of Job: Create. */
		parameters?: INodeParameters;
		/** By default the keywords of all items. */
		items?: unknown[];
		/** What the workflow is, besides the webhook, Split Out and the node. */
		built?: Edit;
		/** Whether a node before this one pauses when n8n is killed. */
		isPaused?: true;
		/** The branch in which the last item was begun. */
		branch?: string;
		/** What is changed before it is retried. */
		changed?: (done: string[]) => Edit;
		/** Whether an unchanged retry comes first, and what it says is followed. */
		follows?: true;
		/** Whether an unchanged retry comes first, and what its items say is followed. */
		runsAgain?: true;
		/** How many jobs the retry creates. */
		creates: number;
	}

	const filter = (after: string) => (done: string[]) => insert(filterOf(done), 'Split Out', after);
	const pass = nodeOf('Meet', 'noOp', 1, {});
	const merge = nodeOf('Meet', 'merge', 3, { mode: 'append', numberInputs: 2 });
	const REST = ITEMS.length - LAST;
	/** This node had not begun, and the first pass of the loop in the retry sends nothing. */
	const notBegun = {
		...({ built: pauseBeforeLoop, isPaused: true } as const),
		...{ changed: () => shorten, creates: 2 },
	};
	const REGULAR: Partial<INode> = { onError: 'continueRegularOutput' };
	const cannotBeBuilt = { items: [null, 'second', 'third'] };
	/** n8n cannot evaluate it for an item without a value. */
	const keyword = '={{ $json.item ?? $("Nowhere").first().json.item }}';
	const sites = ['second.example.com', 'third.example.com'];
	const addMany = { ...ADD_MANY, values: '={{ $json.item }}' };

	/** Two branches, both of which need a Filter. */
	const branches = (where: string, meet?: INode): Array<[name: string, row: Case]> =>
		BRANCHES.flatMap((branch, index) => {
			// What meets in a Merge is one run, whose last item begun is of the first branch.
			if (meet === merge && index > 0) return [];
			const built = inBranches(meet);
			const name = `two branches ${where}, killed in the branch ${branch}`;
			const onlyIn = (one: string): [string, Case] => [
				`${name}: a new Filter only in ${one}`,
				{ branch, built, changed: filtersIn([one], meet), creates: 0 },
			];
			const creates = index === 0 ? REST + ITEMS.length : REST;
			const both = { branch, built, changed: filtersIn(BRANCHES, meet), creates };
			return [
				...BRANCHES.map(onlyIn),
				[`${name}: new Filters in both`, { ...both, follows: true }],
			];
		});

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
		'a new Filter': { changed: filter(NODE), follows: true, creates: REST },
		'a new Filter, with Continue': { settings: CONTINUE, changed: filter(NODE), creates: REST },
		'with Continue, a new run with only the rest': {
			settings: CONTINUE,
			runsAgain: true,
			creates: REST,
		},
		'a new Filter before the loop': {
			built: loopBefore,
			changed: filter('Loop'),
			follows: true,
			creates: REST,
		},
		...Object.fromEntries([
			...branches('into this node'),
			...branches('into a node before this one', pass),
			...branches('into a Merge before this one', merge),
		]),
		'it had not begun': { built: pause, isPaused: true, creates: ITEMS.length },
		'it had not begun, and the first pass has no value': {
			...notBegun,
			parameters: addMany,
			items: [[], ...sites],
		},
		'it had not begun, and the first pass is refused, with Continue': {
			...notBegun,
			settings: REGULAR,
			parameters: addMany,
			items: [null, ...sites],
		},
		'it had not begun, and the first pass is refused, with the error output': {
			...notBegun,
			settings: CONTINUE,
			built: each(pauseBeforeLoop, goOn),
			parameters: addMany,
			items: [null, ...sites],
		},
		'it had not begun, and the first pass cannot be built, with Continue': {
			...notBegun,
			...cannotBeBuilt,
			settings: REGULAR,
			parameters: { ...CREATE, keyword },
		},
		'it had not begun, and the first pass cannot be built, with the error output': {
			...notBegun,
			...cannotBeBuilt,
			settings: CONTINUE,
			built: each(pauseBeforeLoop, goOn),
			parameters: { ...CREATE, keyword },
		},
	};
	const paths = Object.keys(CASES).map((_name, index) => `killed-${index}`);
	const keywordOf = (path: string, item: number) => `${path} ${item}.`;
	const keywords = () => n8n().sandbox.state.jobs.map(({ keyword }) => keyword);
	/** All that was sent: keywords and values. */
	const sent = () =>
		n8n().sandbox.requests.map(({ body }) => {
			const { keyword, value } = body as IDataObject;
			return String(keyword ?? value);
		});
	/** How many were done when n8n was killed. */
	const countDone = ({ branch, built, isPaused }: Case) =>
		isPaused || built === suspend ? 0 : LAST + (branch === 'Two' ? ITEMS.length : 0);
	const ids: string[] = [];
	let logged = '';
	/** What the log says was done, by its keyword. */
	const doneIn = (path: string) =>
		[...logged.matchAll(/ for "(.*?)"/g)].flatMap(([, keyword]) =>
			keyword!.startsWith(`${path} `) ? [keyword!] : [],
		);

	it(
		'all are killed',
		async () => {
			const { client, kill, log, sandbox, save } = n8n();
			sandbox.state.remaining = 1_000;
			const executions: string[] = [];
			const started = async (id: string) => {
				await until(async () => (await client.listExecutions(id)).length > 0);
				return (await client.listExecutions(id))[0]!.id;
			};
			const call = async (index: number) => {
				const path = paths[index]!;
				const { items = ITEMS.map((item) => keywordOf(path, item)) } = Object.values(CASES)[index]!;
				await client.webhooks.call(path, { items });
			};
			for (const [index, row] of Object.values(CASES).entries()) {
				const { settings, built, parameters = { ...CREATE, keyword: '={{ $json.item }}' } } = row;
				const options = { concurrency: 1 };
				const id = await save(onWebhook(paths[index]!, { ...parameters, options }, settings));
				if (built) await change(id, built);
				await client.activate(id);
				ids.push(id);
			}
			// Last, what pauses: it must not go on before n8n is killed.
			const rows = Object.values(CASES).entries();
			const paused: number[] = [];
			for (const [index, row] of rows) {
				if (row.isPaused) {
					paused.push(index);
					continue;
				}
				const path = paths[index]!;
				const last = [keywordOf(path, LAST), row.branch ?? []].flat().join(' ');
				sandbox.faults.add({ match: `"${last}"`, fault: { kind: 'stall', carryOut: true } });
				await call(index);
				executions.push(await started(ids[index]!));
				if (row.built === suspend) await resume(executions.at(-1)!);
				await until(() => keywords().includes(last));
			}
			const { length } = executions;
			await Promise.all(paused.map(call));
			for (const index of paused) executions.push(await started(ids[index]!));
			const begun = async () => (await log()).split('Running node "Pause" started').length - 1;
			await until(async () => (await begun()) === paused.length);
			// Within a second, what was done is in the log.
			await until(async () => {
				logged = await log();
				return paths.every(
					(path, index) => doneIn(path).length === countDone(Object.values(CASES)[index]!),
				);
			});
			await kill();
			logged = await log();
			sandbox.faults.clear();
			await restartN8n();
			for (const [index, id] of executions.entries()) {
				const { data, status } = await n8n().ended(id);
				expect(status).toBe('crashed');
				expect(NODE in data.resultData.runData).toBe(index < length);
				expect(data.resultData.runData).toHaveProperty('Split Out');
			}
		},
		SET_UP_MS,
	);

	it.each(Object.entries(CASES))('%s', async (name, row) => {
		const { built, changed, creates, follows, items, runsAgain } = row;
		const { client, retry } = n8n();
		const index = Object.keys(CASES).indexOf(name);
		const [path, id] = [paths[index]!, ids[index]!];
		const done = doneIn(path);
		expect(done).toHaveLength(countDone(row));
		const [crashed] = await client.listExecutions(id);
		let retried: Execution;
		if (follows) {
			const failed = await retry(crashed!.id);
			expect(errorOf(failed)?.message).toMatch(/^Not sent: n8n crashed in the middle/);
			expect(sent()).toEqual([]);
			const own = addingFilters(id, changed!(done));
			const followed = await follow({ failed, id, crashed: crashed!.id, own });
			expect(followed.choice).toBe('currently saved');
			({ retried } = followed);
		} else if (runsAgain) {
			retried = await retry(crashed!.id);
			const messages = outputOf(retried, NODE, 1).map(({ json }) => String(json.message));
			expect(messages).toHaveLength(ITEMS.length);
			for (const message of messages) {
				expect(message).toMatch(
					/ lists each job_id with its keyword\. Then run the workflow with only the items that were not done\.$/,
				);
			}
			expect(sent()).toEqual([]);
			const rest = ITEMS.map((item) => keywordOf(path, item)).filter((one) => !done.includes(one));
			await client.webhooks.call(path, { items: rest });
			await until(() => keywords().length === rest.length);
		} else {
			if (changed) await change(id, changed(done));
			const execution = await client.retryExecution(crashed!.id, true);
			if (built === suspend) await resume(execution);
			retried = await n8n().ended(execution);
		}
		if (creates > 0) expect(errorOf(retried)).toBeUndefined();
		expect(sent()).toHaveLength(creates);
		expect(new Set(sent()).size).toBe(creates);
		expect(sent().filter((each) => done.includes(each))).toEqual([]);
		if (built === pause) expect(sent()).toEqual(ITEMS.map((item) => keywordOf(path, item)));
		if (items) expect(sent()).toEqual(items.slice(1));
		if (creates > 0) expect(retried.status).toBe('success');
		else expect(JSON.stringify(retried.data)).toContain('Not sent: n8n crashed in the middle');
		await client.deactivate(id);
	});
});
