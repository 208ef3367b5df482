/** Many executions of the same account at once. */
import { status } from '../support/faults';
import { ADD, CREATE, domains } from '../support/parameters';
import { onWebhook, workflowOf } from '../support/workflowOf';
import { errorOf, n8n, NODE, outputOf } from './n8n';
import { until } from './until';

it('100 executions at once share the limit of a service, and create each job once', async () => {
	const { client, sandbox, save } = n8n();
	sandbox.faults.add({ fault: { kind: 'rateLimit', perSecond: 20 } });
	const id = await save(onWebhook('jobs', { ...CREATE, keyword: '={{ $json.item }}' }));
	await client.activate(id);
	const keywords = Array.from({ length: 100 }, (_, index) => `keyword ${index}.`);
	await Promise.all(keywords.map((keyword) => client.webhooks.call('jobs', { items: [keyword] })));
	await until(async () => {
		const executions = await client.listExecutions(id, 100);
		return executions.every(({ status: now }) => !['new', 'running'].includes(now));
	});
	const executions = await client.listExecutions(id, 100);
	expect(executions.map((one) => one.status)).toEqual(keywords.map(() => 'success'));
	expect(sandbox.state.jobs.map(({ keyword }) => keyword).sort()).toEqual(keywords.sort());
	await client.deactivate(id);

	// If each execution found the limit by itself, most of the requests would be refused.
	const refused = sandbox.requests.filter(({ status: code }) => code === 429);
	expect(refused.length).toBeLessThan(keywords.length / 4);
});

it('an execution is not affected by cancelled, refused and waiting ones beside it', async () => {
	const { client, ended, run, sandbox, save } = n8n();
	const COUNT = 40;
	const adding = (name: string, options = {}) => {
		const value = `={{ "${name}-" + $json.value }}`;
		return workflowOf({ ...ADD, value, options }, domains(COUNT));
	};
	const start = async (workflow: object, apiKey?: string) =>
		await client.runWorkflow(await save(workflow, apiKey));
	const sent = (name: string) =>
		sandbox.requests.filter(({ rawBody }) => rawBody.includes(`"${name}-`));

	sandbox.faults.add({ match: '"stopped-site-5.', fault: { kind: 'hang' } });
	sandbox.faults.add({ match: '"waiting-', fault: status(429, { retryAfter: '60' }) });
	sandbox.faults.add({ match: '"used-up-', skip: 10, fault: status(402) });
	sandbox.faults.add({ fault: { kind: 'delay', ms: 20 } });
	const waiting = await start(adding('waiting'), 'another key');
	const stopped = await start(adding('stopped', { concurrency: 1 }));
	const usedUp = await start(adding('used-up'));
	const refused = await start(adding('refused'), 'a refused key');
	await until(() => sent('waiting').length > 0 && sent('stopped').length > 5);
	const good = run(adding('good'));
	await until(() => sent('good').length > 0);
	await client.stopExecution(stopped);

	const execution = await good;
	expect(errorOf(execution)).toBeUndefined();
	expect(outputOf(execution, NODE)).toHaveLength(COUNT);
	expect(sent('good').map((request) => request.status)).toEqual(Array(COUNT).fill(200));
	expect((await ended(stopped)).status).toBe('canceled');
	expect(sent('stopped')).toHaveLength(6);
	expect(errorOf(await ended(usedUp))?.message).toBe(
		'The request allowance of the account is used up',
	);
	expect(errorOf(await ended(refused))?.message).toBe('The service refused the API key');
	await client.stopExecution(waiting);
});
