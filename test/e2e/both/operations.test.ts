import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import type { Workflow } from '../../../n8n/client';
import { GET_USAGE, prepare, RUNS, sentRequests } from '../../support/contract';
import { errorOf, n8n, NODE_TYPE, outputOf } from '../n8n';

const TRIGGER = 'test/workflows/trigger-every-event.json';

it.each(RUNS)('$file', async ({ workflow, sends, outputs }) => {
	const { sandbox, run } = n8n();
	prepare(sandbox);
	const execution = await run(workflow);

	expect(errorOf(execution)).toBeUndefined();
	expect(sentRequests(sandbox)).toEqual([...sends].sort());
	for (const [node, items] of Object.entries(outputs?.(sandbox) ?? {})) {
		expect(outputOf(execution, node)).toEqual(items);
	}
});

it(`${TRIGGER}`, async () => {
	const { sandbox, run } = n8n();
	const file = await readFile(join(__dirname, '..', '..', '..', TRIGGER), 'utf8');
	expect(errorOf(await run(JSON.parse(file) as Workflow))).toBeUndefined();
	expect(sentRequests(sandbox)).toEqual([GET_USAGE]);
});

it('these are all saved workflows, and each parameter is in one of them', async () => {
	const kept = [TRIGGER, ...RUNS.map(({ file }) => file)];
	const files = await readdir(join(__dirname, '..', '..', 'workflows'));
	expect(kept).toEqual(expect.arrayContaining(files.map((file) => `test/workflows/${file}`)));

	const nodes = RUNS.flatMap(({ workflow }) => workflow.nodes);
	const own = nodes.filter(({ type }) => type === NODE_TYPE);
	const used = own.flatMap(({ parameters }) => settingsOf(parameters));
	const type = (await n8n().client.nodeTypes()).find(({ name }) => name === NODE_TYPE)!;
	const offered = settingsOffered(type.properties);
	expect(offered.length).toBeGreaterThanOrEqual(28);
	expect(used).toEqual(expect.arrayContaining(offered));
});

/** The parameters of a node as `resource.operation.parameter`, followed by the option or the mode. */
function settingsOf({ resource, operation, ...parameters }: INodeParameters): string[] {
	return Object.entries(parameters).flatMap(([name, value]) => {
		const path = `${String(resource)}.${String(operation)}.${name}`;
		if (typeof value !== 'object' || value === null) return [path];
		if ('__rl' in value) return [`${path}.${String(value.mode)}`];
		return Object.keys(value).map((option) => `${path}.${option}`);
	});
}

/** The parameters of the description in the same format, without n8n's own settings. */
function settingsOffered(properties: INodeProperties[]): string[] {
	return properties.flatMap(({ name, type, displayOptions, options = [], modes = [] }) => {
		const { resource = [], operation = [] } = displayOptions?.show ?? {};
		const choices = type === 'collection' ? options : modes;
		return resource.flatMap((of) =>
			operation.flatMap((doing) => {
				const path = `${String(of)}.${String(doing)}.${name}`;
				return choices.length > 0 ? choices.map((choice) => `${path}.${choice.name}`) : [path];
			}),
		);
	});
}
