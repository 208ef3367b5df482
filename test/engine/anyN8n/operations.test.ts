import { readdirSync } from 'node:fs';

import Ajv from 'ajv';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { blacklistOf } from '../../../sandbox';
import { CONTRACT, prepare, RUNS, sentRequests } from '../../support/contract';
import { activeTrigger, type TestWorkflow } from '../../support/engine';
import { ADD_MANY } from '../../support/parameters';
import { describedOperations, schemaOf, triggerSchema, type Schema } from '../../support/schemas';
import { useEngine } from '../../support/useEngine';

const { sandbox, owner, execute } = useEngine();

/** Expects every item to have exactly the fields of the schema, with its types. */
function expectOutput(schema: Schema, items: IDataObject[]): void {
	expect(items).not.toEqual([]);
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
	for (const item of items) {
		ajv.validate(schema, item);
		expect(ajv.errors ?? []).toEqual([]);
		expect(Object.keys(item)).toEqual(Object.keys(schema.properties));
	}
}

/** Each operation has one schema, whatever its options: that of a real run, for Add Many Items of the summary. */
const isDescribed = ({ options }: INodeParameters) => {
	const { output, includeInputFields, dryRun } = (options ?? {}) as INodeParameters;
	return includeInputFields !== true && dryRun !== true && !String(output).includes('items');
};

/** The parameters of a node; n8n leaves out what is as by default. */
const parametersOf = (workflow: TestWorkflow, node: string): INodeParameters => ({
	resource: 'job',
	operation: 'create',
	...workflow.nodes.find(({ name }) => name === node)!.parameters,
});

describe('every run of the contract', () => {
	it.each(RUNS)(
		'$file, with outputs as their schema says',
		async ({ workflow, sends, outputs }) => {
			prepare(sandbox);
			const { run, error } = await execute(workflow);

			expect(error).toBeUndefined();
			expect(sentRequests(sandbox)).toEqual([...sends].sort());
			for (const [node, items] of Object.entries(outputs(sandbox))) {
				const main = run.data.resultData.runData[node]?.at(-1)?.data?.main;
				expect(main).toEqual([items]);
				const { resource, operation, ...others } = parametersOf(workflow, node);
				if (!isDescribed(others)) continue;
				expectOutput(
					schemaOf(String(resource), String(operation)),
					main![0]!.map(({ json }) => json),
				);
			}
		},
	);

	it('includes every workflow saved with version 1', () => {
		// The trigger's file runs in the real n8n only.
		const saved = readdirSync('test/workflows').filter((file) => !file.startsWith('trigger-'));
		expect(RUNS.map(({ file }) => file)).toEqual(
			expect.arrayContaining(saved.map((file) => `test/workflows/${file}`)),
		);
	});
});

describe('Job: Create', () => {
	it('does not send what is not set', async () => {
		await execute({
			resource: 'job',
			operation: 'create',
			keyword: 'dentist',
			groupName: '\u200b ',
			filters: { minRating: '={{ null }}', minReviews: '', hasPhone: '={{ undefined }}' },
			sort: { sortBy: '', sortOrder: '={{ null }}' },
		});
		expect(sandbox.requests.map(({ body }) => body)).toEqual([{ keyword: 'dentist' }]);
	});
});

describe('Blacklist: Get Many', () => {
	it.each([
		['={{ true }}', 60],
		['={{ "true" }}', 60],
		[false, 50],
		['={{ "false" }}', 50],
		['={{ null }}', 50],
	])('with "Return All" %j, returns %d of 60 lists', async (returnAll, returned) => {
		for (let list = 0; list < 60; list++) sandbox.state.blacklists.set(`${list}`, blacklistOf());
		const { json } = await execute({ resource: 'blacklist', operation: 'getAll', returnAll });
		expect(json).toHaveLength(returned);
	});
});

it('the schema of Add Many Items also describes its problems', async () => {
	const parameters = { ...ADD_MANY, values: 'to be asked', type: 'auto' };
	const { json } = await execute(parameters);
	expect(json[0]!.problems).toHaveLength(1);
	expectOutput(schemaOf('blacklist', 'addItems'), json);
});

it('the schema of the trigger describes every event', async () => {
	const events = ['allowanceLow', 'allowanceRenewed', 'planChanged'];
	const poll = activeTrigger(owner, { events, threshold: 100 });
	const items = [];
	for (const usage of [
		{ plan: 'Basic', remaining: 150 },
		{ plan: 'Pro', remaining: 900 },
		{ plan: 'Pro', remaining: 50 },
	]) {
		Object.assign(sandbox.state, usage);
		items.push(...((await poll()) ?? []));
	}
	expect(items.map(({ event }) => event).sort()).toEqual(events);
	expectOutput(triggerSchema(), items);
});

it('every operation has a schema, and every schema an operation', () => {
	expect(describedOperations().sort()).toEqual(
		CONTRACT.map(({ resource, operation }) => `${resource}/${operation}`).sort(),
	);
});
