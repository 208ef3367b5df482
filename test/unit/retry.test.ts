import fc from 'fast-check';

import type { Trouble } from '../../nodes/BusinessListingSearch/transport/failure';
import {
	backoff,
	decide,
	isToldToWait,
	LONGEST_TOLD_WAIT,
	MOST_TRIES,
	readRetryAfter,
	type Decision,
} from '../../nodes/BusinessListingSearch/transport/retry';

const METHODS = ['GET', 'POST', 'DELETE'];

const status = (statusCode: number, retryAfter?: number): Trouble => ({
	kind: 'status',
	statusCode,
	retryAfter,
});
const connection = (code: string, sent: boolean, isLasting = false): Trouble => ({
	kind: 'connection',
	code,
	sent,
	isLasting,
});

/** The random half of a backoff in its middle: 750 ms after the first try. */
const MIDDLE = 0.5;

const STOP: Decision = { again: false };
/** Waits as the service told, or else 750 ms, and lets the others of the run wait too. */
const told = (wait = 750): Decision => ({ again: true, wait, holdsBack: true, isLimited: false });
/** Like `told`, but spends one of the run's limited retries. */
const toldInOutage = (wait: number): Decision => ({
	again: true,
	wait,
	holdsBack: true,
	isLimited: true,
});
/** Waits a backoff, alone, and spends one of the run's limited retries. */
const alone: Decision = { again: true, wait: 750, holdsBack: false, isLimited: true };
const aloneFor = (wait: number): Decision => ({
	again: true,
	wait,
	holdsBack: false,
	isLimited: true,
});

/** The retry table: what follows each kind of trouble for a GET, and for a POST and a DELETE. */
const TABLE: Array<[what: string, trouble: Trouble, get: Decision, others: Decision]> = [
	['429', status(429), told(), told()],
	['429 with a time', status(429, 7_000), told(7_000), told(7_000)],
	['429 with no time to wait', status(429, 0), told(), told()],
	['429 with the longest time', status(429, 120_000), told(120_000), told(120_000)],
	['429 with a longer time', status(429, 120_001), STOP, STOP],
	['429 with an endless time', status(429, Infinity), STOP, STOP],
	['503 with a time', status(503, 2_000), toldInOutage(2_000), toldInOutage(2_000)],
	['503 with no time to wait', status(503, 0), toldInOutage(750), toldInOutage(750)],
	['503 with a longer time', status(503, 120_001), STOP, STOP],
	['503', status(503), alone, STOP],
	['500', status(500), alone, STOP],
	['500 with a time', status(500, 2_000), aloneFor(2_000), STOP],
	['502', status(502), alone, STOP],
	['504', status(504), alone, STOP],
	['599', status(599), alone, STOP],
	['302', status(302), STOP, STOP],
	['400', status(400), STOP, STOP],
	['401', status(401), STOP, STOP],
	['402', status(402), STOP, STOP],
	['403', status(403), STOP, STOP],
	['404', status(404), STOP, STOP],
	['404 with a time', status(404, 2_000), STOP, STOP],
	['409', status(409), STOP, STOP],
	['422', status(422), STOP, STOP],
	['a connection that broke', connection('ECONNRESET', true), alone, STOP],
	['no answer in time', connection('ETIMEDOUT', true), alone, STOP],
	['nobody who listens', connection('ECONNREFUSED', false), alone, alone],
	['no such address', connection('ENOTFOUND', false), alone, alone],
	['a certificate refused', connection('CERT_HAS_EXPIRED', false, true), STOP, STOP],
	[
		'a wrong shape',
		{ kind: 'shape', statusCode: 200, expected: 'JSON', received: 'text/html' },
		STOP,
		STOP,
	],
	['success: false', { kind: 'unsuccessful', statusCode: 200 }, STOP, STOP],
];

describe.each(TABLE)('after %s', (_what, trouble, get, others) => {
	it.each(METHODS)('decides on a %s', (method) => {
		const expected = method === 'GET' ? get : others;
		expect(decide(trouble, method, 1, MIDDLE)).toEqual(expected);
	});

	it.each(METHODS)('gives up a %s after five tries', (method) => {
		const again = (tries: number) => decide(trouble, method, tries, MIDDLE).again;
		const isRepeated = (method === 'GET' ? get : others).again;
		expect([1, 2, 3, 4].map(again)).toEqual(Array(4).fill(isRepeated));
		expect(again(5)).toBe(false);
		expect(again(6)).toBe(false);
	});
});

