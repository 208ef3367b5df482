import { blacklistOf, type Fault } from '../../sandbox';
import { useSandbox } from '../support/account';
import {
	activeTrigger,
	runWorkflow,
	searchBlacklists,
	startWorkflow,
	workflowOf,
} from '../support/engine';
import { status } from '../support/faults';
import { expectNothingOf } from '../support/leaks';
import { useLog } from '../support/log';
import { CREATE, LIST, OPERATIONS, USAGE } from '../support/parameters';
import { CONTINUE } from '../support/settings';

/** With characters that JSON, URLs and HTML escape, and words that occur nowhere else. */
const KEY = 'Zqxv/Wkjh+Yqpz&Jüxw"Vbqg\\Hzkq';

const raw = (body: string, code = 200): Fault => ({ kind: 'raw', body, status: code });

/** Formats a text as JSON, with some characters as \u00fc or \u00FC. */
function json(text: string, characters: RegExp, inCapitals = false): string {
	return JSON.stringify(text).replace(characters, (unit) => {
		const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
		return `\\u${inCapitals ? code.toUpperCase() : code}`;
	});
}

describe.each([
	['with special characters', KEY],
	['like a UUID', '3f0c9a71-Zqxv-Wkjh-Yqpz-9a713f0c9a71'],
])('a service that repeats the key, %s', (_what, key) => {
	const account = useSandbox({ key });
	const log = useLog();

	const FORMS = ['plain', 'slashes', 'unicode', 'percent', 'nested'] as const;
	const ECHOES: Array<[string, Fault]> = [
		...FORMS.map((form): [string, Fault] => [
			`${form}, in an error`,
			{ kind: 'echo', status: 400, form },
		]),
		...FORMS.map((form): [string, Fault] => [
			`${form}, in a success`,
			{ kind: 'echo', status: 200, form },
		]),
		['in the Location header', { kind: 'echo', status: 302, in: 'location' }],
	];

	describe.each(ECHOES)('%s', (_form, fault) => {
		it.each(OPERATIONS)('does not expose it in %s', async (_name, _method, operation) => {
			const { sandbox, account: owner } = account();
			// Only Usage has this parameter; without Simplify it returns the whole response.
			const parameters = { ...operation, simple: false };
			sandbox.faults.add({ fault });
			const ended = await runWorkflow(workflowOf(parameters), owner);
			expect(sandbox.requests).toHaveLength(1);
			expectNothingOf(key, ended.run);
			const { message, description } = ended.error ?? {};
			expectNothingOf(key, [message, description, ended.outputs]);

			const continued = await runWorkflow(workflowOf(parameters, [{}, {}], CONTINUE), owner);
			expectNothingOf(key, continued.run);
			expectNothingOf(key, log.lines());
		});
	});

	const BODIES: Array<[string, string]> = [
		['as JSON', JSON.stringify(key)],
		['with \\u002B, \\u0026 and \\u00FC in it', json(key, /[+&ü/-]/g, true)],
		['with \\u002b, \\u0026 and \\u00fc in it', json(key, /[+&ü/-]/g)],
		['with \\u00xx for each letter', json(key, /[A-Za-z]/g)],
		['JSON in JSON', JSON.stringify(json(key, /[+&ü/-]/g))],
		['JSON in JSON in JSON', JSON.stringify(JSON.stringify({ key: JSON.stringify({ key }) }))],
		['in a URL', JSON.stringify(`https://example.com/?key=${encodeURIComponent(key)}`)],
		[
			'in a URL in a URL',
			JSON.stringify(encodeURIComponent(`/?key=${encodeURIComponent(`Token ${key}`)}`)),
		],
		[
			'in HTML',
			JSON.stringify(key.replace(/[^A-Za-z0-9]/gu, (sign) => `&#${sign.codePointAt(0)};`)),
		],
		['between words', JSON.stringify(`x-api-key:${key}:end`)],
	];

	describe.each(BODIES)('%s', (_how, body) => {
		it('does not expose it in an error', async () => {
			const { sandbox, account: owner } = account();
			sandbox.faults.add({ fault: raw(`{"message":${body}}`, 400) });
			const { run, error } = await runWorkflow(workflowOf(CREATE), owner);
			expect(error?.httpCode).toBe('400');
			expectNothingOf(key, run);
			expectNothingOf(key, [error?.message, error?.description]);
		});

		it('does not expose it in the output of Usage with Simplify off', async () => {
			const { sandbox, account: owner } = account();
			sandbox.faults.add({
				fault: raw(`{"plan":${body},"remaining":"1","notes":[{"key":${body}}]}`),
			});
			const simple = { ...USAGE, simple: false };
			const { run, json: output, error } = await runWorkflow(workflowOf(simple), owner);
			expect(error).toBeUndefined();
			expect(output[0]).toMatchObject({ remaining: '1', notes: [{ key: expect.any(String) }] });
			expectNothingOf(key, run);
			expectNothingOf(key, output);
		});

		it('does not expose it in a text that is not JSON', async () => {
			const { sandbox, account: owner } = account();
			sandbox.faults.add({ fault: status(502, { body: `Bad key: ${body}` }) });
			const { run, error } = await runWorkflow(workflowOf(CREATE), owner);
			expect(error?.httpCode).toBe('502');
			expectNothingOf(key, run);
		});
	});

	it('does not expose it in UTF-16, and the id of a paid job can be read there', async () => {
		const { sandbox, account: owner } = account();
		const utf16 = Array.from(`(${JSON.stringify({ key, job_id: 'paid' })})`).join('\0');
		sandbox.faults.add({ fault: raw(utf16) });
		const { run, error } = await runWorkflow(workflowOf(CREATE), owner);
		expect(error?.description).toContain('({"key":"[API key]","job_id":"paid"})');
		expectNothingOf(key, JSON.stringify(run).replaceAll('\\u0000', ''));
	});

	it('does not expose its beginning in a text that breaks off', async () => {
		const { sandbox, account: owner } = account();
		const begun = key.slice(0, 15);
		sandbox.faults.add({ fault: raw(`{"job_id":"id","key":"${begun}`) });
		const { run, error } = await runWorkflow(workflowOf(CREATE), owner);
		expect(error?.description).toContain('{"job_id":"id","key":"[API key]');
		expectNothingOf(begun, run);
	});

	it('does not expose it in a field name, a job_id or the name of a blacklist', async () => {
		const { sandbox, account: owner } = account();
		const fault = (body: unknown): Fault => ({ kind: 'json', body });
		sandbox.faults.add({ path: '/api/v1/jobs', fault: fault({ job_id: `id-${key}` }) });
		sandbox.faults.add({ path: '/api/v1/blacklist', fault: fault([{ name: key, count: 1 }]) });
		sandbox.faults.add({ fault: fault({ plan: 'P', remaining: 1, [key]: { [key]: key } }) });
		for (const parameters of [CREATE, LIST, { ...USAGE, simple: false }]) {
			expectNothingOf(key, (await runWorkflow(workflowOf(parameters), owner)).run);
		}
		expectNothingOf(key, await searchBlacklists(owner));
		const poll = activeTrigger(owner, { events: ['planChanged'], threshold: 100 });
		sandbox.faults.clear();
		await poll();
		sandbox.faults.add({ fault: fault({ plan: `P ${key}`, remaining: `R ${key}` }) });
		expectNothingOf(key, await poll());
		expectNothingOf(key, log.lines());
	});

	it('does not expose it in the log of a cancelled run', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'delay', ms: 100 } });
		sandbox.faults.add({ fault: { kind: 'echo', status: 400, form: 'unicode' } });
		const { finished, cancel } = startWorkflow(workflowOf(CREATE, [{}, {}]), owner);
		await new Promise((resolve) => setTimeout(resolve, 50));
		cancel();
		await finished;
		expect(log.lines('warn')).toHaveLength(1);
		expectNothingOf(key, log.lines());
	});
});

