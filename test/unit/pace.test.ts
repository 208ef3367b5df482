import { Pace } from '../../nodes/shared/account/pace';
import { SlidingWindow } from '../../sandbox/rateLimit';

/** When a request arrives: 0 when the service takes it, else the milliseconds it is told to wait. */
type Service = (now: number) => number;

/** Never more than `perSecond` within any second; always asks to wait a second. */
function slidingSecond(perSecond: number): Service {
	const window = new SlidingWindow(perSecond);
	return (now) => (window.take(now) === 0 ? 0 : 1_000);
}

/** A new allowance each minute; names the rest of the minute in whole seconds. */
function fixedMinute(perMinute: number): Service {
	const taken = new Map<number, number>();
	return (now) => {
		const minute = Math.floor(now / 60_000);
		const before = taken.get(minute) ?? 0;
		taken.set(minute, before + 1);
		return before < perMinute ? 0 : Math.ceil(((minute + 1) * 60_000 - now) / 1_000) * 1_000;
	};
}

/** Takes everything, but refuses the requests of these numbers for a second, for no reason. */
function refusing(...numbers: number[]): Service {
	let count = 0;
	return () => (numbers.includes((count += 1)) ? 1_000 : 0);
}

/**
 * Sends requests in virtual time, at most so many in flight; each takes 20 ms, and a refused one is
 * sent again.
 */
function drive(service: Service, requests: number, inFlight = 10) {
	const pace = new Pace(() => 0.5);
	const result = { took: 0, sent: 0, refused: 0 };
	const flying: Array<{ startedAt: number; wait: number }> = [];
	let left = requests;
	for (let now = 0; left > 0 || flying.length > 0; now++) {
		if (now > 600_000) throw new Error('still not done after ten minutes');
		while (flying.length > 0 && flying[0]!.startedAt + 20 <= now) {
			const { startedAt, wait } = flying.shift()!;
			if (wait === 0) pace.accept();
			else {
				pace.hold(now, wait, startedAt);
				result.refused += 1;
				left += 1;
			}
			result.took = now;
		}
		while (left > 0 && flying.length < inFlight && pace.ask(now) === 0) {
			left -= 1;
			result.sent += 1;
			flying.push({ startedAt: now, wait: service(now + 10) });
		}
	}
	return result;
}

/** A pace that was taught: so many accepted within so many milliseconds, then told to wait. */
function taught(accepted: number, elapsed: number, wait: number): Pace {
	const pace = new Pace(() => 0);
	for (let now = 0; now < elapsed; now += 500) pace.ask(now);
	for (let count = 0; count < accepted; count++) pace.accept();
	pace.hold(elapsed, wait, 0);
	return pace;
}

/** How many of 1,000 that want to may start at a moment. */
function burst(pace: Pace, now: number): number {
	let started = 0;
	while (started < 1_000 && pace.ask(now) === 0) started += 1;
	return started;
}

/** How many start within each second of that time, asking each millisecond. */
function startsEachSecond(pace: Pace, from: number, seconds: number): number[] {
	const starts = Array.from({ length: seconds }, () => 0);
	for (let passed = 0; passed < seconds * 1_000; passed++) {
		while (pace.ask(from + passed) === 0) starts[Math.floor(passed / 1_000)]! += 1;
	}
	return starts;
}

describe('before anything is refused', () => {
	it('all start at once, and no rate is known', () => {
		const pace = new Pace();
		expect(burst(pace, 0)).toBe(1_000);
		for (let count = 0; count < 1_000; count++) pace.accept();
		expect(burst(pace, 5)).toBe(1_000);
		expect(pace.perSecond(5)).toBeUndefined();
	});
});

