import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { startSandbox, type RecordedRequest, type Sandbox } from '../../../sandbox';
import { ADD_MANY, CREATE } from '../../support/parameters';
import { workflowOf } from '../../support/workflowOf';
import { credentialOf, errorOf, n8n } from '../n8n';

const KEYS = ['first-key', 'second-key', 'third-key'];
const ITEMS = KEYS.map((key, index) => ({
	key,
	keyword: `keyword ${index}.`,
	value: 'example.com',
}));

/** Ways to give each item the key of its own account. More of them: test/engine/credentialPerItem.test.ts. */
const FORMS = [
	'={{ $json.key }}',
	'={{ $("Start").item.json.key }}',
	'={{ $vars.key ?? $json.key }}',
];

/** Ways to send each item to the service of its own. */
const ADDRESSES = ['={{ $json.address }}'];

/** The field of each operation that differs for each form, by which its requests are known. */
const OPERATIONS: Array<[name: string, field: string, parameters: INodeParameters, body: object]> =
	[
		['Job: Create', 'keyword', CREATE, { job_id: 'made' }],
		['Blacklist: Add Many Items', 'values', ADD_MANY, { success: true }],
	];
const valueOf = (form: number) => `form-${form}.example.com`;

/** Runs a node for each form of a credential, all of them in one execution. */
async function runForms(
	field: string,
	parameters: INodeParameters,
	items: IDataObject[],
	credentials: Array<ReturnType<typeof credentialOf>>,
): Promise<void> {
	const { client, runSaved } = n8n();
	const workflow = workflowOf(parameters, items);
	const [start, node] = workflow.nodes as [INode, INode];
	workflow.nodes = [start];
	const names = credentials.map((_credential, form) => `Form ${form}`);
	for (const [form, credential] of credentials.entries()) {
		const name = names[form]!;
		const id = await client.createCredential({ ...credential, name });
		workflow.nodes.push({
			...{ ...node, id: name, name, parameters: { ...parameters, [field]: valueOf(form) } },
			credentials: { [credential.type]: { id, name } },
		});
	}
	const to = names.map((name) => ({ node: name, type: 'main' as const, index: 0 }));
	workflow.connections = { Start: { main: [to] } };
	const execution = await runSaved((await client.createWorkflow(workflow)).id);
	expect(errorOf(execution)).toBeUndefined();
}

/** What came to a service for each form. */
const received = (
	{ requests }: Sandbox,
	forms: string[],
	of: (request: RecordedRequest) => unknown,
) =>
	forms.map((form, index) => [
		form,
		requests
			.filter(({ body }) => Object.values(body as object).includes(valueOf(index)))
			.map(of)
			.sort(),
	]);

describe.each(OPERATIONS)(
	'an expression in the credential, with %s,',
	(_name, field, parameters, body) => {
		it('sends each item to its own account: API Key', async () => {
			const { sandbox } = n8n();
			sandbox.faults.add({ fault: { kind: 'json', body } });
			const credentials = FORMS.map((apiKey) => credentialOf(sandbox, '', apiKey));
			await runForms(field, parameters, ITEMS, credentials);
			expect(received(sandbox, FORMS, ({ headers }) => headers['x-api-key'])).toEqual(
				FORMS.map((form) => [form, KEYS.map((key) => `Token ${key}`)]),
			);
		});

		it('sends each item to its own account: Base URL', async () => {
			const { sandbox } = n8n();
			const other = await startSandbox({ key: sandbox.key });
			const services = [sandbox, other];
			for (const service of services) service.faults.add({ fault: { kind: 'json', body } });
			const items = services.map((service, index) => ({
				...ITEMS[index]!,
				address: service.address,
			}));
			const credentials = ADDRESSES.map((address) => credentialOf({ ...sandbox, address }));
			await runForms(field, parameters, items, credentials);
			await other.stop();
			for (const service of services) {
				expect(received(service, ADDRESSES, () => 1)).toEqual(ADDRESSES.map((form) => [form, [1]]));
			}
		});
	},
);
