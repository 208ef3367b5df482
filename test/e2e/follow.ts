import type { IDataObject, INode, OnError } from 'n8n-workflow';

import type { Execution } from '../../n8n/execution';
import { stepsIn } from '../support/nextStep';
import { errorOf, n8n, NODE } from './n8n';

/** What a person knows who follows the words of an error. */
interface Person {
	/** The execution whose error it is. */
	failed: Execution;
	/** The saved workflow. */
	id: string;
	/** The name of the node that failed; by default, the node of each test. */
	node?: string;
	/** Whether a field of the node is wrong, and not the item. */
	way?: 'field';
	/** The item that failed, as it is entered for "only this item". */
	item?: IDataObject;
	/** The sentences that need a judgement of their own. Each has to be there. */
	own?: Record<string, () => unknown>;
}

/** What came of it. */
interface Followed {
	/** Which of n8n's two choices was named. */
	choice: string;
	retried: Execution;
	/** The run with only one item, if there was one. */
	ranAgain?: Execution;
}

/** Runs a saved workflow by hand with only these items. */
export async function runOnly(id: string, items: IDataObject[]): Promise<Execution> {
	const { client, runSaved } = n8n();
	const { nodes } = await client.getWorkflow(id);
	const pinned = { pinData: { Start: items.map((json) => ({ json })) } };
	await client.updateWorkflow(id, { nodes, ...pinned });
	return await runSaved(id);
}

/** Changes settings or parameters of nodes in a saved workflow; by default, of the node of each test. */
export async function changeNode(id: string, changes: object, ...names: string[]): Promise<void> {
	const { client } = n8n();
	const { nodes } = await client.getWorkflow(id);
	const changed = names.length > 0 ? names : [NODE];
	await client.updateWorkflow(id, {
		nodes: nodes.map((node) => (changed.includes(node.name) ? { ...node, ...changes } : node)),
	});
}

const quoted = (names: string) => [...names.matchAll(/"(.*?)"/g)].map(([, name]) => name!);

/**
 * Does what an error says, one sentence after another, to the letter.
 * @throws Error for a sentence that nobody knows how to do, and for an own one that is not there
 */
export async function follow(person: Person): Promise<Followed> {
	const { failed, id, node: name = NODE, way, item, own = {} } = person;
	const { client, retry, sandbox } = n8n();
	const nodeOf = async (): Promise<INode> =>
		(await client.getWorkflow(id)).nodes.find((node) => node.name === name)!;
	const before: OnError = (await nodeOf()).onError ?? 'stopWorkflow';
	let onError = before;
	let selected = '';
	let isOver = false;
	const followed: Partial<Followed> = {};
	const isDone = () => sandbox.state.jobs.some(({ keyword }) => keyword === item!.keyword);
	const known: Array<[sentence: RegExp, take: (named: string) => unknown]> = [
		[/^Set "On Error" of this node to "Continue"\.$/, () => (onError = 'continueRegularOutput')],
		[
			/^Leave everything else in this node as it was in execution (\d+)( of the workflow .*)?\.$/,
			(named) => {
				expect(named).toBe(failed.id);
			},
		],
		[/^Save the workflow\.$/, async () => await changeNode(id, { onError }, name)],
		[
			/^If it is published, publish it again\.$/,
			async () => {
				if ((await client.getWorkflow(id)).active) await client.activate(id);
			},
		],
		[
			/^Under "Executions", select execution (\d+)( of the workflow .* \(not the one that called it\))?\.$/,
			(named) => (selected = named),
		],
		[/^Select the arrow at the top right\.$/, () => {}],
		[
			/^Select "Retry with (original|currently saved) workflow"\.$/,
			async (choice) => {
				followed.choice = choice;
				followed.retried = await retry(selected, choice !== 'original');
			},
		],
		[
			/^Set "On Error" back, and save the workflow\.$/,
			async () => await changeNode(id, { onError: (onError = before) }, name),
		],
		[/^Correct the values of this item\.$/, () => {}],
		[/^If this item is done after that, stop here\.$/, () => (isOver = isDone())],
		[
			/^First deactivate (.*): otherwise, jobs are created there again\.$/,
			async (names) => await changeNode(id, { disabled: true }, ...quoted(names)),
		],
		[
			/^Run the workflow with only this item\.$/,
			async () => (followed.ranAgain = await runOnly(id, [item!])),
		],
		[
			/^When this is done, activate (.*) again\.$/,
			async (names) => await changeNode(id, { disabled: false }, ...quoted(names)),
		],
		[/^A retry sends again what the service reported as failed\.$/, () => {}],
		[/^Do not retry the execution of the workflow that called this one\.$/, () => {}],
	];
	const left = new Map(Object.entries(own));
	for (const sentence of stepsIn(errorOf(failed)!.description!, way)) {
		const judged = left.get(sentence);
		left.delete(sentence);
		if (isOver) continue;
		const [pattern, take] = known.find(([words]) => words.test(sentence)) ?? [];
		if (judged) await judged();
		else if (pattern && take) await take(pattern.exec(sentence)![1] ?? '');
		else throw new Error(`Nobody knows how to do this: ${sentence}`);
	}
	expect([...left.keys()]).toEqual([]);
	return followed as Followed;
}
