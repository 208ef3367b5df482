import type { INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../sandbox';
import { ADD_MANY, CREATE } from '../support/parameters';
import { workflowOf } from '../support/workflowOf';
import { credentialOf, errorOf, n8n } from './n8n';

const KEYS = ['first-key', 'second-key', 'third-key'];
const ITEMS = KEYS.map((key, index) => ({
	key,
	keyword: `keyword ${index}.`,
	value: 'example.com',
}));

/** Ways to give each item the key of its own account. */
const FORMS = [
	'={{ $json.key }}',
	'={{ $json["key"] }}',
	'={{ $json.key.toLowerCase() }}',
	'={{ $input.item.json.key }}',
	'={{ $input.first().json.key && $json.key }}',
	'={{ $input.last().json.key && $json.key }}',
	'={{ $input.all()[$itemIndex].json.key }}',
	'={{ $input.all().map((item) => item.json.key)[$itemIndex] }}',
	'={{ $("Start").item.json.key }}',
	'={{ $("Start").all()[$itemIndex].json.key }}',
	'={{ $("Start").itemMatching($itemIndex).json.key }}',
	'={{ $items()[$itemIndex].json.key }}',
	'={{ $items("Start")[$itemIndex].json.key }}',
	'={{ $node["Start"].json.key }}',
	'={{ $vars.key ?? $json.key }}',
	'={{ ["first-key", "second-key", "third-key"][$itemIndex] }}',
	'={{ $workflow.name && $json.key }}',
	'=Token {{ $json.key }}',
	'={{ $json.key.split("-")[0] }}-key',
];

const OPERATIONS: Array<[name: string, parameters: INodeParameters, response: object]> = [
	['Job: Create', CREATE, { job_id: 'made' }],
	['Blacklist: Add Many Items', ADD_MANY, { success: true }],
];

describe.each(OPERATIONS)(
	'an expression in the credential, with %s,',
	(_name, parameters, body) => {
		it.each(FORMS)('sends each item to its own account: API Key %s', async (apiKey) => {
			const { sandbox, save, runSaved } = n8n();
			sandbox.faults.add({ fault: { kind: 'json', body } });
			const execution = await runSaved(await save(workflowOf(parameters, ITEMS), apiKey));
			expect(errorOf(execution)).toBeUndefined();
			const received = sandbox.requests.map(({ headers }) => headers['x-api-key']);
			expect(received.sort()).toEqual(KEYS.map((key) => `Token ${key}`));
		});

		it.each([
			'={{ $json.address }}',
			'={{ $input.all()[$itemIndex].json.address }}',
			'=http://127.0.0.1:{{ $json.port }}',
		])('sends each item to its own account: Base URL %s', async (address) => {
			const { sandbox, client, runSaved } = n8n();
			const other = await startSandbox({ key: sandbox.key });
			const items = [sandbox, other].map((service, index) => ({
				...ITEMS[index]!,
				address: service.address,
				port: new URL(service.address).port,
			}));
			for (const service of [sandbox, other]) service.faults.add({ fault: { kind: 'json', body } });
			const credential = credentialOf({ address, key: sandbox.key } as typeof sandbox, 'Per item');
			const id = await client.createCredential(credential);
			const workflow = workflowOf(parameters, items);
			workflow.nodes.at(-1)!.credentials!.businessListingSearchApi = { id, name: 'Per item' };
			const execution = await runSaved((await client.createWorkflow(workflow)).id);
			await other.stop();
			expect(errorOf(execution)).toBeUndefined();
			expect([sandbox.requests.length, other.requests.length]).toEqual([1, 1]);
		});
	},
);
