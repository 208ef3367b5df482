import Ajv from 'ajv';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { OUTPUTS } from '../../nodes/BusinessListingSearch/resources/outputs';
import { eventOutput } from '../../nodes/BusinessListingSearchTrigger/poll';
import type { Output } from '../../nodes/shared/output';
import { useSandbox } from '../support/account';
import { CONTRACT, prepare, RUNS } from '../support/contract';
import { activeTrigger, runWorkflow } from '../support/engine';
import { NODE_TYPE } from '../support/workflowOf';

const account = useSandbox();

/** Expects every item to have exactly the fields of the schema, with its types. */
function expectOutput(schema: Output, items: IDataObject[]): void {
	expect(items).not.toEqual([]);
	const ajv = new Ajv({ allErrors: true });
	for (const item of items) {
		ajv.validate(schema, item);
		expect(ajv.errors ?? []).toEqual([]);
		expect(Object.keys(item)).toEqual(Object.keys(schema.properties));
	}
}

/** Each operation has one schema, whatever its options: for Add Many Items that of the summary. */
const isDescribed = ({ options }: INodeParameters) =>
	!String((options as INodeParameters | undefined)?.output).includes('items');

it.each(RUNS)('the schemas describe the output of $file', async ({ workflow }) => {
	const { sandbox, account: owner } = account();
	prepare(sandbox);
	const { run } = await runWorkflow(workflow, owner);
	const described = workflow.nodes.filter(
		({ type, parameters }) => type === NODE_TYPE && isDescribed(parameters),
	);
	expect(described).not.toEqual([]);
	for (const { name, parameters } of described) {
		const { resource = 'job', operation = 'create' } = parameters;
		const items = run.data.resultData.runData[name]!.at(-1)!.data!.main![0]!;
		expectOutput(
			OUTPUTS[String(resource)]![String(operation)]!,
			items.map(({ json }) => json),
		);
	}
});

it('the schema of Add Many Items also describes its problems', async () => {
	const { account: owner } = account();
	const run = RUNS.find(({ file }) => file.endsWith('blacklist-add-many-items.json'))!;
	const workflow = structuredClone(run.workflow);
	const node = workflow.nodes.find(({ type }) => type === NODE_TYPE)!;
	Object.assign(node.parameters, { values: 'to be asked', type: 'auto' });
	const { json } = await runWorkflow(workflow, owner);
	expect(json[0]!.problems).toHaveLength(1);
	expectOutput(OUTPUTS.blacklist!.addItems!, json);
});

it('the schema of the trigger describes every event', async () => {
	const { sandbox, account: owner } = account();
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
	expectOutput(eventOutput, items);
});

it('every operation has a schema, and every schema an operation', () => {
	const described = Object.entries(OUTPUTS).flatMap(([resource, operations]) =>
		Object.keys(operations).map((operation) => `${resource}.${operation}`),
	);
	expect(described.sort()).toEqual(
		CONTRACT.map(({ resource, operation }) => `${resource}.${operation}`).sort(),
	);
});
