import type { Fault } from '../../sandbox';
import { until } from '../support/clock';
import { ADD, CREATE } from '../support/parameters';
import { useEngine } from '../support/useEngine';

const { sandbox, execute } = useEngine();

/** What something returns, and how long it takes, in milliseconds. */
async function timed<T>(work: Promise<T>): Promise<[result: T, milliseconds: number]> {
	const started = performance.now();
	return [await work, performance.now() - started];
}

/** A body that starts and never ends; the request is carried out. */
const STALL: Fault = { kind: 'stall', after: 5, carryOut: true };

describe('"Timeout" ends a response', () => {
	it.each<[string, Fault]>([
		['without a body', { kind: 'stall', carryOut: true }],
		['that stalls after a few bytes', STALL],
		['that stalls after a few bytes of gzip', { ...STALL, gzip: true, after: 12 }],
		['that is shorter than its length', { ...STALL, headers: { 'content-length': '500' } }],
		['that comes byte by byte', { kind: 'trickle', ms: 50 }],
	])('%s', async (_what, fault) => {
		sandbox.faults.add({ fault });
		const [{ error }, took] = await timed(execute({ ...ADD, requestOptions: { timeout: 500 } }));
		expect(took).toBe(500);
		expect(error?.message).toBe('The service did not respond in time');
		expect(error?.description).toContain('may have been carried out');
		expect(sandbox.requests).toHaveLength(1);
	});
});

describe('the body of a rejection that stalls', () => {
	it.each([
		['until the timeout of the request', { requestOptions: { timeout: 500 } }, 500],
		['for a second, if the request has more time', {}, 1_000],
	])('is read %s', async (_how, options, expected) => {
		sandbox.faults.add({ fault: { kind: 'stall', status: 400, after: 12 } });
		const [{ error }, took] = await timed(execute({ ...CREATE, ...options }));
		expect(took).toBe(expected);
		expect(error?.message).toBe('The service rejected the input');
		await until(() => sandbox.requests[0]!.endedAt !== undefined);
	});
});