it('tries five times, and waits two minutes at most', () => {
	expect(MOST_TRIES).toBe(5);
	expect(LONGEST_TOLD_WAIT).toBe(120_000);
});

it('waits longer after each try where the service names no time', () => {
	const waits = [1, 2, 3, 4].map((tries) => decide(status(429), 'POST', tries, MIDDLE));
	expect(waits).toEqual([told(750), told(1_500), told(3_000), told(6_000)]);
});

it('is told to wait by a 429, and by a 503 that names a time', () => {
	expect(isToldToWait(429, undefined)).toBe(true);
	expect(isToldToWait(429, 5)).toBe(true);
	expect(isToldToWait(503, 0)).toBe(true);
	expect(isToldToWait(503, undefined)).toBe(false);
	expect(isToldToWait(500, 5)).toBe(false);
	expect(isToldToWait(200, 5)).toBe(false);
});

describe('backoff', () => {
	it.each([
		[1, 500, 1_000],
		[2, 1_000, 2_000],
		[3, 2_000, 4_000],
		[4, 4_000, 8_000],
		[5, 8_000, 16_000],
		[6, 15_000, 30_000],
		[7, 15_000, 30_000],
		[100, 15_000, 30_000],
	])('after try %i is from %i to %i ms', (tries, least, most) => {
		expect(backoff(tries, 0)).toBe(least);
		expect(backoff(tries, 0.5)).toBe((least + most) / 2);
		expect(backoff(tries, 1)).toBe(most);
	});

	it('is half fixed and half random, whatever the numbers', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 2_000 }), random, (tries, number) => {
				const whole = Math.min(1_000 * 2 ** (tries - 1), 30_000);
				expect(backoff(tries, number)).toBeCloseTo(whole / 2 + (whole / 2) * number);
				expect(backoff(tries, number)).toBeGreaterThanOrEqual(whole / 2);
				expect(backoff(tries, number)).toBeLessThanOrEqual(whole);
			}),
		);
	});
});

const random = fc.double({ min: 0, max: 1, noNaN: true });
/** Whatever `readRetryAfter` can give. */
const retryAfter = fc.option(
	fc.oneof(fc.nat(200_000), fc.nat(), fc.constantFrom(0, 120_000, 120_001, Infinity)),
	{ nil: undefined },
);
const statusTrouble: fc.Arbitrary<Trouble> = fc.record({
	kind: fc.constant('status' as const),
	statusCode: fc.oneof(fc.integer({ min: 300, max: 599 }), fc.constantFrom(429, 500, 503)),
	retryAfter,
});
const anyTrouble: fc.Arbitrary<Trouble> = fc.oneof(
	{ weight: 4, arbitrary: statusTrouble },
	fc.record({
		kind: fc.constant('connection' as const),
		code: fc.constantFrom('ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPROTO'),
		sent: fc.boolean(),
		isLasting: fc.boolean(),
	}),
	fc.constant<Trouble>({ kind: 'shape', statusCode: 200, expected: 'JSON', received: 'none' }),
	fc.constant<Trouble>({ kind: 'unsuccessful', statusCode: 200 }),
);

/** Whether it is sure that the request was not carried out. */
function isHarmless(trouble: Trouble): boolean {
	if (trouble.kind === 'connection') return !trouble.sent;
	if (trouble.kind !== 'status') return false;
	return (
		trouble.statusCode === 429 || (trouble.statusCode === 503 && trouble.retryAfter !== undefined)
	);
}

