import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { Workflow } from '../../n8n/client';
import type { Sandbox } from '../../sandbox';
import { GET_USAGE, postItem, postJob, prepare, reached, RUNS } from '../support/contract';

export { prepare, reached };

const project = resolve(__dirname, '..', '..');

/** A workflow that must keep running. */
export interface Fixture {
	/** Below the project's folder; with `workflow`, only what to call it. */
	file: string;
	workflow?: Workflow;
	/** What reaches the service, as in the contract. */
	sends: string[];
	/** The output items of nodes, as far as no other test looks at them. */
	gives?: (sandbox: Sandbox) => Record<string, unknown[]>;
}

const exampleJob = (keyword: string) =>
	postJob({
		...{ keyword, group_name: 'API', min_rating: 4, has_phone: true },
		...{ sort_by: 'reviews', sort_order: 'desc' },
	});

/**
 * Every run of the contract, the trigger, and the examples that need nothing but this package. The
 * sandbox has to be in the state that `prepare` makes.
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