describe('a key that is an ordinary word', () => {
	const account = useSandbox({ key: 'customers' });

	it('does not change a blacklist of that name, in Get Many and in the dropdown', async () => {
		const { sandbox, account: owner } = account();
		const { blacklists } = sandbox.state;
		blacklists.set('customers', blacklistOf({ type: 'cid', value: '1' }));
		blacklists.set('old customers', blacklistOf());
		const { json: lists } = await runWorkflow(workflowOf(LIST), owner);
		expect(lists).toEqual([
			{ name: 'customers', count: 1 },
			{ name: 'old customers', count: 0 },
		]);
		expect(await searchBlacklists(owner)).toEqual({
			results: [
				{ name: 'customers (1)', value: 'customers' },
				{ name: 'old customers (0)', value: 'old customers' },
			],
		});
	});

	it('does not change a plan of that name', async () => {
		const { sandbox, account: owner } = account();
		sandbox.state.plan = 'customers';
		const { json: usage } = await runWorkflow(workflowOf(USAGE), owner);
		expect(usage).toEqual([{ plan: 'customers', remaining: 1000 }]);
	});

	it('is still removed from a message', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'echo', status: 400 } });
		const { error } = await runWorkflow(workflowOf(CREATE), owner);
		expect(error?.description).not.toContain('customers');
	});
});
