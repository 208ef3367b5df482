import type {
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { CREDENTIAL_TYPE, exampleFiles, importExamples, readExample } from '../../../n8n/examples';
import { BusinessListingSearch } from '../../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import { blacklistOf } from '../../../sandbox';
import { status } from '../../support/faults';
import { CREATE, keywords, listNamed } from '../../support/parameters';
import { triggerOf, workflowOf } from '../../support/workflowOf';
import { n8n, NODE, NODE_TYPE } from '../n8n';
import { until } from '../until';
import { useEditor, WINDOW } from './chromium';
import { cutOffTexts } from './layout';

const editor = useEditor();
/** The node as loaded by n8n, which adds fields and choices of its own. */
let description: INodeTypeDescription;

beforeAll(async () => {
	description = (await n8n().client.nodeTypes()).find(({ name }) => name === NODE_TYPE)!;
});

/** Every operation, as the description lists them. */
const OPERATIONS = new BusinessListingSearch().description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options }) =>
		(options as INodePropertyOptions[]).map(({ value, action }) => ({
			resource: String(displayOptions!.show!.resource![0]),
			operation: String(value),
			action: String(action),
		})),
	);

/** 60 searches, as people have them. */
const SEARCHES = ['Vienna', 'Graz', 'Linz', 'Salzburg', 'Innsbruck', 'Klagenfurt'].flatMap((town) =>
	['dentist', 'plumber', 'lawyer', 'bakery', 'florist']
		.concat(['optician', 'electrician', 'physiotherapist', 'car repair', 'hair salon'])
		.map((trade) => ({ keyword: `${trade} in ${town}` })),
);
const BY_ROW = { ...CREATE, keyword: '={{ $json.keyword }}' };

const ICONS = {
	light: 'businessListingSearch.svg',
	dark: 'businessListingSearch.dark.svg',
};

/** Opens the node's form in a new workflow. */
async function openForm(parameters: INodeParameters): Promise<void> {
	const item = { company: 'Example Ltd', website: 'example.com' };
	await editor().openWorkflow(await n8n().save(workflowOf(parameters, [item])));
	await editor().openNode(NODE);
}

/** An account with a few blacklists. */
function fillAccount(): void {
	const { blacklists } = n8n().sandbox.state;
	const domains = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			type: 'domain' as const,
			value: `${index}.example`,
		}));
	blacklists.set('competitors', blacklistOf(...domains(12)));
	blacklists.set('customers', blacklistOf(...domains(248)));
	blacklists.set('former customers', blacklistOf(...domains(31)));
}

it('a new user finds the node, enters a credential, sees what is wrong with it, and creates a job', async () => {
	const { client, sandbox } = n8n();
	for (const { id, type } of await client.listCredentials()) {
		if (type === CREDENTIAL_TYPE) await client.deleteCredential(id);
	}
	await editor().newWorkflow();
	await editor().openNodePanel();
	for (const text of [
		'leads',
		'local business',
		'maps',
		'blacklist',
		'usage',
		'business listing',
		...['block list', 'exclude', 'company', 'quota', 'credits', 'yellow pages', 'place id', 'cid'],
	]) {
		await editor().searchNode(text);
		await editor().creatorItem('Business Listing Search').waitFor();
	}
	await editor().creatorItem('Business Listing Search').click();
	await editor().showActions();
	for (const { action } of OPERATIONS) await editor().creatorItem(action).waitFor();
	await editor().creatorItem('Create job').click();
	await editor().form.waitFor();

	const right = { baseUrl: sandbox.address, apiKey: sandbox.key };
	await editor().addCredential();
	for (const [wrong, said] of [
		[{ apiKey: 'another-key' }, /The service refused the API key/],
		[{ baseUrl: `${sandbox.address}?account=1` }, /"Base URL".*is invalid/],
	] as Array<[Record<string, string>, RegExp]>) {
		await editor().fillCredential({ ...right, ...wrong });
		await editor().saveCredential();
		expect(await editor().testOutcome()).toMatch(said);
	}
	await editor().fillCredential(right);
	await editor().saveCredential();
	await editor().editCredential();
	expect(await editor().testOutcome()).toContain('Connection tested successfully');
	expect(await cutOffTexts(editor().credential)).toEqual([]);
	// In the picture, an address as people have it; n8n keeps the one that was entered.
	await editor()
		.credential.getByTestId('parameter-input-baseUrl')
		.locator('input')
		.evaluate((input) => Object.assign(input, { value: 'https://service.example.com' }));
	await editor().keepPicture('credential');
	await editor().closeCredential();

	await editor().fill('keyword', 'dentist in Vienna');
	await editor().addOption('Add Filter', 'Minimum Rating');
	await editor().addOption('Add Filter', 'Has Phone');
	await editor().addOption('Add Sorting', 'Sort By');
	await editor().choose('sortBy', 'Rating');
	await editor().execute();
	expect(sandbox.state.jobs).toMatchObject([
		{
			keyword: 'dentist in Vienna',
			group_name: 'API',
			min_rating: 4,
			has_phone: true,
			sort_by: 'rating',
		},
	]);
	expect(await editor().outputColumn('job_id')).toEqual([sandbox.state.jobs[0]!.job_id]);
});

