import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { Workflow } from '../../n8n/client';
import { blacklistOf, type Sandbox } from '../../sandbox';
import { TESTED_NODE as NODE } from '../engine/workflowOf';

const project = resolve(__dirname, '..', '..');

/** A workflow that was saved once and has to run for ever. */
export interface Fixture {
	/** Below the project's folder. */
	file: string;
	/** What reaches the service: method, path and body. */
	sends: string[];
	/** The items of nodes, as far as no other test looks at them. */
	gives?: (sandbox: Sandbox) => Record<string, unknown[]>;
}

const ODD_NAME = 'Kunden / 100 % größe 顧客';
const ODD_PATH =
	'/api/v1/blacklist/Kunden%20%2F%20100%20%25%20gr%C3%B6%C3%9Fe%20%E9%A1%A7%E5%AE%A2';

const post = (path: string, body: object) => `POST ${path} ${JSON.stringify(body)}`;
const postJob = (body: object) => post('/api/v1/jobs', body);
const postItem = (list: string, type: string, value: string) =>
	post(list.startsWith('/') ? list : `/api/v1/blacklist/${list}`, { type, value });
const GET_USAGE = 'GET /api/v1/usage';

/** One item for each of these, linked to the input item at the same place. */
const paired = (...jsons: object[]) => jsons.map((json, item) => ({ json, pairedItem: { item } }));

const jobsFor =
	(...keywords: string[]): Fixture['gives'] =>
	({ state: { jobs } }) => ({
		[NODE]: paired(
			...keywords.map((wanted) => ({
				job_id: jobs.find(({ keyword }) => keyword === wanted)?.job_id,
			})),
		),
	});

const summary = (blacklist: string, added: number, item: number) => ({
	json: { blacklist, added, duplicates: 0, invalid: 0, failed: 0, problems: [] },
	pairedItem: [{ item }],
});

const jobSettings = {
	min_reviews: 10,
	max_reviews: 200,
	has_phone: true,
	has_website: false,
	sort_by: 'reviews',
	sort_order: 'desc',
};
const exampleJob = (keyword: string) =>
	postJob({
		...{ keyword, group_name: 'API', min_rating: 4, has_phone: true },
		...{ sort_by: 'reviews', sort_order: 'desc' },
	});

/**
 * Every file of `test/workflows`, and the examples that need nothing but this node. The sandbox has to
 * be in the state that `prepare` makes.
 */
