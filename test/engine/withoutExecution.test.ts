import type { Fault } from '../../sandbox';
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

	it.each([
		...[400, 401, 402, 403, 404, 405, 409, 413, 418, 422, 500, 502, 503, 303, 307],
		...['drop', 'html', 'notJson', 'noKey', 'noUsage'],
	])('speaks to the model, which has no Retry and no credential: %s', async (trouble) => {
		const { sandbox, account: owner } = account();
		const faults: Record<string, Fault> = {
			drop: { kind: 'drop', carryOut: true },
			html: status(401, { body: '<html>No</html>' }),
			notJson: status(200, { body: 'No' }),
			noUsage: status(404),
		};
		if (trouble !== 'noKey') {
			sandbox.faults.add({ fault: faults[trouble] ?? status(Number(trouble)) });
		}
		const options = trouble === 'noUsage' ? { minRemaining: 5 } : {};
		const credential = trouble === 'noKey' ? { ...owner, apiKey: '' } : owner;
		const [output] = await runWithoutExecution({ ...CREATE, options }, credential);
		const { message } = output!;
		expect(message).not.toMatch(/Retry|credential|"Base URL"|"API Key"|your account/);
		expect(message).toMatch(/call the tool again|Only the person who set up this tool/);
	});
});
