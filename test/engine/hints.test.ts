import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { status } from '../support/faults';
import { ADD_MANY, listNamed } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { useEngine } from '../support/useEngine';
import { TESTED_NODE } from '../support/workflowOf';

const { sandbox, execute } = useEngine();

/** The hints that n8n shows above the output of Add Many Items. */
async function hintsOf(items: IDataObject[], options: INodeParameters = {}) {
	const { run, error } = await execute({ ...ADD_MANY, options }, items);
	expect(error).toBeUndefined();
	return run.data.resultData.runData[TESTED_NODE]!.at(-1)!.hints;
}

const warning = (message: string) => [{ message, type: 'warning', location: 'outputPane' }];

it('counts what was not added, and says where the reasons are', async () => {
	sandbox.faults.add({ match: 'b.example', fault: status(400) });
	const values = ['not one', 'not one', 'gmail.com', 'a.example', 'b.example', 'b.example'];
	expect(await hintsOf([{ values }])).toEqual(warning('Not added: 4 of 6 values. See "problems".'));
	expect(await hintsOf([{ values }], { output: 'items', dryRun: true })).toEqual(
		warning('Would not be added: 3 of 6 values. See "reason".'),
	);
});

it('does not say that there are no values if none of the input items was read', async () => {
	const { run } = await execute({ ...ADD_MANY, blacklist: listNamed('..') }, [{}], CONTINUE);
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
