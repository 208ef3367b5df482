import type { Fault } from '../../../sandbox';
import { until } from '../../support/clock';
import { activeTrigger, searchBlacklists } from '../../support/engine';
import { ADD_MANY, CREATE, keywords, LIST, ONE_BY_ONE, USAGE } from '../../support/parameters';
import { CONTINUE } from '../../support/settings';
import { useEngine } from '../../support/useEngine';

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
	const { sandbox, owner, execute, start, log } = useEngine({ key: KEY });

	it.each([
		['Job: Create', CREATE],
		['Blacklist: Add Many Items', ADD_MANY],
		['Usage: Get', USAGE],
	])('does not show it in an error or a failed item of %s', async (_name, parameters) => {
		sandbox.faults.add({ fault: { kind: 'echo', status: 403, form: 'slashes' } });
		const { run, error } = await execute(parameters);
		expect(error?.description).toContain('[API key]');
		expectNoKey([run, error?.message, error?.description]);

		const continued = await execute(parameters, [{}], CONTINUE);
		expect(JSON.stringify(continued.outputs)).toContain('[API key]');
		expectNoKey([continued.run, log.lines()]);
	});

	it.each(['keyword', 'groupName', 'filters'])(
		'does not quote a row that has it: %s',
		async (name) => {
			const row = '={{ $json }}';
			const parameters = { ...CREATE, [name]: name === 'filters' ? { minRating: row } : row };
			const { error } = await execute(parameters, [{ key: KEY }]);
			expect(error?.message).toMatch(/: an object$/);
			expectNoKey([error?.message, error?.description, log.lines()]);
		},
	);

	it('does not show it in the target of a redirect', async () => {
		sandbox.faults.add({ fault: { kind: 'echo', status: 302, in: 'location' } });
		const { run, error } = await execute(CREATE);
		expect(error?.message).toContain('[API key]');
		expectNoKey([run, error?.message, error?.description]);
	});

	it('does not show it in an output', async () => {
		const usage = { plan: `P ${KEY}`, remaining: '1', [KEY]: [{ note: `Token ${KEY}` }] };
		sandbox.faults.add({ path: '/api/v1/usage', fault: json(usage) });
		sandbox.faults.add({ path: '/api/v1/jobs', fault: json({ job_id: `id-${KEY}` }) });
		sandbox.faults.add({ path: '/api/v1/blacklist', fault: json([{ name: KEY, count: 1 }]) });
		const outputs = [UNSIMPLE, CREATE, LIST].map(
			async (parameters) => (await execute(parameters)).json,
		);
		expect(await Promise.all(outputs)).toEqual([
			[{ plan: 'P [API key]', remaining: '1', '[API key]': [{ note: 'Token [API key]' }] }],
			[{ job_id: 'id-[API key]' }],
			[{ name: '[API key]', count: 1 }],
		]);
		expectNoKey(await searchBlacklists(owner));
	});

	it('does not show it in an event of the trigger', async () => {
		const poll = activeTrigger(owner, { events: ['planChanged'], threshold: 100 });
		await poll();
		sandbox.faults.add({ fault: json({ plan: `P ${KEY}`, remaining: `R ${KEY}` }) });
		expect(await poll()).toMatchObject([{ plan: 'P [API key]', remaining: 'R [API key]' }]);
		expectNoKey(log.lines());
	});

	it('does not show it in n8n’s log', async () => {
		sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 100 } });
		sandbox.faults.add({ fault: { kind: 'echo', status: 502, form: 'unicode' } });
		const { stop } = start(ONE_BY_ONE, keywords(2));
		await until(() => sandbox.requests.length === 1);
		await stop();
		expect(log.lines('warn').join('\n')).toContain('[API key]');
		expectNoKey(log.lines());
	});
});
