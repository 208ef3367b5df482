import { AutomaticLimit } from '../../nodes/shared/account/automaticLimit';

type Outcome = 'accepted' | 'refused' | 'trouble' | 'other';

/**
 * Keeps as many requests in flight as allowed, in virtual time.
 *
 * @param roundTrip the duration of a request in milliseconds, by the number in flight at its start
 * @returns the limit after each response
 */
function keepBusy(
	limit: AutomaticLimit,
	answers: number,
	roundTrip: (inFlight: number) => number,
	outcome: (count: number) => Outcome = () => 'accepted',
): number[] {
	const flying: Array<{ startedAt: number; endsAt: number }> = [];
	const limits: number[] = [];
	let now = 0;
	while (limits.length < answers) {
		while (flying.length < limit.limit()) {
			limit.started(now);
			flying.push({ startedAt: now, endsAt: now + roundTrip(flying.length + 1) });
		}
		flying.sort((a, b) => a.endsAt - b.endsAt);
		const { startedAt, endsAt } = flying.shift()!;
		now = endsAt;
		limit.ended(now, outcome(limits.length + 1), startedAt);
		limits.push(limit.limit());
	}
	return limits;
}

const CONSTANT = () => 100;

describe('while a higher limit raises the goodput', () => {
	it('adds grow from 5 to 50 in flight', () => {
		const limits = keepBusy(new AutomaticLimit(5, 50), 300, CONSTANT);
		expect([...new Set(limits)]).toEqual([5, 10, 20, 40, 50]);
		expect(limits.indexOf(50)).toBeLessThan(200);
	});

	it('the first eight jobs are sent one by one, and at most 10 are in flight', () => {
		const limits = keepBusy(new AutomaticLimit(1, 10), 300, CONSTANT);
		expect(limits.slice(0, 8)).toEqual(Array(8).fill(1));
		expect([...new Set(limits.slice(0, limits.indexOf(10) + 1))]).toEqual([1, 2, 4, 8, 10]);
		expect(Math.max(...limits)).toBe(10);
	});

	it('a lower limit than the maximum is only tried after 20 rounds', () => {
		const limits = keepBusy(new AutomaticLimit(5, 50), 3_000, CONSTANT);
		const first = limits.indexOf(50);
		const fewer = limits.findIndex((limit, index) => index > first && limit < 50);
		expect(fewer - first).toBeGreaterThanOrEqual(20 * 50);
	});
});

describe('when the service is saturated', () => {
	/** The service handles this many at once, 20 ms each; the others queue. */
	const capacity = (workers: number) => (inFlight: number) => 20 * Math.max(1, inFlight / workers);

	it('finds the smallest limit with nearly the best goodput', () => {
		const limits = keepBusy(new AutomaticLimit(5, 50), 2_000, capacity(8));
		expect(Math.max(...limits)).toBe(40);
		expect(limits.at(-1)).toBeGreaterThanOrEqual(8);
		expect(limits.at(-1)).toBeLessThanOrEqual(12);
	});

	it('also finds a limit below the start', () => {
		expect(keepBusy(new AutomaticLimit(5, 50), 3_000, capacity(1)).at(-1)).toBeLessThanOrEqual(2);
	});

	it('tries a higher limit again after settling at 1', () => {
		let workers = 1;
		const limit = new AutomaticLimit(5, 50);
		const changing = (inFlight: number) => capacity(workers)(inFlight);
		keepBusy(limit, 3_000, changing);
		workers = 20;
		expect(keepBusy(limit, 10_000, changing).at(-1)).toBeGreaterThanOrEqual(15);
	});

	it('grows when the service gets faster', () => {
		let workers = 8;
		const limit = new AutomaticLimit(5, 50);
		const changing = (inFlight: number) => capacity(workers)(inFlight);
		expect(keepBusy(limit, 1_000, changing).at(-1)).toBeLessThanOrEqual(13);
		workers = 40;
		expect(keepBusy(limit, 20_000, changing).at(-1)).toBeGreaterThanOrEqual(30);
	});
});

