import { useSandbox } from '../support/account';
import { runWorkflow, searchBlacklists, workflowOf } from '../support/engine';
import { CREATE, USAGE } from '../support/parameters';

const job = workflowOf(CREATE);
const usage = workflowOf(USAGE);

describe.each(['token', 'bare'] as const)('API Key Format %s', (keyFormat) => {
	const account = useSandbox({ keyFormat });

	it('is the same on every call', async () => {
		const owner = { ...account().account, keyFormat };
		expect((await runWorkflow(job, owner)).error).toBeUndefined();
		expect((await runWorkflow(usage, owner)).error).toBeUndefined();
		expect(await searchBlacklists(owner)).toEqual({ results: [] });
	});
});

describe('Base URL', () => {
	const account = useSandbox({ basePath: '/listing search/v9' });

	it('may have a path, surrounding spaces and trailing slashes', async () => {
		const { account: owner } = account();
		const messy = { ...owner, baseUrl: ` ${owner.baseUrl}// ` };
		expect((await runWorkflow(job, messy)).error).toBeUndefined();
		expect((await runWorkflow(usage, messy)).error).toBeUndefined();
		expect(account().sandbox.requests.map(({ path }) => path)).toEqual([
			'/listing%20search/v9/api/v1/jobs',
			'/listing%20search/v9/api/v1/usage',
		]);
	});
});
