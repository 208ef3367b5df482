import { OPERATIONS } from '../support/parameters';
import { useEngine } from '../support/useEngine';

const { sandbox, execute } = useEngine();

/** JSON that the service documents for no operation. */
const ANSWERS = [null, true, 7, 'text', {}, { success: 'yes' }, [null], ['text'], [[]], [{}]];

it.each(OPERATIONS)(
	'%s refuses what the service does not document: its `parse` throws unexpectedResponse',
	async (_name, _method, parameters) => {
		const accepted: unknown[] = [];
		for (const body of ANSWERS) {
			sandbox.faults.clear();
			sandbox.faults.add({ fault: { kind: 'json', body } });
			const { error } = await execute(parameters);
			const expected = 'The response does not match the documentation of the service';
			if (error?.message !== expected) accepted.push([body, error?.message]);
		}
		expect(accepted).toEqual([]);
	},
);