it('the output shows each keyword beside its job_id', async () => {
	const options = { includeInputFields: true };
	await editor().openWorkflow(await n8n().save(workflowOf({ ...BY_ROW, options }, SEARCHES)));
	await editor().openNode(NODE);
	await editor().execute();
	// The first page of the table.
	const shown = await editor().outputColumn('keyword');
	expect(shown).toEqual(SEARCHES.slice(0, shown.length).map(({ keyword }) => keyword));
	expect(n8n().sandbox.state.jobs).toHaveLength(60);
	await editor().keepPicture('job-create');
});

describe('the form', () => {
	// High enough for the longest form.
	beforeAll(() => editor().page.setViewportSize({ ...WINDOW, height: 1400 }));
	afterEach(() => editor().page.emulateMedia({ colorScheme: 'light' }));
	afterAll(() => editor().page.setViewportSize(WINDOW));

	it.each(OPERATIONS)(
		'of $resource $operation is as described',
		async ({ resource, operation }) => {
			await openForm({ resource, operation });
			const fields = fieldsOf({ resource, operation });
			for (const field of fields) {
				for (const option of optionsOf(field)) {
					await editor().addOption(field.placeholder!, option.displayName);
				}
			}
			const all = fields.flatMap((field) => [field, ...optionsOf(field)]);
			expect(await editor().labels()).toEqual([
				'Credential',
				...all.map(({ displayName }) => displayName),
			]);
			for (const field of all) await compare(field);

			for (const colorScheme of ['light', 'dark'] as const) {
				await editor().page.emulateMedia({ colorScheme });
				await editor().waitForIcon(ICONS[colorScheme]);
				expect(await cutOffTexts(editor().form)).toEqual([]);
			}
		},
	);
});

it('the form of the trigger is complete, in light and dark', async () => {
	const workflow = triggerOf({
		events: ['allowanceLow', 'allowanceRenewed', 'planChanged'],
		pollTimes: { item: [{ mode: 'everyHour', minute: 0 }] },
	});
	const name = 'Business Listing Search Trigger';
	workflow.connections = {};
	Object.assign(workflow.nodes[0]!, { name });
	await editor().openWorkflow(await n8n().save(workflow));
	expect(await editor().onCanvas(name)).toContain('Allowance Low, Allowance Renewed, Plan Changed');
	await editor().openNode(name);
	expect(await editor().labels()).toEqual(expect.arrayContaining(['Events', 'Threshold']));
	for (const colorScheme of ['dark', 'light'] as const) {
		await editor().page.emulateMedia({ colorScheme });
		await editor().waitForIcon(ICONS[colorScheme]);
		expect(await cutOffTexts(editor().form)).toEqual([]);
	}
	await editor().keepPicture('trigger');
});

/** The fields that the form shows for these parameters. */
function fieldsOf(parameters: INodeParameters): INodeProperties[] {
	const { properties } = description;
	const values = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		null,
		description,
	)!;
	return properties.filter(
		(property) =>
			!property.isNodeSetting && NodeHelpers.displayParameter(values, property, null, description),
	);
}

function optionsOf({ type, options }: INodeProperties): INodeProperties[] {
	return type === 'collection' ? (options as INodeProperties[]) : [];
}

/** Compares the choices and the placeholder of a field with its description. */
async function compare({
	name,
	type,
	options,
	placeholder,
	modes,
}: INodeProperties): Promise<void> {
	if (type === 'options') {
		const choices = options as INodePropertyOptions[];
		await editor().openChoices(name);
		expect(await editor().choices()).toEqual(
			choices.map((choice) => [choice.name, choice.description].filter(Boolean).join('\n')),
		);
		expect(await cutOffTexts(editor().choiceList)).toEqual([]);
		await editor().closeChoices();
	} else if (type === 'resourceLocator') {
		for (const mode of modes!) {
			await editor().chooseMode(name, mode.name);
			expect(await editor().locatorPlaceholder(name)).toBe(mode.placeholder);
		}
	} else if (type !== 'collection') {
		expect(await editor().placeholder(name)).toBe(placeholder ?? '');
	}
}