describe('once a request is told to wait', () => {
	it('none starts before that time is over', () => {
		const pace = taught(50, 100, 2_000);
		expect(pace.ask(100)).toBe(2_000);
		expect(pace.ask(1_000)).toBe(1_100);
		expect(pace.ask(2_099)).toBe(1);
		expect(pace.ask(2_100)).toBe(0);
	});

	it('the longest of several times counts', () => {
		const pace = taught(50, 100, 2_000);
		pace.hold(200, 5_000, 0);
		pace.hold(300, 1_000, 0);
		expect(pace.ask(400)).toBe(4_800);
		expect(pace.ask(5_200)).toBe(0);
	});

	it('after a wait the state is looked at again: another request may have been refused', () => {
		const pace = taught(50, 100, 1_000);
		expect(pace.ask(100)).toBe(1_000);
		pace.hold(1_050, 3_000, 0);
		expect(pace.ask(1_100)).toBe(2_950);
	});

	it('they start one by one from then on, at the rate that was taken', () => {
		// 50 in a second: the wait says how long the service's memory is.
		const pace = taught(50, 200, 1_000);
		expect(burst(pace, 1_200)).toBe(1);
		expect(pace.perSecond(1_200)).toBeCloseTo(50);
		expect(pace.ask(1_200)).toBeCloseTo(20);
	});

	it('the rate is that of the time before, where this was longer than the wait', () => {
		const pace = taught(50, 10_000, 1_000);
		pace.ask(11_000);
		expect(pace.perSecond(11_000)).toBeCloseTo(5);
	});

	it('the rest of a burst, refused together with its first, teaches nothing new', () => {
		const pace = taught(50, 200, 1_000);
		pace.hold(201, 999, 0);
		pace.ask(1_200);
		// An answer that overtook the whole pause.
		pace.hold(1_210, 1_000, 150);
		expect(pace.ask(2_210)).toBeLessThan(20);
		expect(pace.perSecond(2_210)).toBeGreaterThan(50);
	});

	it('nor does a later refusal of the same pause, which only makes it longer', () => {
		const pace = taught(50, 200, 1_000);
		pace.hold(1_150, 3_000, 0);
		expect(pace.ask(4_150)).toBe(0);
		expect(pace.perSecond(4_150)).toBeCloseTo(50);
	});

	it('where nothing was taken before, they start at 1 in the time that was named', () => {
		const pace = taught(0, 100, 1_000);
		expect(burst(pace, 1_100)).toBe(1);
		expect(pace.perSecond(1_100)).toBeCloseTo(1);
	});

	it('a process does not begin at the moment at which all others do', () => {
		const pace = new Pace(() => 1);
		pace.ask(0);
		for (let count = 0; count < 10; count++) pace.accept();
		pace.hold(500, 1_000, 0);
		expect(pace.ask(1_500)).toBeGreaterThan(0);
		expect(pace.ask(1_500)).toBeLessThanOrEqual(50);
	});
});

describe('a start', () => {
	it('is taken only when it is granted: asking too early costs nothing', () => {
		const patient = taught(50, 200, 1_000);
		const eager = taught(50, 200, 1_000);
		patient.ask(1_200);
		eager.ask(1_200);
		for (let now = 1_200; now < 1_215; now += 0.1) expect(eager.ask(now)).toBeGreaterThan(0);
		expect(eager.ask(1_220)).toBe(0);
		expect(patient.ask(1_220)).toBe(0);
		expect(eager.ask(1_220)).toBeCloseTo(patient.ask(1_220));
	});

	it('makes up for little of the time that timers were late', () => {
		const pace = taught(100, 500, 1_000);
		pace.ask(1_500);
		// 90 ms late, of which 20 count: 2 requests at 100 a second, and the one that is due.
		expect(burst(pace, 1_600)).toBeLessThanOrEqual(4);
	});

	it('is asked for again at least each second, because the rate grows meanwhile', () => {
		const pace = taught(1, 10, 4_000);
		pace.ask(4_010);
		expect(pace.ask(4_010)).toBe(1_000);
	});
});

describe('few a second', () => {
	it.each([1, 2])('%i a second are learned without five accepted between two refusals', (rate) => {
		const { took, sent, refused } = drive(slidingSecond(rate), 240 * rate);
		expect(took).toBeLessThan(1.2 * 240_000);
		// The first 10 in flight are refused at once.
		expect((refused - 10) / sent).toBeLessThan(0.08);
	});
});

