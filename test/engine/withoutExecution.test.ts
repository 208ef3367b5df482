import { useSandbox } from '../support/account';
import { runWithoutExecution, runWorkflow, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { ADD, ADD_MANY, CREATE, OPERATIONS } from '../support/parameters';

const account = useSandbox({ remaining: 1_000 });

describe('a tool that n8n runs without an execution', () => {
	// Add Many Items is not offered to agents.
	const OFFERED = OPERATIONS.filter(([, , { operation }]) => operation !== ADD_MANY.operation);

	it.each(OFFERED)('carries out %s', async (_name, method, parameters) => {
		const { sandbox, account: owner } = account();
		await runWorkflow(workflowOf(ADD), owner);
		const before = sandbox.requests.length;
		const [output] = await runWithoutExecution(parameters, owner);
		expect(output).not.toHaveProperty('error');
		expect(sandbox.requests.slice(before).map((request) => request.method)).toEqual([method]);
	});

	it('is sent again if the model calls it again', async () => {
		const { sandbox, account: owner } = account();
		const outputs = [
			...(await runWithoutExecution(CREATE, owner, { keyword: 'dentist' })),
			...(await runWithoutExecution(CREATE, owner, { keyword: 'dentist' })),
		];
		expect(outputs).toEqual(sandbox.state.jobs.map(({ job_id }) => ({ job_id })));
		expect(outputs).toHaveLength(2);
	});

	it('tells the model what to correct, and what the service says', async () => {
		const { sandbox, account: owner } = account();
		expect(await runWithoutExecution(CREATE, owner, { keyword: ' ' })).toEqual([
			{ error: '"Keyword" is empty', message: expect.any(String) },
		]);
		expect(sandbox.requests).toEqual([]);
		sandbox.faults.add({ fault: status(402, { body: { message: 'No credits left' } }) });
		expect(await runWithoutExecution(CREATE, owner)).toEqual([
			{
				error: 'The request allowance of the account is used up',
				message: expect.stringContaining('No credits left'),
			},
		]);
	});
});
