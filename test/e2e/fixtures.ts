import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { Workflow } from '../../n8n/client';
import type { Sandbox } from '../../sandbox';
import { GET_USAGE, postItem, postJob, prepare, sentRequests, RUNS } from '../support/contract';

export { prepare, sentRequests };

const project = resolve(__dirname, '..', '..');

/** A workflow that must keep working. */
export interface Fixture {
	/** Relative to the project; with `workflow`, only a name. */
	file: string;
	workflow?: Workflow;
	/** The requests, as in the contract. */
	sends: string[];
	/** The output items of nodes that no other test checks. */
	outputs?: (sandbox: Sandbox) => Record<string, unknown[]>;
}

const exampleJob = (keyword: string) =>
	postJob({
		...{ keyword, group_name: 'API', min_rating: 4, has_phone: true },
		...{ sort_by: 'reviews', sort_order: 'desc' },
	});

/**
 * Every run of the contract, the trigger, and the examples that need only this package. The sandbox
 * must be set up by `prepare`.
 */
export const FIXTURES: Fixture[] = [
	...RUNS,
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
export async function readFixture({ file, workflow }: Fixture): Promise<Workflow> {
	return workflow ?? (JSON.parse(await readFile(join(project, file), 'utf8')) as Workflow);
}
