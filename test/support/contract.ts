import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { blacklistOf, type Sandbox } from '../../sandbox';
import { listNamed } from './parameters';
import { TESTED_NODE as NODE, workflowOf, type TestWorkflow } from './workflowOf';

/** A parameter of an operation. A collection lists its fields instead of a default. */
type Field = [name: string, valueOrFields: unknown];

/** What saved workflows depend on in an operation: a changed name breaks them. */
interface OperationContract {
	resource: string;
	operation: string;
	/** Its name in n8n's list of actions. */
	action: string;
	/** Method and path of its routing; undefined for a custom operation. */
	endpoint?: string;
	/** In the order of the form. */
	fields: Field[];
	runs: Run[];
}

/** A workflow that runs an operation on the account set up by `prepare`. */
interface Run {
	/** A file of `test/workflows`, or `workflowOf(…)` for an operation added after version 1. */
	workflow: string | TestWorkflow;
	/** The requests it sends, in any order: `METHOD path (x-api-key, content-type) body`. */
	sends: string[];
	/** The output items of each node. */
	outputs: (sandbox: Sandbox) => Record<string, unknown[]>;
}

const ODD_NAME = 'Kunden / 100 % größe 顧客';
const ODD_SEGMENT = 'Kunden%20%2F%20100%20%25%20gr%C3%B6%C3%9Fe%20%E9%A1%A7%E5%AE%A2';

/** A body with its fields in alphabetical order, which has no meaning in JSON. */
const sorted = (body: object) => JSON.stringify(body, Object.keys(body).sort());
const post = (path: string, body: object) =>
	`POST ${path} (Token <API_KEY>, application/json) ${sorted(body)}`;
export const postJob = (body: object) => post('/api/v1/jobs', body);
const postItem = (segment: string, type: string, value: string) =>
	post(`/api/v1/blacklist/${segment}`, { type, value });
const GET_BLACKLISTS = 'GET /api/v1/blacklist (Token <API_KEY>)';
export const GET_USAGE = 'GET /api/v1/usage (<API_KEY>)';

/** One output item per input item. */
const paired = (...jsons: object[]) => jsons.map((json, item) => ({ json, pairedItem: { item } }));

/** All output items belong to the first input item. */
const allOfFirst = (...jsons: object[]) => jsons.map((json) => ({ json, pairedItem: { item: 0 } }));

/** The `job_id` of each keyword, in any order of creation. */
const jobIds = ({ state: { jobs } }: Sandbox, ...keywords: string[]) =>
	paired(
		...keywords.map((wanted) => ({
			job_id: jobs.find(({ keyword }) => keyword === wanted)?.job_id,
		})),
	);

const summary = (item: number, blacklist: string, added: number) => ({
	json: { blacklist, added, duplicates: 0, invalid: 0, failed: 0, problems: [] },
	pairedItem: [{ item }],
});

const eachValue = (item: number, text: string, status: string, reason?: unknown) => ({
	json: {
		...{ blacklist: 'second', type: 'domain', value: text, status },
		...(reason !== undefined && { reason }),
	},
	pairedItem: { item },
});

const REVIEWS_AND_SORT = {
	min_reviews: 10,
	max_reviews: 200,
	has_phone: true,
	has_website: false,
	sort_by: 'reviews',
	sort_order: 'desc',
};

const BLACKLIST: Field = ['blacklist', { mode: 'list', value: '' }];