it('a few quick responses at the start do not look like a saturated service', () => {
	let count = 0;
	const limits = keepBusy(new AutomaticLimit(5, 50), 500, () => ((count += 1) <= 8 ? 5 : 200));
	expect(limits.at(-1)).toBe(50);
});

it('what says nothing about the limit does not disturb the search', () => {
	const limits = keepBusy(new AutomaticLimit(5, 50), 600, CONSTANT, (count) =>
		count % 8 === 0 ? 'other' : 'accepted',
	);
	expect(limits.at(-1)).toBe(50);
});

describe('discarded rounds', () => {
	it('rounds that did not use the limit', () => {
		const limit = new AutomaticLimit(5, 50);
		for (let count = 0; count < 500; count++) {
			limit.started(20 * count);
			limit.ended(20 * count + 10, 'accepted', 20 * count);
		}
		expect(limit.limit()).toBe(5);
	});

	it('rounds with idle time', () => {
		const limit = new AutomaticLimit(1, 10);
		let now = 0;
		for (let count = 1; count <= 100; count++) {
			limit.started(now);
			limit.ended(now + 100, 'accepted', now);
			now += count % 4 === 0 ? 3_600_000 : 101;
		}
		expect(limit.limit()).toBe(1);
	});

	it('rounds with a refusal, which the pace handles', () => {
		const limits = keepBusy(new AutomaticLimit(5, 50), 500, CONSTANT, (count) =>
			count % 8 === 0 ? 'refused' : 'accepted',
		);
		expect([...new Set(limits)]).toEqual([5]);
	});
});

describe('a timeout, a 5xx or a broken connection', () => {
	it('changes nothing while other requests are accepted: it may affect one run only', () => {
		const troubled = keepBusy(new AutomaticLimit(5, 50), 1_200, CONSTANT, (count) =>
			count % 2 === 0 ? 'trouble' : 'accepted',
		);
		expect(troubled.every((limit, index) => limit >= (troubled[index - 1] ?? 5))).toBe(true);
		expect(troubled.at(-1)).toBe(50);
	});

	it('lowers the limit to 70 % when nothing else comes, once for all requests in flight', () => {
		const limits = keepBusy(new AutomaticLimit(20, 50), 90, CONSTANT, () => 'trouble');
		expect([...new Set(limits)]).toEqual([20, 14, 9, 6, 4, 2, 1]);
		expect(limits.indexOf(14)).toBe(19);
		expect(limits.indexOf(9)).toBe(33);
	});

	it('lets the limit recover as fast as it grew', () => {
		const limits = keepBusy(new AutomaticLimit(20, 50), 600, CONSTANT, (count) =>
			count <= 100 ? 'trouble' : 'accepted',
		);
		expect(limits[99]).toBe(1);
		expect(limits.indexOf(50)).toBeLessThan(500);
	});
});

describe('requests that hang', () => {
	it('leave their place to others after ten seconds, but never beyond the maximum', () => {
		const limit = new AutomaticLimit(1, 3);
		limit.started(0);
		expect(limit.hasRoom(9_999)).toBe(false);
		expect(limit.hasRoom(10_000)).toBe(true);
		limit.started(10_000);
		expect(limit.hasRoom(10_000)).toBe(false);
		limit.started(20_000);
		expect(limit.hasRoom(30_000)).toBe(false);
		limit.ended(30_000, 'trouble', 0);
		expect(limit.hasRoom(30_000)).toBe(true);
	});

	it('are those that take much longer than the others', () => {
		const limit = new AutomaticLimit(1, 10);
		limit.started(0);
		limit.ended(20_000, 'accepted', 0);
		limit.started(20_000);
		expect(limit.hasRoom(79_999)).toBe(false);
		expect(limit.hasRoom(80_000)).toBe(true);
	});
});

it('once a rate is known, allows two round trips in flight, and at least 2', () => {
	const limit = new AutomaticLimit(5, 50);
	expect(limit.limit(1_000)).toBe(5);
	keepBusy(limit, 1_000, CONSTANT);
	expect(limit.limit()).toBe(50);
	expect(limit.limit(100)).toBe(20);
	expect(limit.limit(1)).toBe(2);
	expect(limit.limit(10_000)).toBe(50);
});
