import type { Fault } from '../../sandbox';
import { useSandbox } from '../support/account';
import { until } from '../support/clock';
import {
	activeTrigger,
	runWorkflow,
	searchBlacklists,
	startWorkflow,
	workflowOf,
} from '../support/engine';
import { useLog } from '../support/log';
import { ADD_MANY, CREATE, keywords, LIST, ONE_BY_ONE, USAGE } from '../support/parameters';
import { CONTINUE } from '../support/settings';

/** With characters that JSON and URLs escape, and words that occur nowhere else. */
const KEY = 'Zqxv/Wkjh+Yqpz&Jüxw"Vbqg\\Hzkq';

function expectNoKey(value: unknown): void {
	const text = JSON.stringify(value);
	for (const word of ['Zqxv', 'Wkjh', 'Yqpz', 'Vbqg', 'Hzkq']) expect(text).not.toContain(word);
}

const json = (body: unknown): Fault => ({ kind: 'json', body });
const UNSIMPLE = { ...USAGE, simple: false };

/** The ways to write it are tested in unit/redact.test.ts. */
describe('a service that repeats the key', () => {
	const account = useSandbox({ key: KEY });
	const log = useLog();

	it.each([
		['Job: Create', CREATE],
		['Blacklist: Add Many Items', ADD_MANY],
		['Usage: Get', USAGE],
	])('does not show it in an error or a failed item of %s', async (_name, parameters) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'echo', status: 403, form: 'slashes' } });
		const { run, error } = await runWorkflow(workflowOf(parameters), owner);
		expect(error?.description).toContain('[API key]');
		expectNoKey([run, error?.message, error?.description]);

		const continued = await runWorkflow(workflowOf(parameters, [{}], CONTINUE), owner);
		expect(JSON.stringify(continued.outputs)).toContain('[API key]');
		expectNoKey([continued.run, log.lines()]);
	});

	it.each(['keyword', 'groupName', 'filters'])(
		'does not quote a row that has it: %s',
		async (name) => {
			const row = '={{ $json }}';
			const parameters = { ...CREATE, [name]: name === 'filters' ? { minRating: row } : row };
			const { error } = await runWorkflow(
				workflowOf(parameters, [{ key: KEY }]),
				account().account,
			);
			expect(error?.message).toMatch(/: an object$/);
			expectNoKey([error?.message, error?.description, log.lines()]);
		},
	);

	it('does not show it in the target of a redirect', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'echo', status: 302, in: 'location' } });
		const { run, error } = await runWorkflow(workflowOf(CREATE), owner);
		expect(error?.message).toContain('[API key]');
		expectNoKey([run, error?.message, error?.description]);
	});

	it('does not show it in an output', async () => {
		const { sandbox, account: owner } = account();
		const usage = { plan: `P ${KEY}`, remaining: '1', [KEY]: [{ note: `Token ${KEY}` }] };
		sandbox.faults.add({ path: '/api/v1/usage', fault: json(usage) });
		sandbox.faults.add({ path: '/api/v1/jobs', fault: json({ job_id: `id-${KEY}` }) });
		sandbox.faults.add({ path: '/api/v1/blacklist', fault: json([{ name: KEY, count: 1 }]) });
		const outputs = [UNSIMPLE, CREATE, LIST].map(
			async (parameters) => (await runWorkflow(workflowOf(parameters), owner)).json,
		);
		expect(await Promise.all(outputs)).toEqual([
			[{ plan: 'P [API key]', remaining: '1', '[API key]': [{ note: 'Token [API key]' }] }],
			[{ job_id: 'id-[API key]' }],
			[{ name: '[API key]', count: 1 }],
		]);
		expectNoKey(await searchBlacklists(owner));
	});

	it('does not show it in an event of the trigger', async () => {
		const { sandbox, account: owner } = account();
		const poll = activeTrigger(owner, { events: ['planChanged'], threshold: 100 });
		await poll();
		sandbox.faults.add({ fault: json({ plan: `P ${KEY}`, remaining: `R ${KEY}` }) });
		expect(await poll()).toMatchObject([{ plan: 'P [API key]', remaining: 'R [API key]' }]);
		expectNoKey(log.lines());
	});

	it('does not show it in n8n’s log', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 100 } });
		sandbox.faults.add({ fault: { kind: 'echo', status: 502, form: 'unicode' } });
		const { finished, cancel } = startWorkflow(workflowOf(ONE_BY_ONE, keywords(2)), owner);
		await until(() => sandbox.requests.length === 1);
		cancel();
		await until(finished);
		expect(log.lines('warn').join('\n')).toContain('[API key]');
		expectNoKey(log.lines());
	});
});