/** All operations, in the order of the form. Their workflow files must never change. */
export const CONTRACT: OperationContract[] = [
	{
		resource: 'job',
		operation: 'create',
		action: 'Create job',
		endpoint: 'POST /api/v1/jobs',
		fields: [
			['keyword', ''],
			['groupName', 'API'],
			[
				'filters',
				[
					['hasPhone', true],
					['hasWebsite', true],
					['maxReviews', 100],
					['minRating', 4],
					['minReviews', 10],
				],
			],
			[
				'sort',
				[
					['sortBy', 'reviews'],
					['sortOrder', 'desc'],
				],
			],
			[
				'options',
				[
					['concurrency', 10],
					['dryRun', true],
					['includeInputFields', true],
					['maxJobs', 100],
					['minRemaining', 100],
				],
			],
		],
		runs: [
			{
				workflow: workflowOf(
					{
						...{ resource: 'job', operation: 'create', keyword: '={{ $json.keyword }}' },
						options: { includeInputFields: true },
					},
					[{ keyword: 'dentist in Vienna', row: 7 }],
				),
				sends: [postJob({ keyword: 'dentist in Vienna', group_name: 'API' })],
				outputs: ({ state: { jobs } }) => ({
					[NODE]: paired({ keyword: 'dentist in Vienna', row: 7, job_id: jobs[0]?.job_id }),
				}),
			},
			{
				workflow: workflowOf({
					...{ resource: 'job', operation: 'create', keyword: 'dentist in Vienna' },
					...{ filters: { minRating: '={{ "4" }}' }, options: { dryRun: true } },
				}),
				sends: [],
				outputs: () => ({
					[NODE]: paired({
						...{ dryRun: true, keyword: 'dentist in Vienna' },
						...{ group_name: 'API', min_rating: 4 },
					}),
				}),
			},
			{
				workflow: 'job-create.json',
				sends: [
					postJob({
						...{ keyword: 'dentist in Vienna', group_name: 'Vienna', min_rating: 4 },
						...REVIEWS_AND_SORT,
					}),
					postJob({
						...{ keyword: 'Zahnarzt „Mitte“ & Söhne', group_name: 'Vienna', min_rating: 3 },
						...REVIEWS_AND_SORT,
					}),
				],
				outputs: (sandbox) => ({
					[NODE]: jobIds(sandbox, 'dentist in Vienna', 'Zahnarzt „Mitte“ & Söhne'),
				}),
			},
			{
				workflow: 'job-create-every-parameter.json',
				sends: [
					GET_USAGE,
					postJob({
						...{ keyword: 'dentist in Vienna', group_name: 'Vienna', min_rating: 3 },
						...{ min_reviews: 10, max_reviews: 100, has_phone: true, has_website: true },
						...{ sort_by: 'distance', sort_order: 'asc' },
					}),
					postJob({
						...{ keyword: 'bakery in Graz', min_rating: 3, min_reviews: 110, max_reviews: 200 },
						...{ has_phone: false, has_website: true },
						...{ sort_by: 'main_category', sort_order: 'desc' },
					}),
				],
				outputs: (sandbox) => ({ [NODE]: jobIds(sandbox, 'dentist in Vienna', 'bakery in Graz') }),
			},
			{
				workflow: workflowOf(
					{
						...{ resource: 'job', operation: 'create', keyword: '={{ $json.keyword }}' },
						options: { maxJobs: '={{ "2" }}' },
					},
					[{ keyword: 'dentist in Vienna' }, { keyword: 'bakery in Graz' }],
				),
				sends: ['dentist in Vienna', 'bakery in Graz'].map((keyword) =>
					postJob({ keyword, group_name: 'API' }),
				),
				outputs: (sandbox) => ({ [NODE]: jobIds(sandbox, 'dentist in Vienna', 'bakery in Graz') }),
			},
		],
	},
	{
		resource: 'blacklist',
		operation: 'addItem',
		action: 'Add item to blacklist',
		endpoint: 'POST /api/v1/blacklist/:name',
		fields: [BLACKLIST, ['type', 'email'], ['value', ''], ['options', [['concurrency', 10]]]],
		runs: [
			{
				workflow: 'blacklist-add-item.json',
				sends: [
					postItem('customers', 'email', 'name@example.com'),
					postItem(ODD_SEGMENT, 'domain', 'example.com'),
					postItem('customers', 'cid', '12345678901234567890'),
					postItem('customers', 'place_id', 'ChIJN1t_tDeuEmsRUsoyG83frY4'),
				],
				outputs: () => ({
					[NODE]: paired(
						{ success: true },
						{ success: true },
						{ success: true },
						{ success: true },
					),
				}),
			},
			{
				workflow: 'blacklist-add-item-from-list.json',
				sends: [postItem('second', 'place_id', 'ChIJN1t_tDeuEmsRUsoyG83frY4')],
				outputs: () => ({ [NODE]: paired({ success: true }) }),
			},
		],
	},
	{
		resource: 'blacklist',
		operation: 'addItems',
		action: 'Add many items to blacklist',
		fields: [
			BLACKLIST,
			['type', 'auto'],
			['values', ''],
			[
				'options',
				[
					['concurrency', 10],
					['dryRun', true],
					['output', 'summary'],
				],
			],
		],
		runs: [
			{
				workflow: workflowOf({
					...{ resource: 'blacklist', operation: 'addItems', type: 'auto' },
					...{ blacklist: listNamed('second'), values: 'a.example, no' },
					options: { dryRun: true, output: 'items' },
				}),
				sends: [],
				outputs: () => ({
					[NODE]: [
						eachValue(0, 'a.example', 'valid'),
						{ ...eachValue(0, 'no', 'invalid', expect.any(String)), json: expect.anything() },
					],
				}),
			},
			{
				workflow: 'blacklist-add-many-items.json',
				sends: [
					postItem('customers', 'domain', 'example.com'),
					postItem('customers', 'email', 'ada@example.com'),
					postItem(ODD_SEGMENT, 'cid', '255'),
					postItem(ODD_SEGMENT, 'domain', 'example.com'),
					postItem('second', 'domain', 'a.example'),
					postItem('second', 'domain', 'b.example'),
				],
				outputs: () => ({
					[NODE]: [summary(0, 'customers', 2), summary(1, ODD_NAME, 2)],
					'Each Value': [
						eachValue(0, 'a.example', 'added'),
						eachValue(0, 'b.example', 'added'),
						eachValue(0, 'not one', 'invalid', expect.any(String)),
						eachValue(1, 'a.example', 'duplicate'),
						eachValue(1, 'b.example', 'duplicate'),
						eachValue(1, 'not one', 'invalid', expect.any(String)),
					],
				}),
			},
		],
	},
	{
		resource: 'blacklist',
		operation: 'delete',
		action: 'Delete blacklist',
		endpoint: 'DELETE /api/v1/blacklist/:name',
		fields: [BLACKLIST],
		runs: [
			{
				workflow: 'blacklist-delete.json',
				sends: [`DELETE /api/v1/blacklist/${ODD_SEGMENT} (Token <API_KEY>)`],
				outputs: () => ({ [NODE]: paired({ deleted: true }) }),
			},
			{
				workflow: 'blacklist-delete-by-name.json',
				sends: [
					'DELETE /api/v1/blacklist/second (Token <API_KEY>)',
					`DELETE /api/v1/blacklist/${ODD_SEGMENT} (Token <API_KEY>)`,
				],
				outputs: () => ({ [NODE]: paired({ deleted: true }, { deleted: true }) }),
			},
		],
	},
	{
		resource: 'blacklist',
		operation: 'getAll',
		action: 'Get many blacklists',
		endpoint: 'GET /api/v1/blacklist',
		fields: [
			['returnAll', false],
			['limit', 50],
		],
		runs: [
			{
				workflow: 'blacklist-get-many.json',
				sends: [GET_BLACKLISTS],
				outputs: () => ({
					[NODE]: allOfFirst({ name: ODD_NAME, count: 1 }, { name: 'second', count: 0 }),
				}),
			},
			{
				workflow: 'blacklist-get-many-return-all.json',
				sends: [GET_BLACKLISTS],
				outputs: () => ({
					[NODE]: allOfFirst(
						{ name: ODD_NAME, count: 1 },
						{ name: 'second', count: 0 },
						{ name: 'third', count: 0 },
					),
				}),
			},
		],
	},
	{
		resource: 'usage',
		operation: 'get',
		action: 'Get usage',
		endpoint: 'GET /api/v1/usage',
		fields: [['simple', true]],
		runs: [
			{
				workflow: 'usage-get.json',
				sends: [GET_USAGE],
				outputs: () => ({ [NODE]: paired({ plan: 'Sandbox', remaining: 1000 }) }),
			},
			{
				workflow: 'usage-get-raw.json',
				sends: [GET_USAGE],
				outputs: () => ({ [NODE]: paired({ plan: 'Sandbox', remaining: '1000' }) }),
			},
		],
	},
];

