/** The words of an error, followed to the letter in n8n: each request is sent once. */
import type { IDataObject, INode } from 'n8n-workflow';

import type { Execution } from '../../../n8n/execution';
import { status } from '../../support/faults';
import { keywords, ONE_BY_ONE } from '../../support/parameters';
import { to, inLoop, TESTED_NODE, workflowOf, type TestWorkflow } from '../../support/workflowOf';
import { saveCaller } from '../caller';
import { errorOf, n8n, NODE, outputOf } from '../n8n';

const FIRST = 'First Create';
const TO_OUTPUT = { onError: 'continueErrorOutput' } as const;
const BY_KEYWORD = { ...ONE_BY_ONE, keyword: '={{ $json.keyword }}' };

const paid = () => n8n().sandbox.state.jobs.map(({ keyword }) => String(keyword));
const words = (count: number) => keywords(count).map(({ keyword }) => String(keyword));
const first = (keyword: string) => `first ${keyword}`;

/** Puts another Create before the node, or behind it. */
function withAnother(workflow: TestWorkflow, isBefore: boolean): TestWorkflow {
	const tested = workflow.nodes.find(({ name }) => name === TESTED_NODE)!;
	const options = { concurrency: 1, includeInputFields: true };
	const keyword = '={{ "first " + $json.keyword }}';
	const another: INode = { ...tested, id: 'first', name: FIRST };
	another.parameters = { ...tested.parameters, keyword, options };
	tested.parameters = { ...tested.parameters, options };
	const [one, other] = isBefore ? [FIRST, TESTED_NODE] : [TESTED_NODE, FIRST];
	const connections = { Start: to(one), [one]: to(other) };
	return { ...workflow, nodes: [...workflow.nodes, another], connections };
}

/** Edits a saved workflow: settings of its nodes, and the rows it starts with. */
async function edit(
	id: string,
	nodes: Record<string, Partial<INode>>,
	rows?: IDataObject[],
): Promise<void> {
	const { client } = n8n();
	const saved = await client.getWorkflow(id);
	const changed = saved.nodes.map((node) => ({ ...node, ...nodes[node.name] }));
	const pinData = rows && { Start: rows.map((json) => ({ json })) };
	await client.updateWorkflow(id, { nodes: changed, ...(pinData && { pinData }) });
}

function expectWords(execution: Execution, ...expected: string[]): void {
	const { description } = errorOf(execution)!;
	for (const each of expected) expect(description).toContain(each);
	expect(description).toContain('with every Create that has ordered them deactivated');
}

it('a wrong item of a second Create leaves by the error output, and is run alone', async () => {
	const { retry, runSaved, sandbox, save } = n8n();
	sandbox.faults.add({ match: '"keyword 2."', fault: status(422) });
	const id = await save(withAnother(workflowOf(BY_KEYWORD, keywords(5)), true));
	const execution = await runSaved(id);
	expectWords(execution, 'Wrong item: first set "On Error" to "Continue (using error output)"');
	await edit(id, { [NODE]: TO_OUTPUT });
	const retried = await retry(execution.id, true);
	const wrong = outputOf(retried, NODE, 1);
	expect(wrong.map(({ json }) => json.keyword)).toEqual(['keyword 2.']);
	await edit(id, { [NODE]: { onError: 'stopWorkflow' }, [FIRST]: { disabled: true } }, [
		{ keyword: 'corrected' },
	]);
	expect((await runSaved(id)).status).toBe('success');
	const once = [...words(5).map(first), ...words(5).filter((each) => !each.includes('2'))];
	expect(paid().sort()).toEqual([...once, 'corrected'].sort());
});

it('a used-up allowance of a first Create: the retry orders what stands behind, too', async () => {
	const { retry, runSaved, sandbox, save } = n8n();
	sandbox.faults.add({ match: '"keyword 2."', times: 1, fault: status(402) });
	const id = await save(withAnother(workflowOf(BY_KEYWORD, keywords(4)), false));
	const execution = await runSaved(id);
	expect(errorOf(execution)?.description).toContain('Then save, and within 14 days open ');
	expect((await retry(execution.id, true)).status).toBe('success');
	expect(paid()).toEqual([...words(4), ...words(4).map(first)]);
});

it('in a loop of Batch Size 1, no row behind the wrong one is lost', async () => {
	const { runSaved, sandbox, save } = n8n();
	sandbox.faults.add({ match: '"keyword 3."', fault: status(422) });
	const id = await save(inLoop(workflowOf(BY_KEYWORD, keywords(60)), 1));
	const execution = await runSaved(id);
	expectWords(execution, 'Wrong item: run the workflow with only the items that were not done, ');
	expect(errorOf(execution)?.description).not.toContain('"On Error"');
	const rest = keywords(60).filter(({ keyword }) => !paid().includes(String(keyword)));
	expect(rest).toHaveLength(57);
	rest[0] = { keyword: 'corrected' };
	await edit(id, {}, rest);
	expect((await runSaved(id)).status).toBe('success');
	const once = [...words(60).filter((each) => each !== 'keyword 3.'), 'corrected'];
	expect(paid().sort()).toEqual(once.sort());
});

it('in a called workflow, the execution that the error names is retried', async () => {
	const { client, retry, runSaved, sandbox } = n8n();
	sandbox.faults.add({ match: '"keyword 2."', times: 1, fault: status(402) });
	const { id, subId } = await saveCaller(ONE_BY_ONE, keywords(5));
	const caller = await runSaved(id);
	const [called] = await client.listExecutions(subId);
	const { message, description } = errorOf(await client.getExecution(called!.id))!;
	expect(message).toBe('The request allowance of the account is used up (paid: 2 of 5 jobs)');
	expect(description).toContain(`execution ${called!.id} of "Test"`);
	expect(description).toContain('Do not retry the workflow that called this one.');
	expect((await retry(called!.id, true)).status).toBe('success');
	expect(paid()).toEqual(words(5));
	// What n8n runs anew knows nothing of it.
	expect((await retry(caller.id)).status).toBe('success');
	expect(paid()).toEqual([...words(5), ...words(5)]);
});

it('an execution that n8n does not save is run with what was not done', async () => {
	const { runSaved, sandbox, save } = n8n();
	sandbox.faults.add({ match: '"keyword 2."', times: 1, fault: status(402) });
	const workflow = {
		...workflowOf(BY_KEYWORD, keywords(5)),
		settings: { saveManualExecutions: false },
	};
	const id = await save(workflow);
	// n8n keeps nothing of it, so the words are those of a saved one without its number.
	await runSaved(id).catch(() => {});
	expect(paid()).toEqual(words(2));
	await edit(id, {}, keywords(5).slice(2));
	await runSaved(id).catch(() => {});
	expect(paid()).toEqual(words(5));
});
