import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { useSandbox } from '../support/account';
import { runWorkflow, workflowOf } from '../support/engine';
import { ADD, ADD_MANY, CREATE, domains, keywords, OPERATIONS } from '../support/parameters';
import { CONTINUE } from '../support/settings';

const account = useSandbox();

const withOptions = (parameters: INodeParameters, requestOptions: IDataObject): INodeParameters =>
	({ ...parameters, requestOptions }) as INodeParameters;

const TO_REGULAR: Partial<INode> = { onError: 'continueRegularOutput' };

const rows = domains(3);

/** The item of a refused row. On the error output n8n adds the fields of the input item. */
const refused = (label: string, item: number) => ({
	json: expect.objectContaining({
		error: expect.stringContaining(`"${label}"`),
		message: expect.any(String),
	}),
	pairedItem: { item },
});

describe('"Timeout" as text, as a fraction, or too large', () => {
	describe.each(['={{ "60000" }}', '={{ " 60000 " }}', 60000.5, 3_000_000_000, '={{ 1 / 0 }}'])(
		'%s',
		(timeout) => {
			it.each([
				['', {}],
				[', also with Continue', CONTINUE],
			])('creates jobs and returns their ids%s', async (_also, settings) => {
				const { sandbox, account: owner } = account();
				const { json, error } = await runWorkflow(
					workflowOf(withOptions(CREATE, { timeout }), keywords(3), settings),
					owner,
				);
				expect(error).toBeUndefined();
				expect(sandbox.state.jobs).toHaveLength(3);
				expect(json).toEqual(sandbox.state.jobs.map(({ job_id }) => ({ job_id })));
			});

			it('adds the values of Add Many Items', async () => {
				const { account: owner } = account();
				const { json, error } = await runWorkflow(
					workflowOf(withOptions(ADD_MANY, { timeout }), rows),
					owner,
				);
				expect(error).toBeUndefined();
				expect(json).toMatchObject([{ added: 3, failed: 0 }]);
			});
		},
	);

	describe.each(['abc', -5, '={{ true }}', '={{ [60000] }}'])('%s', (timeout) => {
		it.each(OPERATIONS)(
			'is refused by %s before anything is sent',
			async (_name, _method, parameters) => {
				const { sandbox, account: owner } = account();
				const { error } = await runWorkflow(
					workflowOf(withOptions(parameters, { timeout }), rows),
					owner,
				);
				expect(error?.message).toContain('"Timeout"');
				expect(error?.description).toMatch(/Enter a whole number/);
				expect(sandbox.requests).toEqual([]);
			},
		);

		it('gives each item its reason with Continue', async () => {
			const { sandbox, account: owner } = account();
			const { outputs } = await runWorkflow(
				workflowOf(withOptions(CREATE, { timeout }), keywords(2), CONTINUE),
				owner,
			);
			expect(outputs).toEqual([[], [0, 1].map((item) => refused('Timeout', item))]);
			expect(sandbox.requests).toEqual([]);
		});
	});
});

describe('an incomplete proxy address', () => {
	const ADDS: Array<[string, INodeParameters]> = [
		['Blacklist: Add Item', ADD],
		['Blacklist: Add Many Items', ADD_MANY],
	];

	describe.each(['proxy.local:3128', 'proxy.local', 'http://proxy.local', '={{ "3128" }}'])(
		'%s',
		(proxy) => {
			it.each(ADDS)(
				'is refused by %s, which sends nothing past the proxy',
				async (_name, parameters) => {
					const { sandbox, account: owner } = account();
					const { error } = await runWorkflow(
						workflowOf(withOptions(parameters, { proxy }), rows),
						owner,
					);
					// For Add Item, n8n's engine refuses it first.
					const isOurs = parameters === ADD_MANY;
					expect(error?.message).toMatch(isOurs ? /"Proxy"/ : /proxy is not valid/);
					if (isOurs) expect(error?.description).toContain('http://host:port');
					expect(sandbox.requests).toEqual([]);
				},
			);
		},
	);

	it.each(ADDS)('of another protocol is refused by %s', async (_name, parameters) => {
		const { sandbox, account: owner } = account();
		const { error } = await runWorkflow(
			workflowOf(withOptions(parameters, { proxy: 'socks5://127.0.0.1:1080' }), rows),
			owner,
		);
		expect(error?.message).toContain('"Proxy"');
		expect(sandbox.requests).toEqual([]);
	});
});

describe('an invalid option with Continue', () => {
	const REFUSED: Array<[string, INodeParameters, string]> = [
		['an incomplete proxy', withOptions(ADD_MANY, { proxy: 'proxy.local:3128' }), 'Proxy'],
		['a timeout that is text', withOptions(ADD_MANY, { timeout: 'soon' }), 'Timeout'],
		['no concurrency', { ...ADD_MANY, options: { concurrency: 0 } }, 'Concurrency'],
		['an unknown output', { ...ADD_MANY, options: { output: '={{ "all" }}' } }, 'Output'],
	];

	it.each(REFUSED)(
		'gives an item for each row of Add Many Items: %s',
		async (_what, parameters, label) => {
			const { sandbox, account: owner } = account();
			const each = rows.map((_row, item) => refused(label, item));
			const toError = await runWorkflow(workflowOf(parameters, rows, CONTINUE), owner);
			expect(toError.outputs).toEqual([[], each]);
			const toRegular = await runWorkflow(workflowOf(parameters, rows, TO_REGULAR), owner);
			expect(toRegular.outputs).toEqual([each]);
			for (const { json } of toRegular.outputs[0]!)
				expect(Object.keys(json)).toEqual(['error', 'message']);
			expect(sandbox.requests).toEqual([]);
		},
	);

	it('returns no input row of Add Item as a success', async () => {
		const { sandbox, account: owner } = account();
		const parameters = withOptions(ADD, { proxy: 'proxy.local:3128' });
		const { outputs } = await runWorkflow(workflowOf(parameters, rows, CONTINUE), owner);
		expect(outputs[0]).toEqual([]);
		expect(outputs[1]).toHaveLength(3);
		expect(sandbox.requests).toEqual([]);
	});
});