describe('whatever happens', () => {
	it('never tries a request more than five times', () => {
		const troubles = fc.array(fc.tuple(anyTrouble, random), { minLength: 10, maxLength: 10 });
		fc.assert(
			fc.property(fc.constantFrom(...METHODS), troubles, (method, happens) => {
				let tries = 1;
				while (tries <= 10) {
					const [trouble, number] = happens[tries - 1]!;
					if (!decide(trouble, method, tries, number).again) break;
					tries += 1;
				}
				expect(tries).toBeLessThanOrEqual(5);
			}),
		);
	});

	it('repeats what changes something only where it was surely not carried out', () => {
		const tries = fc.integer({ min: 1, max: 10 });
		fc.assert(
			fc.property(
				anyTrouble,
				fc.constantFrom('POST', 'DELETE', 'PUT', 'PATCH'),
				tries,
				random,
				(trouble, method, number, chance) => {
					if (decide(trouble, method, number, chance).again) expect(isHarmless(trouble)).toBe(true);
				},
			),
			{ numRuns: 1_000 },
		);
	});

	it('waits for more than nothing and for two minutes at most', () => {
		fc.assert(
			fc.property(
				anyTrouble,
				fc.constantFrom(...METHODS),
				fc.integer({ min: 1, max: 4 }),
				random,
				(trouble, method, tries, number) => {
					const decision = decide(trouble, method, tries, number);
					if (!decision.again) return;
					expect(decision.wait).toBeGreaterThan(0);
					expect(decision.wait).toBeLessThanOrEqual(120_000);
				},
			),
			{ numRuns: 1_000 },
		);
	});

	it('lets others wait only where the service told to, and counts all but a 429', () => {
		fc.assert(
			fc.property(anyTrouble, fc.constantFrom(...METHODS), random, (trouble, method, number) => {
				const decision = decide(trouble, method, 1, number);
				if (!decision.again) return;
				const code = trouble.kind === 'status' ? trouble.statusCode : undefined;
				expect(decision.holdsBack).toBe(code !== undefined && isHarmless(trouble));
				expect(decision.isLimited).toBe(code !== 429);
			}),
			{ numRuns: 1_000 },
		);
	});
});

describe('Retry-After', () => {
	const NOW = Date.UTC(2026, 0, 1, 12);

	it.each([
		['seconds', '7', 7_000],
		['no seconds', '0', 0],
		['seconds with blanks', ' 120 ', 120_000],
		['seconds with zeros before', '007', 7_000],
		['a fraction', '0.25', 250],
		['a fraction that ends inside a millisecond, rounded up', '1.0001', 1_001],
		['a date', 'Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
		['a date in the long form', 'Thursday, 01-Jan-26 12:00:30 GMT', 30_000],
		['the present', 'Thu, 01 Jan 2026 12:00:00 GMT', 0],
		['a date that has passed', 'Thu, 01 Jan 2026 11:59:59 GMT', 0],
		['the first date', 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
	])('reads %s', (_what, value, expected) => expect(readRetryAfter(value, NOW)).toBe(expected));

	it.each([
		undefined,
		'',
		' ',
		'soon',
		'-1',
		'+1',
		'1e3',
		'0x10',
		'.5',
		'5.',
		'1,5',
		'1, 2',
		'5s',
		'5 seconds',
		'NaN',
		'Infinity',
		'2026-01-01T12:00:30Z',
		'January 1, 2026',
		'Mon GMT',
		'Thu, 99 Foo 2026 12:00:30 GMT',
		'٧',
	])('makes nothing of %p', (value) => expect(readRetryAfter(value, NOW)).toBeUndefined());

	it('gives a time from now on, or nothing, whatever is sent', () => {
		const text = fc.oneof(
			fc.string(),
			fc.string({ unit: 'binary' }),
			fc.stringMatching(/^[0-9.eE+ -]*$/),
			fc.stringMatching(/^[A-Z][a-z]{2}.*GMT$/),
			fc.constant('9'.repeat(400)),
		);
		fc.assert(
			fc.property(text, fc.nat(), (value, now) => {
				const wait = readRetryAfter(value, now);
				if (wait === undefined) return;
				expect(wait).toBeGreaterThanOrEqual(0);
			}),
			{ numRuns: 1_000 },
		);
	});

	it('reads all seconds back', () => {
		fc.assert(
			fc.property(fc.nat(), (seconds) => {
				expect(readRetryAfter(String(seconds), NOW)).toBe(seconds * 1_000);
			}),
		);
	});

	it('reads all dates back, to the second', () => {
		const years = { min: new Date(0), max: new Date(Date.UTC(9999, 11, 31)), noInvalidDate: true };
		fc.assert(
			fc.property(fc.date(years), fc.date(years), (date, now) => {
				const second = Math.floor(date.getTime() / 1_000) * 1_000;
				expect(readRetryAfter(date.toUTCString(), now.getTime())).toBe(
					Math.max(0, second - now.getTime()),
				);
			}),
		);
	});
});
