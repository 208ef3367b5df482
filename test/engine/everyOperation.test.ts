import type { INodePropertyOptions } from 'n8n-workflow';

import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import { useSandbox } from '../support/account';
import { runWorkflow, workflowOf } from '../support/engine';
import { OPERATIONS } from '../support/parameters';

const account = useSandbox();

/** JSON that the service documents for no operation. */
const ANSWERS = [null, true, 7, 'text', {}, { success: 'yes' }, [null], ['text'], [[]], [{}]];

it.each(OPERATIONS)(
	'%s refuses what the service does not document: its `parse` throws unexpectedResponse',
	async (_name, _method, parameters) => {
		const { sandbox, account: owner } = account();
		const accepted: unknown[] = [];
		for (const body of ANSWERS) {
			sandbox.faults.clear();
			sandbox.faults.add({ fault: { kind: 'json', body } });
			const { error } = await runWorkflow(workflowOf(parameters), owner);
			const expected = 'The response does not match the documentation of the service';
			if (error?.message !== expected) accepted.push([body, error?.message]);
		}
		expect(accepted).toEqual([]);
	},
);

it('refuseUnknown in BusinessListingSearch.node.ts knows each resource', async () => {
	const { properties } = new BusinessListingSearch().description;
	const { options } = properties.find(({ name }) => name === 'resource')!;
	for (const { value } of options as INodePropertyOptions[]) {
		const parameters = { resource: value, operation: 'none' };
		const { error } = await runWorkflow(workflowOf(parameters), account().account);
		expect(error?.message).toBe(`"Operation" does not exist for ${value}: none`);
	}
});