describe('blacklists', () => {
	it('are listed with their counts, searched and picked', async () => {
		const { sandbox } = n8n();
		fillAccount();
		await openForm({ resource: 'blacklist', operation: 'addItem', type: 'domain' });
		await editor().openList('blacklist');
		expect(await editor().listed()).toEqual([
			'competitors (12)',
			'customers (248)',
			'former customers (31)',
		]);

		await editor().searchList('CUSTOM');
		expect(await editor().listed()).toEqual([
			'customers (248)',
			'former customers (31)',
			'CUSTOM (new)',
		]);
		await editor().pickListed('former customers (31)');
		await editor().fill('value', 'example.com');
		await editor().openList('blacklist');
		await until(async () => (await editor().listed()).length === 3);
		await editor().keepPicture('blacklist-add-item');
		await editor().pickListed('former customers (31)');
		await editor().execute();

		expect(await editor().outputColumn('success')).toEqual(['true']);
		expect([...sandbox.state.blacklists.get('former customers')!.keys()].at(-1)).toBe(
			'domain:example.com',
		);
	});

	it('show in the list why they cannot be read', async () => {
		const { sandbox } = n8n();
		sandbox.faults.add({ path: '/api/v1/blacklist', fault: status(401) });
		await openForm({ resource: 'blacklist', operation: 'delete' });
		expect(await editor().listFailure('blacklist')).toMatch(
			/The service refused the API key[^]*"API Key Format"/,
		);
	});

	it('accept many items at once', async () => {
		fillAccount();
		await openForm({
			resource: 'blacklist',
			operation: 'addItems',
			blacklist: listNamed('customers'),
		});
		await editor().fill(
			'values',
			'https://www.example.com/contact\nAda <ada@example.com>\nexample.com\nto be asked',
		);
		await editor().execute();
		expect(await editor().outputColumn('added')).toEqual(['2']);
		await editor().showOutputAs('JSON');
		await editor().keepPicture('blacklist-add-many');
	});
});

it.each(['original', 'currently saved'])(
	'the arrow under "Executions" sends only what is missing: %s',
	async (choice) => {
		const { sandbox, runSaved, save } = n8n();
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(402) });
		const id = await save(workflowOf(CREATE, keywords(5)));
		expect((await runSaved(id)).status).toBe('error');
		await editor().openWorkflow(id);
		expect(await editor().openRetry()).toEqual([
			expect.stringMatching(/^Retry with currently saved workflow/),
			expect.stringMatching(/^Retry with original workflow/),
		]);
		await editor().chooseRetry(choice);
		await until(() => sandbox.state.jobs.length === 5);
		expect(sandbox.requests).toHaveLength(6);
	},
);

it('an error says in its title what is paid, and its retry sends the rest', async () => {
	const { save, sandbox } = n8n();
	const body = { message: 'The requests of your plan are used up.' };
	sandbox.faults.add({ match: SEARCHES[24]!.keyword, times: 1, fault: status(402, { body }) });
	await editor().openWorkflow(await save({ ...workflowOf(BY_ROW, SEARCHES), name: 'Leads' }));
	await editor().openNode(NODE);
	await editor().execute();
	const { message } = await editor().failure();
	expect(message).toMatch(/ \(paid: \d+ of 60 jobs\) \[item 24\]$/);
	await editor().keepPicture('error');
	await editor().openRetry();
	await editor().keepPicture('retry');
	await editor().chooseRetry('currently saved');
	await until(() => sandbox.state.jobs.length === 60);
});

describe('invalid input', () => {
	it('is refused when a number is typed with a decimal point', async () => {
		const { sandbox } = n8n();
		await openForm({ resource: 'job', operation: 'create', keyword: 'dentist in Vienna' });
		await editor().addOption('Add Filter', 'Minimum Rating');
		await editor().type('minRating', '4.5');
		await editor().execute();
		const { message } = await editor().failure();
		expect(message).toContain('"Minimum Rating" is not a whole number: 4.5');
		expect(sandbox.requests).toEqual([]);
	});
});

it('the examples open without an issue', async () => {
	const { client, credentialId: id } = n8n();
	// Other tests saved some of them, with a credential or a model of their own.
	const names = (await Promise.all((await exampleFiles()).map(readExample))).map(
		({ name }) => name,
	);
	for (const workflow of await client.listWorkflows()) {
		if (names.includes(workflow.name) && !workflow.isArchived)
			await client.deleteWorkflow(workflow.id);
	}
	const credential = { id, name: 'Business Listing Search account' };
	const workflows = await importExamples(client, credential);
	// The chat model, the MCP trigger and Google Sheets need a credential that only the user has.
	const expected = new Map([
		['agent-that-orders-searches.json', 1],
		['searches-for-mcp-clients.json', 1],
		['customers-to-blacklist-google-sheets.json', 3],
		['form-that-creates-a-job-google-sheets.json', 3],
		['scheduled-lead-collection-google-sheets.json', 3],
	]);
	for (const [file, workflow] of workflows) {
		await editor().openWorkflow(workflow.id);
		await editor().fitCanvas();
		// The editor shows issues until it has loaded the credentials.
		const issues = editor().page.getByTestId('node-issues');
		await until(async () => (await issues.count()) === (expected.get(file) ?? 0));
		expect([file, await editor().cutOffNotes()]).toEqual([file, []]);
		if (file === 'scheduled-lead-collection.json') await editor().keepPicture('example');
	}
	// `npm start` still knows them as examples.
	for (const [file, { isExample }] of await importExamples(client, credential))
		expect([file, isExample]).toEqual([file, true]);
});
