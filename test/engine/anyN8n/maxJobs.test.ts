import type { INode, INodeParameters } from 'n8n-workflow';

import { inThreePasses, workflowOf } from '../../support/engine';
import { status } from '../../support/faults';
import { CREATE, keywords } from '../../support/parameters';
import { CONTINUE } from '../../support/settings';
import { useEngine } from '../../support/useEngine';

const { sandbox, execute, retry } = useEngine();

/** A workflow that would create a job for each of this many items. */
const creating = (count: number, options: object, settings?: Partial<INode>) =>
	workflowOf({ ...CREATE, options } as INodeParameters, keywords(count), settings);

const TOO_MANY = 'Not created: the run has 5 items, and "Maximum Jobs per Run" is 4';

it('creates no job for more items, and sends nothing', async () => {
	const { error } = await execute(creating(5, { maxJobs: 4, minRemaining: 1 }));
	expect(error?.message).toBe(TOO_MANY);
	expect(error?.description).toMatch(
		/^Raise "Maximum Jobs per Run" under "Options"\.<br><br>Then save, and /,
	);
	expect(sandbox.requests).toEqual([]);
});

it('gives each item its reason with Continue', async () => {
	const { outputs } = await execute(creating(5, { maxJobs: 4 }, CONTINUE));
	const message = 'Raise "Maximum Jobs per Run" under "Options".';
	const failed = keywords(5).map((entered, item) => ({
		json: { ...entered, error: TOO_MANY, message },
		pairedItem: { item },
	}));
	expect(outputs).toEqual([[], failed]);
	expect(sandbox.requests).toEqual([]);
});

it.each([
	['without Continue', undefined],
	['with Continue', 'continueRegularOutput' as const],
])('is refused if an expression has several values for the items, %s', async (_how, onError) => {
	const maxJobs = '={{ $itemIndex === 3 ? "4" : 100 }}';
	const { json, error } = await execute(creating(5, { maxJobs }, { onError }));
	const errors = onError ? json.map((item) => item.error) : [error?.message];
	const message = '"Maximum Jobs per Run" differs between the items: 100 (item 0), 4 (item 3)';
	expect(errors).toEqual(Array(onError ? 5 : 1).fill(message));
	expect(sandbox.requests).toEqual([]);
});

it('counts items that n8n cannot build, too', async () => {
	const keyword = '={{ $itemIndex === 2 ? $json.nothing.at : $json.keyword }}';
	const parameters = { ...CREATE, keyword, options: { maxJobs: 4 } };
	const settings = { onError: 'continueRegularOutput' } as const;
	const { json } = await execute(parameters, keywords(5), settings);
	expect(json.filter((item) => item.error === TOO_MANY)).toHaveLength(4);
	expect(sandbox.requests).toEqual([]);
});

it('counts one item if the node is set to execute once', async () => {
	const workflow = creating(5, { maxJobs: 1 }, { executeOnce: true });
	const { json } = await execute(workflow);
	expect(json).toHaveLength(1);
});

it('counts the jobs already created: Retry with a lower number lists them and creates no more', async () => {
	sandbox.faults.add({ match: 'keyword 3.', times: 1, fault: status(400) });
	const failed = await execute(creating(5, { maxJobs: 5, concurrency: 1 }));
	expect(sandbox.state.jobs).toHaveLength(3);
	const { error } = await retry(failed, creating(5, { maxJobs: 4 }));
	expect(error?.message).toBe(`${TOO_MANY} (paid: 3 of 5 jobs)`);
	expect(error?.context.data).toHaveLength(3);
});

it('treats each pass of a loop as a run of its own', async () => {
	const { error } = await execute(inThreePasses(creating(2, { maxJobs: 2 })));
	expect(error).toBeUndefined();
	// Behind the first pass, both items ask for the same.
	expect(sandbox.state.jobs).toHaveLength(2 + 1 + 1);
});