export const FIXTURES: Fixture[] = [
	{
		file: 'test/workflows/job-create.json',
		sends: [
			postJob({
				...{ keyword: 'dentist in Vienna', group_name: 'Vienna', min_rating: 4 },
				...jobSettings,
			}),
			postJob({
				...{ keyword: 'Zahnarzt „Mitte“ & Söhne', group_name: 'Vienna', min_rating: 3 },
				...jobSettings,
			}),
		],
		gives: jobsFor('dentist in Vienna', 'Zahnarzt „Mitte“ & Söhne'),
	},
	{
		file: 'test/workflows/job-create-every-parameter.json',
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
		gives: jobsFor('dentist in Vienna', 'bakery in Graz'),
	},
	{
		file: 'test/workflows/blacklist-add-item.json',
		sends: [
			postItem('customers', 'email', 'name@example.com'),
			postItem(ODD_PATH, 'domain', 'example.com'),
			postItem('customers', 'cid', '12345678901234567890'),
			postItem('customers', 'place_id', 'ChIJN1t_tDeuEmsRUsoyG83frY4'),
		],
		gives: () => ({
			[NODE]: paired(...Array.from({ length: 4 }, () => ({ success: true }))),
		}),
	},
	{
		file: 'test/workflows/blacklist-add-item-from-list.json',
		sends: [postItem('second', 'place_id', 'ChIJN1t_tDeuEmsRUsoyG83frY4')],
		gives: () => ({ [NODE]: paired({ success: true }) }),
	},
	{
		file: 'test/workflows/blacklist-add-many-items.json',
		sends: [
			postItem('customers', 'domain', 'example.com'),
			postItem('customers', 'email', 'ada@example.com'),
			postItem(ODD_PATH, 'cid', '255'),
			postItem(ODD_PATH, 'domain', 'example.com'),
			postItem('second', 'domain', 'a.example'),
			postItem('second', 'domain', 'b.example'),
		],
		gives: () => {
			const value = (row: number, text: string, status: string, reason?: unknown) => ({
				json: {
					...{ blacklist: 'second', type: 'domain', value: text, status },
					...(reason !== undefined && { reason }),
				},
				pairedItem: { item: row },
			});
			const reason = expect.stringContaining('https://');
			return {
				[NODE]: [summary('customers', 2, 0), summary(ODD_NAME, 2, 1)],
				'Each Value': [
					value(0, 'a.example', 'added'),
					value(0, 'b.example', 'added'),
					value(0, 'https://c.example', 'invalid', reason),
					value(1, 'a.example', 'duplicate'),
					value(1, 'b.example', 'duplicate'),
					value(1, 'https://c.example', 'invalid', reason),
				],
			};
		},
	},
	{
		file: 'test/workflows/blacklist-get-many.json',
		sends: ['GET /api/v1/blacklist'],
		gives: () => ({
			[NODE]: [
				{ json: { name: ODD_NAME, count: 1 }, pairedItem: { item: 0 } },
				{ json: { name: 'second', count: 0 }, pairedItem: { item: 0 } },
			],
		}),
	},
	{
		file: 'test/workflows/blacklist-get-many-return-all.json',
		sends: ['GET /api/v1/blacklist'],
		gives: () => ({
			[NODE]: [
				{ json: { name: ODD_NAME, count: 1 }, pairedItem: { item: 0 } },
				{ json: { name: 'second', count: 0 }, pairedItem: { item: 0 } },
				{ json: { name: 'third', count: 0 }, pairedItem: { item: 0 } },
			],
		}),
	},
	{
		file: 'test/workflows/blacklist-delete.json',
		sends: [`DELETE ${ODD_PATH}`],
		gives: () => ({ [NODE]: paired({ deleted: true }) }),
	},
	{
		file: 'test/workflows/blacklist-delete-by-name.json',
		sends: ['DELETE /api/v1/blacklist/second', `DELETE ${ODD_PATH}`],
		gives: () => ({ [NODE]: paired({ deleted: true }, { deleted: true }) }),
	},
	{
		file: 'test/workflows/usage-get.json',
		sends: [GET_USAGE],
		gives: () => ({ [NODE]: paired({ plan: 'Sandbox', remaining: 1000 }) }),
	},
	{
		file: 'test/workflows/usage-get-raw.json',
		sends: [GET_USAGE],
		gives: () => ({ [NODE]: paired({ plan: 'Sandbox', remaining: '1000' }) }),
	},
	{
		file: 'examples/scheduled-lead-collection.json',
		sends: [
			GET_USAGE,
			exampleJob('dentist in Vienna'),
			exampleJob('bakery in Graz'),
			exampleJob('physiotherapist in Linz'),
		],
	},
	{
		file: 'examples/customers-to-blacklist.json',
		sends: [
			postItem('customers', 'domain', 'example.com'),
			postItem('customers', 'email', 'ada@example.com'),
			postItem('customers', 'domain', 'xn--mller-bckerei-hfb76a.example'),
			postItem('customers', 'email', 'grace@example.org'),
		],
	},
	{ file: 'test/workflows/trigger-every-event.json', sends: [GET_USAGE] },
	{ file: 'examples/low-allowance-alert.json', sends: [GET_USAGE] },
];

/** Reads the workflow of a fixture. */
export async function readFixture({ file }: Fixture): Promise<Workflow> {
	return JSON.parse(await readFile(join(project, file), 'utf8')) as Workflow;
}

/** Gives the account the blacklists that the fixtures are about, and nothing else. */
export function prepare(sandbox: Sandbox): void {
	sandbox.reset();
	const { blacklists } = sandbox.state;
	blacklists.set(ODD_NAME, blacklistOf({ type: 'cid', value: '1' }));
	blacklists.set('second', blacklistOf());
	blacklists.set('third', blacklistOf());
}

/** What reached the service, as `sends` of a fixture says it; in no order, as some go side by side. */
export function reached({ requests }: Sandbox): string[] {
	return requests
		.map(({ method, path, rawBody }) => `${method} ${path} ${rawBody}`.trimEnd())
		.sort();
}
