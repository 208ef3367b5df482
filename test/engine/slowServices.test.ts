import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { ADD, ADD_MANY, CREATE, domains, keywords } from '../support/parameters';
import { useEngine } from '../support/useEngine';

const { sandbox, execute } = useEngine();

const ITEMS = domains(20);
const ONE_AT_ONCE: Fault = { kind: 'capacity', atOnce: 1, ms: 50, refuses: true };

describe('a slow service, with default settings, receives all 20 in a minute, and refuses few', () => {
	it.each<[string, Fault, INodeParameters, IDataObject[]]>([
		['1 per second', { kind: 'rateLimit', perSecond: 1 }, ADD, ITEMS],
		['2 per second', { kind: 'rateLimit', perSecond: 2, retryAfter: 'date' }, ADD, ITEMS],
		[
			'2 per second, without Retry-After',
			{ kind: 'rateLimit', perSecond: 2, retryAfter: 'none' },
			ADD,
			ITEMS,
		],
		['2 per second, Job: Create', { kind: 'rateLimit', perSecond: 2 }, CREATE, keywords(20)],
		['2 per second, Add Many Items', { kind: 'rateLimit', perSecond: 2 }, ADD_MANY, ITEMS],
		['1 at once', ONE_AT_ONCE, ADD, ITEMS],
		['1 at once, with Retry-After', { ...ONE_AT_ONCE, retryAfter: '1' }, ADD, ITEMS],
		['1 at once, Add Many Items', ONE_AT_ONCE, ADD_MANY, ITEMS],
	])('%s', async (_what, fault, parameters, items) => {
		sandbox.faults.add({ fault });
		const started = performance.now();
		const { error, json } = await execute(parameters, items);
		expect(error).toBeUndefined();
		if (parameters === ADD_MANY) expect(json).toMatchObject([{ added: 20, failed: 0 }]);
		else expect(json).toHaveLength(20);
		const { jobs, blacklists } = sandbox.state;
		expect(jobs.length + (blacklists.get('customers')?.size ?? 0)).toBe(20);
		expect(sandbox.requests.filter(({ carriedOut }) => carriedOut)).toHaveLength(20);
		expect(sandbox.requestCount).toBeLessThanOrEqual(40);
		expect(performance.now() - started).toBeLessThan(60_000);
	});
});
