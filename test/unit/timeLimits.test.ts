import { parseRetryAfter } from '../../nodes/shared/service/retryAfter';
import { backoff } from '../../nodes/shared/time/timeLimits';

describe('backoff', () => {
	it.each([
		[1, 500, 1_000],
		[3, 2_000, 4_000],
		[4, 4_000, 8_000],
	])('after attempt %i is from %i to %i ms', (attempt, least, most) => {
		expect(backoff(attempt, 0)).toBe(least);
		expect(backoff(attempt, 0.5)).toBe((least + most) / 2);
		expect(backoff(attempt, 1)).toBe(most);
	});
});

describe('Retry-After', () => {
	/** By the clock of the service. */
	const DATE = 'Thu, 01 Jan 2026 12:00:00 GMT';

	it.each([
		['seconds', '7', 7_000],
		['seconds with spaces', ' 120 ', 120_000],
		['a fraction', '0.25', 250],
		['a fraction that ends inside a millisecond, rounded up', '1.0001', 1_001],
		['a date', 'Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
		['the present', 'Thu, 01 Jan 2026 12:00:00 GMT', 0],
		['a date that has passed', 'Thu, 01 Jan 2026 11:59:59 GMT', 0],
		['the first date', 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
	])('reads %s', (_what, value, expected) => expect(parseRetryAfter(value, DATE)).toBe(expected));

	it.each([undefined, '', ' '])('is missing if it is %p', (value) =>
		expect(parseRetryAfter(value, DATE)).toBeUndefined(),
	);

	it.each(['soon', '-1', '1e3', '5.', '1,5', '5 seconds', 'Thu, 99 Foo 2026 12:00:30 GMT', '٧'])(
		'asks to wait, but not for how long, if it is %p',
		(value) => expect(parseRetryAfter(value, DATE)).toBe(0),
	);

	it.each([undefined, '', 'yesterday'])(
		'reads a date by the clock of this machine if that of the service is %j',
		(date) => {
			const inAMinute = new Date(Date.now() + 60_000).toUTCString();
			const wait = parseRetryAfter(inAMinute, date);
			expect(wait).toBeGreaterThan(50_000);
			expect(wait).toBeLessThanOrEqual(60_000);
		},
	);
});
