import type { INodeParameters } from 'n8n-workflow';

import { BusinessListingSearchApi } from '../../../credentials/BusinessListingSearchApi.credentials';
import packageJson from '../../../package.json';
import { ADD_MANY, CREATE } from '../../support/parameters';
import { schemaOf } from '../../support/schemas';
import { NODE_TYPE, triggerOf, workflowOf, type TestWorkflow } from '../../support/workflowOf';
import { n8n, NODE } from '../n8n';
import { until } from '../until';
import { useEditor } from './chromium';

const editor = useEditor();

/** Opens a node of a new workflow. */
async function open(workflow: TestWorkflow, node = NODE): Promise<void> {
	await editor().openWorkflow(await n8n().save(workflow));
	await editor().openNode(node);
}

it('the next node has the fields of the output', async () => {
	const workflow = workflowOf(ADD_MANY);
	workflow.nodes.push({
		...{ id: 'next', name: 'Edit Fields', type: 'n8n-nodes-base.set', typeVersion: 3.4 },
		position: [440, 0],
		parameters: { options: {} },
	});
	workflow.connections[NODE] = { main: [[{ node: 'Edit Fields', type: 'main', index: 0 }]] };
	await open(workflow, 'Edit Fields');
	const { problems, ...counts } = schemaOf('blacklist', 'addItems').properties;
	const { items } = problems as { items: { properties: object } };
	const names = [
		...Object.keys(counts),
		'problems',
		'problems[0]',
		...Object.keys(items.properties),
	];
	await until(async () => (await editor().inputFields()).join() === names.join());
});

const DRY = '"Dry Run" is on: this node sends nothing';

it.each([
	['Job: Create', CREATE, 'keyword', 'dentist'],
	['Blacklist: Add Many Items', ADD_MANY, 'valid', '1'],
])(
	'a hint says that Dry Run of %s is on, before and after it',
	async (_what, form, column, value) => {
		await open(workflowOf({ ...form, options: { dryRun: true } }));
		expect(await editor().hints()).toEqual([DRY]);
		await editor().execute();
		expect(await editor().hints()).toEqual([DRY]);
		await editor().showOutputAs('Table');
		expect(await editor().outputColumn(column)).toEqual([value]);
		expect(n8n().sandbox.requestCount).toBe(0);
	},
);

describe('a hint about many requests', () => {
	const MANY =
		/^Each different search and each different value is one request\..*"Maximum Jobs per Run"/;

	/** Opens the node after a node that has run and returned 101 items. */
	async function openAfterMany(options: INodeParameters): Promise<void> {
		const workflow = workflowOf({ ...CREATE, options });
		workflow.nodes.push({
			...{ id: 'rows', name: 'Rows', type: 'n8n-nodes-base.code', typeVersion: 2 },
			position: [110, 0],
			parameters: { jsCode: 'return Array.from({ length: 101 }, (_, row) => ({ json: { row } }))' },
		});
		workflow.connections.Start = { main: [[{ node: 'Rows', type: 'main', index: 0 }]] };
		workflow.connections.Rows = { main: [[{ node: NODE, type: 'main', index: 0 }]] };
		await open(workflow);
		await editor().executePrevious();
	}

	it('appears when nothing limits them', async () => {
		await openAfterMany({});
		expect(await editor().hints()).toEqual([expect.stringMatching(MANY)]);
	});

	it.each<[string, INodeParameters]>([
		['Maximum Jobs per Run', { maxJobs: 5_000 }],
		['Minimum Remaining Requests', { minRemaining: 0 }],
		['Dry Run, which has its own', { dryRun: true }],
	])('does not appear with %s', async (_what, options) => {
		await openAfterMany(options);
		expect(await editor().hints()).toEqual(options.dryRun ? [DRY] : []);
	});
});

it.each([
	[
		'the node',
		'',
		[
			...['Concurrency', 'Dry Run', 'Include Input Fields'],
			...['Maximum Jobs per Run', 'Minimum Remaining Requests'],
		],
	],
	// An agent calls its tool for one job at a time: Maximum Jobs per Run would limit nothing.
	['a tool', 'Tool', ['Concurrency', 'Dry Run', 'Minimum Remaining Requests']],
])('%s offers only the options that have an effect', async (_what, suffix, options) => {
	await open(workflowOf(CREATE, [{}], { type: `${NODE_TYPE}${suffix}` }));
	expect(await editor().offered('Add Option')).toEqual(options);
});

it.each([
	['the node', () => workflowOf(CREATE)],
	['the trigger', () => triggerOf({ events: ['allowanceLow'] })],
])('"Docs" of %s and of its credential leads somewhere', async (_what, workflow) => {
	await open(workflow());
	const fromNode = await editor().links();
	// Without a repository, n8n's own choice for a community node: the package's page.
	const { homepage, name } = packageJson;
	const page = 'repository' in packageJson ? homepage : `/package/${name}`;
	expect(fromNode).toContainEqual(expect.stringContaining(page));
	await editor().editCredential();
	await editor().testOutcome();
	const fromCredential = await editor().links();
	await editor().closeCredential();
	const howTo = new BusinessListingSearchApi().documentationUrl;
	expect(fromCredential).toContainEqual(expect.stringContaining(howTo));
	expect([...fromNode, ...fromCredential].join()).not.toContain('example.');
});