/** Every run of the contract. `file` is the workflow's file, or else a name. */
export const RUNS = CONTRACT.flatMap(({ resource, operation, runs }) =>
	runs.map(({ workflow, ...run }) => ({
		file: typeof workflow === 'string' ? `test/workflows/${workflow}` : `${resource}.${operation}`,
		workflow: typeof workflow === 'string' ? readSaved(workflow) : workflow,
		...run,
	})),
);

function readSaved(file: string): TestWorkflow {
	const path = join(__dirname, '..', 'workflows', file);
	return JSON.parse(readFileSync(path, 'utf8')) as TestWorkflow;
}

/** Resets the account and adds the blacklists that the runs use. */
export function prepare(sandbox: Sandbox): void {
	sandbox.reset();
	const { blacklists } = sandbox.state;
	blacklists.set(ODD_NAME, blacklistOf({ type: 'cid', value: '1' }));
	blacklists.set('second', blacklistOf());
	blacklists.set('third', blacklistOf());
}

/** The recorded requests, formatted and sorted like `sends`. */
export function sentRequests({ requests, key }: Sandbox): string[] {
	return requests
		.map(({ method, path, headers, rawBody }) => {
			const shownHeaders = [headers['x-api-key'], headers['content-type']]
				.filter(Boolean)
				.join(', ');
			const body = rawBody && sorted(JSON.parse(String(rawBody)) as object);
			return `${method} ${path} (${shownHeaders.replace(key, '<API_KEY>')}) ${body}`.trimEnd();
		})
		.sort();
}
