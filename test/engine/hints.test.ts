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

const PROBLEMS = '"problems" lists each once';

const warning = (message: string) => [{ message, type: 'warning', location: 'outputPane' }];

it('counts what was not added, and says where to look', async () => {
	const { sandbox } = account();
	sandbox.faults.add({ match: 'refused.example', fault: status(400) });
	const items = [
		{ values: 'a.example, b.example, a.example, refused.example' },
		{ values: ['not one', 'c.example'] },
	];
	const counted = '2 of 6 values were not added:';
	expect(await hintsOf(items)).toEqual(warning(`${counted} ${PROBLEMS}`));
	expect(await hintsOf(items, { output: 'items' })).toEqual(warning(`${counted} see "status"`));
});

it('counts a refused value once, and its duplicates not at all', async () => {
	account().sandbox.faults.add({ match: 'refused.example', fault: status(400) });
	const values = ['refused.example', 'refused.example', 'a.example'];
	expect(await hintsOf([{ values }])).toEqual(warning(`1 of 3 values was not added: ${PROBLEMS}`));
});

it.each([
	['one', 'not one', '1 of 1 value was'],
	['one of two', 'not one, a.example', '1 of 2 values was'],
	['thousands', 'not one;'.repeat(1_500), '1,500 of 1,500 values were'],
])('counts %s', async (_what, values, counted) => {
	expect(await hintsOf([{ values }])).toEqual(warning(`${counted} not added: ${PROBLEMS}`));
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