describe('a service that takes 50 a second and names one second', () => {
	const { took, sent, refused } = drive(slidingSecond(50), 12_500);

	it('refuses few of 12,500 requests', () => {
		expect(refused / sent).toBeLessThanOrEqual(0.006);
	});

	it('has them all within 8 % of its own time', () => {
		expect(took).toBeLessThanOrEqual(250_000 * 1.08);
	});
});

it('the quota of a minute is used up, and its rest waited for', () => {
	const { took, sent, refused } = drive(fixedMinute(600), 3_000);
	expect(refused / sent).toBeLessThanOrEqual(0.02);
	// Four whole minutes, and as much of the fifth as the same rate takes.
	expect(took).toBeLessThanOrEqual(300_000 * 0.9);
});

it('a quota is spread: the average counts over the time and the wait', () => {
	const pace = taught(600, 10_000, 50_000);
	pace.ask(60_000);
	expect(pace.perSecond(60_000)).toBeCloseTo(10);
});

describe('after a refusal that meant nothing', () => {
	it.each([1, 6, 100, 1_000])('of request %i, the pace is soon what it was', (number) => {
		const undisturbed = drive(refusing(), 5_000).took;
		const { took, refused } = drive(refusing(number), 5_000);
		expect(refused).toBe(1);
		// The wait itself is one second.
		expect(took - undisturbed).toBeLessThan(11_000);
	});

	it('the rate doubles each second until another refusal confirms it', () => {
		const starts = startsEachSecond(taught(10, 100, 1_000), 1_100, 5);
		for (let second = 1; second < 5; second++) {
			const growth = starts[second]! / starts[second - 1]!;
			expect(growth).toBeGreaterThan(1.7);
			expect(growth).toBeLessThan(2.3);
		}
	});
});

describe('a confirmed rate', () => {
	/** Refused at 50 a second, and once more soon after. */
	function confirmed(): Pace {
		const pace = taught(50, 200, 1_000);
		startsEachSecond(pace, 1_200, 1);
		for (let count = 0; count < 50; count++) pace.accept();
		pace.hold(2_200, 1_000, 1_300);
		pace.ask(3_200);
		return pace;
	}

	it('is held for a while, and doubles within 30 seconds', () => {
		const starts = startsEachSecond(confirmed(), 3_200, 30);
		expect(Math.max(...starts.slice(0, 15))).toBeLessThanOrEqual(50);
		expect(starts[29]).toBeGreaterThan(96);
	});

	it('does not grow while nobody asks', () => {
		const pace = confirmed();
		pace.ask(600_000);
		expect(pace.perSecond(600_000)).toBeLessThan(50);
		expect(burst(pace, 600_001)).toBeLessThan(3);
	});

	it('falls no further than to a half with one refusal, where few were accepted before', () => {
		const pace = confirmed();
		const before = pace.perSecond(3_300)!;
		pace.hold(3_300, 1_000, 3_250);
		pace.ask(4_300);
		expect(pace.perSecond(4_300)! / before).toBeGreaterThan(0.49);
		expect(pace.perSecond(4_300)! / before).toBeLessThan(0.55);
	});
});

it('finds a limit that was lowered, and one that was raised', () => {
	const changing = (before: number, after: number): Service => {
		const [first, second] = [slidingSecond(before), slidingSecond(after)];
		return (now) => (now < 30_000 ? first(now) : second(now));
	};
	// 30 seconds at the first limit, the rest at the second.
	const lowered = drive(changing(50, 20), 3_000);
	expect(lowered.refused / lowered.sent).toBeLessThanOrEqual(0.03);
	expect(lowered.took).toBeLessThanOrEqual((30_000 + 75_000) * 1.25);
	const raised = drive(changing(20, 50), 3_000);
	expect(raised.took).toBeLessThan(110_000);
});
