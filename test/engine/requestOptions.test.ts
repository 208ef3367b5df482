import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { ADD_MANY, domains, OPERATIONS } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { useEngine } from '../support/useEngine';

const { sandbox, execute, retry } = useEngine();

const withOptions = (parameters: INodeParameters, requestOptions: IDataObject): INodeParameters =>
	({ ...parameters, requestOptions }) as INodeParameters;

const rows = domains(3);

/** The item of a refused row. On the error output n8n adds the fields of the input item. */
const refused = (label: string, item: number) => ({
	json: expect.objectContaining({
		error: expect.stringContaining(`"${label}"`),
		message: expect.any(String),
	}),
	pairedItem: { item },
});

// Which values are valid is tested in unit/requestOptions.test.ts.
it.each(OPERATIONS)('a Timeout of text is refused: %s', async (_name, _method, parameters) => {
	const { error } = await execute(withOptions(parameters, { timeout: 'soon' }), rows);
	expect(error?.message).toBe('"Timeout" is not a whole number: soon');
	expect(sandbox.requests).toEqual([]);
});

describe('an invalid option with Continue', () => {
	const REFUSED: Array<[string, INodeParameters, string]> = [
		['a timeout that is text', withOptions(ADD_MANY, { timeout: 'soon' }), 'Timeout'],
		['no concurrency', { ...ADD_MANY, options: { concurrency: 0 } }, 'Concurrency'],
		['an unknown output', { ...ADD_MANY, options: { output: '={{ "all" }}' } }, 'Output'],
		[
			'an item each for more values than there can be items',
			{ ...ADD_MANY, values: '={{ Array(100001).fill("a.b") }}', options: { output: 'items' } },
			'Output',
		],
	];

	it.each(REFUSED)(
		'gives an item for each row of Add Many Items: %s',
		async (_what, parameters, label) => {
			const each = rows.map((_row, item) => refused(label, item));
			const { outputs } = await execute(parameters, rows, CONTINUE);
			expect(outputs[1]).toEqual(each);
			expect(outputs[0]!.flatMap(({ json }) => json.failed)).toEqual(
				parameters.values === ADD_MANY.values ? [3] : [0],
			);
			expect(sandbox.requests).toEqual([]);
		},
	);
});

it('an invalid option is told where there is nothing to send', async () => {
	const parameters = { ...ADD_MANY, values: 'no domain', options: { concurrency: 500 } };
	const { error } = await execute(parameters, rows);
	expect(error?.message).toBe('"Concurrency" is above 100: 500');
});

it('"Each Value" for too many values hides nothing of what is done', async () => {
	sandbox.faults.add({ match: 'site-1.', times: 1, fault: status(402) });
	const failed = await execute({ ...ADD_MANY, options: { concurrency: 1 } }, domains(2));
	const values = '={{ [$json.value, ...Array(50001).fill("a.example.com")] }}';
	const { error } = await retry(
		failed,
		workflowOf({ ...ADD_MANY, values, options: { output: 'items' } }, domains(2)),
	);
	expect(error?.message).toMatch(/^"Output" cannot be .* \(done: 1 of 3 values\)$/);
});
