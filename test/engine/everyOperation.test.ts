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
