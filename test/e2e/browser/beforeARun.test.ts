import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import { OUTPUTS } from '../../../nodes/BusinessListingSearch/resources/outputs';
import type { Output } from '../../../nodes/shared/output';
import { CONTRACT } from '../../support/contract';
import { ADD_MANY, CREATE, keywords, listNamed } from '../../support/parameters';
import { NODE_TYPE, triggerOf, workflowOf, type TestWorkflow } from '../../support/workflowOf';
import { NODE, OWNER, useN8n } from '../n8n';
import { startChromium } from './chromium';
import { Editor } from './editor';

const n8n = useN8n();
let browser: Browser;
let editor: Editor;

beforeAll(async () => {
	browser = await startChromium();
	const page = await browser.newPage({
		viewport: { width: 1400, height: 788 },
		deviceScaleFactor: 1.5,
		colorScheme: 'light',
	});
	editor = new Editor(page, n8n().client.address);
	await editor.signIn(OWNER);
});

afterAll(() => browser?.close());

/** Opens a node of a new workflow. */
async function open(workflow: TestWorkflow, node = NODE): Promise<void> {
	await editor.openWorkflow(await n8n().save(workflow));
	await editor.openNode(node);
}

/** Adds a node that would use the output of the node. */
function withNext(workflow: TestWorkflow): TestWorkflow {
	workflow.nodes.push({
		...{ id: 'next', name: 'Edit Fields', type: 'n8n-nodes-base.set', typeVersion: 3.4 },
		position: [440, 0],
		parameters: { options: {} },
	});
	workflow.connections[NODE] = { main: [[{ node: 'Edit Fields', type: 'main', index: 0 }]] };
	return workflow;
}

/** The names of the fields, including those inside a list, in the order of the editor. */
function namesOf({ properties }: Output): string[] {
	return Object.entries(properties).flatMap(([name, field]) => {
		const { items } = field as { items?: Output };
		return items ? [name, `${name}[0]`, ...namesOf(items)] : [name];
	});
}

it.each(CONTRACT)(
	'the next node has the fields of $resource $operation',
	async ({ resource, operation }) => {
		const parameters = { resource, operation, blacklist: listNamed('customers') };
		await open(withNext(workflowOf(parameters)), 'Edit Fields');
		expect(await editor.inputFields()).toEqual(namesOf(OUTPUTS[resource]![operation]!));
		if (operation === 'addItems') await editor.keepPicture('fields-before-a-run');
		expect(n8n().sandbox.requests).toEqual([]);
	},
);

describe('a hint about many jobs', () => {
	const MANY = [expect.stringMatching(/Each input item creates a job.*"Maximum Jobs"/)];

	/** The hints of Job: Create after a node that has run and returned this many items. */
	async function hintsFor(count: number, options: INodeParameters): Promise<string[]> {
		const workflow = workflowOf({ ...CREATE, options });
		workflow.nodes.push({
			...{ id: 'rows', name: 'Rows', type: 'n8n-nodes-base.code', typeVersion: 2 },
			position: [110, 0],
			parameters: {
				jsCode: `return Array.from({ length: ${count} }, (_, row) => ({ json: { row } }))`,
			},
		});
		workflow.connections.Start = { main: [[{ node: 'Rows', type: 'main', index: 0 }]] };
		workflow.connections.Rows = { main: [[{ node: NODE, type: 'main', index: 0 }]] };
		await open(workflow);
		await editor.executePrevious();
		return await editor.hints();
	}

	it('appears when nothing limits them', async () => {
		const found = await hintsFor(101, {});
		expect(found).toEqual(MANY);
	});

	it.each<[string, number, INodeParameters]>([
		['for few items', 100, {}],
		['with Maximum Jobs', 101, { maxJobs: 5_000 }],
		['with Minimum Remaining', 101, { minRemaining: 0 }],
	])('does not appear %s', async (_what, count, options) => {
		expect(await hintsFor(count, options)).toEqual([]);
	});
});

describe('a hint about values that were not added', () => {
	const items: IDataObject[] = [{ values: 'a.example, b.example, not one' }];

	it.each<[string, INodeParameters, string]>([
		['problems', {}, '1 of 3 values was not added: see "problems"'],
		['status', { output: 'items' }, '1 of 3 values was not added: see "status"'],
	])('refers to %s', async (_where, options, hint) => {
		await open(workflowOf({ ...ADD_MANY, options }, items));
		await editor.execute();
		expect(await editor.hints()).toEqual([hint]);
	});

	it('does not appear when all were added', async () => {
		await open(workflowOf(ADD_MANY, [{ values: 'a.example, b.example' }]));
		expect(await editor.hints()).toEqual([]);
		await editor.execute();
		expect(await editor.hints()).toEqual([]);
	});
});

it.each<[string, INodeParameters]>([
	['job create', CREATE],
	['usage get', { resource: 'usage', operation: 'get' }],
])('no hint appears at %s with a few items', async (_what, parameters) => {
	await open(workflowOf(parameters, keywords(3)));
	expect(await editor.hints()).toEqual([]);
	await editor.execute();
	expect(await editor.hints()).toEqual([]);
});

it.each([
	['the node', '', ['Concurrency', 'Maximum Jobs', 'Minimum Remaining']],
	// An agent calls its tool for one job at a time: Maximum Jobs would limit nothing.
	['a tool', 'Tool', ['Concurrency', 'Minimum Remaining']],
])('%s offers only the options that have an effect', async (_what, suffix, options) => {
	await open(workflowOf(CREATE, [{}], { type: `${NODE_TYPE}${suffix}` }));
	expect(await editor.offered('Add Option')).toEqual(options);
});

describe('"Docs" leads somewhere', () => {
	it.each([
		['node', () => workflowOf(CREATE)],
		['trigger', () => triggerOf({ events: ['allowanceLow'] })],
	])('from the %s, and from its credential', async (_what, workflow) => {
		await open(workflow());
		const fromNode = await editor.links();
		// n8n's own choice for a community node: the package's page.
		const page = /^https:.*\/package\/n8n-nodes-business-listing-search$/;
		expect(fromNode).toContainEqual(expect.stringMatching(page));
		await editor.editCredential();
		await editor.testOutcome();
		const fromCredential = await editor.links();
		const howTo = 'https://docs.n8n.io/credentials/add-edit-credentials/';
		expect(fromCredential).toContainEqual(expect.stringContaining(howTo));
		expect([...fromNode, ...fromCredential].join()).not.toContain('example.');
		await editor.closeCredential();
	});
});
