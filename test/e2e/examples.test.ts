import type { INode } from 'n8n-workflow';

import lowAllowanceAlert from '../../examples/low-allowance-alert.json';
import { exampleFiles, needsN8n2, readExample } from '../../n8n/examples';
import { errorOf, IS_N8N_1, outputOf, useN8n } from './n8n';

const n8n = useN8n();

it('an example whose nodes n8n 1.x lacks says so in its notes, and no other does', async () => {
	const types = await n8n().client.nodeTypes();
	const has = ({ type, typeVersion }: INode) =>
		types.some(({ name, version }) => name === type && [version].flat().includes(typeVersion));
	const lacking: string[] = [];
	const said: string[] = [];
	for (const file of await exampleFiles()) {
		const example = await readExample(file);
		if (!example.nodes.every(has)) lacking.push(file);
		if (needsN8n2(example)) said.push(file);
	}
	expect(lacking).toEqual(IS_N8N_1 ? said : []);
	expect(said).toContain('scheduled-lead-collection.json');
});

describe('low allowance alert', () => {
	it('fails when few requests remain, so that the error workflow can report it', async () => {
		const { sandbox, run } = n8n();
		sandbox.state.remaining = 199;
		const execution = await run(lowAllowanceAlert);
		expect(execution.status).toBe('error');
		expect(errorOf(execution)).toMatchObject({
			message: expect.stringContaining('199 requests remain'),
			node: 'Alert',
		});
	});

	it('ends quietly when enough remain', async () => {
		const { sandbox, run } = n8n();
		sandbox.state.remaining = 200;
		const execution = await run(lowAllowanceAlert);
		expect(errorOf(execution)).toBeUndefined();
		expect(outputOf(execution, 'Low?')).toEqual([]);
	});
});
