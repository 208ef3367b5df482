import type { IDataObject, OnError } from 'n8n-workflow';

import type { Execution } from '../../n8n/execution';
import { stepsIn } from '../support/nextStep';
import { errorOf, n8n, NODE } from './n8n';

/** What a person knows who follows the steps of an error. */
interface Person {
	/** The execution whose error it is. */
	failed: Execution;
	/** The saved workflow. */
	id: string;
	/** The item that failed, as it is entered for "only this item". */
	item?: IDataObject;
	/** The steps that need a judgement of their own. Each has to be named. */
	own?: Record<string, () => unknown>;
	/** The execution that crashed, if the error is of its retry. */
	crashed?: string;
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

/** Changes settings or parameters of the node in a saved workflow. */
export async function changeNode(id: string, changes: object): Promise<void> {
	const { client } = n8n();
	const { nodes } = await client.getWorkflow(id);
	await client.updateWorkflow(id, {
		nodes: nodes.map((node) => (node.name === NODE ? { ...node, ...changes } : node)),
	});
}

/**
 * Does what an error says, one step after another, to the letter.
 * @throws Error for a step that nobody knows how to do, and for an own one that is not named
 */
export async function follow({ failed, id, item, own = {}, crashed }: Person): Promise<Followed> {
	const { client, retry, sandbox } = n8n();
	const { nodes } = await client.getWorkflow(id);
	const before: OnError = nodes.find(({ name }) => name === NODE)!.onError ?? 'stopWorkflow';
	let onError = before;
	let selected = '';
	const followed: Partial<Followed> = {};
	const isDone = () => sandbox.state.jobs.some(({ keyword }) => keyword === item!.keyword);
	const known: Array<[step: RegExp, take: (named: string) => unknown]> = [
		[/^Set "On Error" of this node to "Continue"\.$/, () => (onError = 'continueRegularOutput')],
		[
			/^Leave everything else in this node as it was in execution (\d+)\.$/,
			(named) => {
				expect(named).toBe(failed.id);
			},
		],
		[/^Save the workflow\.$/, async () => await changeNode(id, { onError })],
		[/^Under "Executions", select execution (\d+)\.$/, (named) => (selected = named)],
		[
			/^Under "Executions", select the execution that crashed, not this retry of it\.$/,
			() => (selected = crashed!),
		],
		[/^Select the arrow at the top right\.$/, () => {}],
		[
			/^Select "Retry with (original|currently saved) workflow"\.$/,
			async (choice) => {
				followed.choice = choice;
				followed.retried = await retry(selected, choice !== 'original');
			},
		],
		[/^Set "On Error" back\.$/, async () => await changeNode(id, { onError: before })],
		[
			/^Run the workflow with only this item\.$/,
			async () => (followed.ranAgain = await runOnly(id, [item!])),
		],
		[
			/^If this item is not done then, run the workflow with only this item\.$/,
			async () => {
				if (!isDone()) followed.ranAgain = await runOnly(id, [item!]);
			},
		],
	];
	const left = new Map(Object.entries(own));
	for (const step of stepsIn(errorOf(failed)!.description!)) {
		const judged = left.get(step);
		const [pattern, take] = known.find(([words]) => words.test(step)) ?? [];
		if (judged) await judged();
		else if (pattern && take) await take(pattern.exec(step)![1] ?? '');
		else throw new Error(`Nobody knows how to do this: ${step}`);
		left.delete(step);
	}
	expect([...left.keys()]).toEqual([]);
	return followed as Followed;
}
