/** Sub-workflows: what n8n itself keeps of their executions. */
import type { INode } from 'n8n-workflow';

import { status } from '../../support/faults';
import { CREATE, keywords } from '../../support/parameters';
import { RETRY_ON_FAIL } from '../../support/settings';
import { saveCaller } from '../caller';
import { n8n } from '../n8n';
import { until } from '../until';

const jobIds = () => n8n().sandbox.state.jobs.map(({ job_id }) => job_id);

// Limits of n8n that docs/if-a-run-fails.md describes.
describe('a sub-workflow', () => {
	const saveParent = async (settings: Partial<INode> = {}) =>
		await saveCaller(CREATE, keywords(5), { settings });

	it('starts without memory when Retry On Fail of its parent runs it again', async () => {
		const { sandbox, runSaved } = n8n();
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(500) });
		const { id } = await saveParent(RETRY_ON_FAIL);
		expect((await runSaved(id)).status).toBe('success');
		expect(jobIds()).toHaveLength(2 + 5);
	});

	it('continues when its parent is cancelled', async () => {
		const { client, ended, sandbox } = n8n();
		sandbox.faults.add({ fault: status(429, { retryAfter: '1' }) });
		const { id, subId } = await saveParent();
		const execution = await client.runWorkflow(id);
		await until(() => sandbox.requests.length > 0);
		await client.stopExecution(execution);
		expect((await ended(execution)).status).toBe('canceled');
		sandbox.faults.clear();
		const [sub] = await client.listExecutions(subId);
		expect((await ended(sub!.id)).status).toBe('success');
		expect(jobIds()).toHaveLength(5);
	});
});
