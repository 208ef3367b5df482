import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { status } from '../support/faults';
import { ADD_MANY, CREATE, domains, keywords } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { workflowOf } from '../support/workflowOf';
import { n8n, NODE, outputOf } from './n8n';
import { until } from './until';

/** How long the service answers 503, in milliseconds. */
const OUTAGE = 20_000;

it.each<[string, INodeParameters, IDataObject[]]>([
	['2,000 values', { ...ADD_MANY, options: { output: 'items' } }, domains(2_000)],
	['400 jobs', CREATE, keywords(400)],
])(
	'an outage in the middle of a run costs at most 100 requests of %s, with Continue',
	async (_what, parameters, items) => {
		const { client, ended, sandbox, save } = n8n();
		sandbox.state.remaining = 10_000;
		sandbox.faults.add({ fault: { kind: 'delay', ms: 20 } });
		const id = await client.runWorkflow(await save(workflowOf(parameters, items, CONTINUE)));
		await until(() => sandbox.requestCount >= items.length / 4);
		sandbox.faults.add({ fault: status(503) });
		await sleep(OUTAGE);
		sandbox.faults.clear();
		const execution = await ended(id);

		const answered = (code: number) =>
			sandbox.requests.filter((request) => request.status === code).length;
		expect(answered(503)).toBeGreaterThan(0);
		expect(answered(503)).toBeLessThanOrEqual(100);
		expect(answered(200)).toBe(items.length - answered(503));
		const outputs = [0, 1].flatMap((output) => outputOf(execution, NODE, output));
		const failed = outputs.filter(({ json }) => json.error ?? json.reason);
		expect(outputs).toHaveLength(items.length);
		expect(failed).toHaveLength(answered(503));
	},
);
