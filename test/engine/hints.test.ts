import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useSandbox } from '../support/account';
import { runWorkflow, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { ADD_MANY, listNamed } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { TESTED_NODE } from '../support/workflowOf';

const account = useSandbox();

/** The hints that n8n shows above the output of Add Many Items. */
async function hintsOf(items: IDataObject[], options: INodeParameters = {}) {
	const workflow = workflowOf({ ...ADD_MANY, options }, items);
	const { run, error } = await runWorkflow(workflow, account().account);
	expect(error).toBeUndefined();
	return run.data.resultData.runData[TESTED_NODE]!.at(-1)!.hints;
}

const warning = (message: string) => [{ message, type: 'warning', location: 'outputPane' }];

it('counts what was not added, and names the three most frequent reasons', async () => {
	const values = [
		'not one',
		'not one',
		'a@gmail',
		'gmail.com',
		'https://facebook.com/x',
		'b.example',
	];
	const [hint] = (await hintsOf([{ values }]))!;
	expect(hint).toMatchObject({ type: 'warning', location: 'outputPane' });
	expect(hint!.message).toMatch(
		/^5 of 6 values were not added: 2 × [^·]+ · 1 × [^·]+ · 1 × [^·]+ · …$/,
	);
	expect(await hintsOf([{ values }], { output: 'items' })).toEqual([hint]);
});

it('says first that a value may have been added', async () => {
	account().sandbox.faults.add({ match: 'broken.example', fault: { kind: 'drop' } });
	const values = 'a.example, broken.example';
	const workflow = workflowOf(ADD_MANY, [{ values }], CONTINUE);
	const { run } = await runWorkflow(workflow, account().account);
	const [hint] = run.data.resultData.runData[TESTED_NODE]!.at(-1)!.hints!;
	expect(hint!.message).toMatch(
		/^1 may have been added: check your account\. 1 of 2 values was not added: /,
	);
});

it('names the reason of the service', async () => {
	account().sandbox.faults.add({ fault: status(400) });
	expect(await hintsOf([{ values: 'a.example' }])).toEqual(
		warning('1 of 1 value was not added: 1 × The service rejected the input: Sandbox fault'),
	);
});

it('shows what the service says as text, and of a long reason the beginning', async () => {
	const said = `<b>"no" & ${'x'.repeat(200)}`;
	account().sandbox.faults.add({ fault: status(400, { body: { message: said } }) });
	const [{ message }] = (await hintsOf([{ values: 'a.example' }])) as [{ message: string }];
	expect(message).toContain('&#60;b&#62;&#34;no&#34; &#38; xxx');
	expect(message).not.toMatch(/[<>"]/);
	expect(message.length).toBeLessThan(250);
});

it('does not say that there are no values if none of the input items was read', async () => {
	const workflow = workflowOf({ ...ADD_MANY, blacklist: listNamed('..') }, [{}], CONTINUE);
	const { run } = await runWorkflow(workflow, account().account);
	expect(run.data.resultData.runData[TESTED_NODE]!.at(-1)!.hints).toEqual([]);
});

it('says nothing when all values were added or are duplicates', async () => {
	expect(await hintsOf([{ values: 'a.example, b.example, a.example' }])).toEqual([]);
});

it('says that there are no values', async () => {
	const message =
		'The input contains no values. If you expect some, check the expression in "Values".';
	const items = [{ values: [] }, { values: [null] }, { values: '' }];
	expect(await hintsOf(items)).toEqual([{ message, type: 'info', location: 'outputPane' }]);
});
