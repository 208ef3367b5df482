import lowAllowanceAlert from '../../examples/low-allowance-alert.json';
import { errorOf, n8n, outputOf } from './n8n';

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
