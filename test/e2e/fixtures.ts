import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { Workflow } from '../../n8n/client';
import type { Sandbox } from '../../sandbox';
import { GET_USAGE, prepare, sentRequests, RUNS } from '../support/contract';

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

/**
 * Every run of the contract, the trigger, and the example that needs no data table. The sandbox
 * must be set up by `prepare`.
 */
export const FIXTURES: Fixture[] = [
	...RUNS,
	{ file: 'test/workflows/trigger-every-event.json', sends: [GET_USAGE] },
	{ file: 'examples/low-allowance-alert.json', sends: [GET_USAGE] },
];

/** Reads the workflow of a fixture. */
export async function readFixture({ file, workflow }: Fixture): Promise<Workflow> {
	return workflow ?? (JSON.parse(await readFile(join(project, file), 'utf8')) as Workflow);
}
