import { Pace } from '../../nodes/shared/pacing/pace';

/** A pace, and a service that refuses what its test says. */
class Paced {
	now = 100_000;
	readonly pace: Pace;

	constructor(random = 0) {
		this.pace = new Pace(() => random);
	}

	/** Starts and accepts as many requests as come in this time. @returns how many */
	run(milliseconds: number): number {
		const end = this.now + milliseconds;
		let started = 0;
		for (;;) {
			const wait = this.pace.waitLeft(this.now);
			if (this.now + wait >= end) break;
			this.now += wait;
			if (wait > 0) continue;
			this.pace.start(this.now);
			this.pace.accept();
			started += 1;
		}
		this.now = end;
		return started;
	}

	/** Starts a request as soon as it may. */
	start(): void {
		for (let wait = 1; wait > 0; this.now += wait) wait = this.pace.waitLeft(this.now);
		this.pace.start(this.now);
	}

	/** Starts a request, which the service refuses. */
	refuse(pause = 1_000): void {
		this.start();
		this.pace.refuse(this.now, pause, this.now);
	}

	/** Starts and accepts requests at once. */
	burst(requests: number): void {
		for (let request = 0; request < requests; request++) {
			expect(this.pace.waitLeft(this.now)).toBe(0);
			this.pace.start(this.now);
			this.pace.accept();
		}
	}

	/** The time between the next two starts. */
	get interval(): number {
		this.start();
		return this.pace.waitLeft(this.now);
	}
}

describe('a pause', () => {
	it('lasts until the latest time that a request was told', () => {
		const { pace, now } = new Paced();
		pace.refuse(now, 3_000, now);
		pace.refuse(now + 10, 1_000, now);
		expect(pace.pauseLeft(now + 10)).toBe(2_990);
		pace.refuse(now + 20, 5_000, now);
		expect(pace.pauseLeft(now + 20)).toBe(5_000);
	});
});

describe('slow start', () => {
	it('begins at what was accepted before the pause, over at least a second of sending', () => {
		const paced = new Paced();
		paced.burst(4);
		paced.refuse();
		paced.now += 600_000;
		expect(paced.interval).toBe(250);
	});

	it('begins at one per second after an outage, in which nothing was accepted', () => {
		const paced = new Paced();
		for (let request = 0; request < 600; request++) {
			paced.start();
			paced.now += 60_000;
		}
		paced.refuse();
		expect(paced.interval).toBe(1_000);
	});
});

describe('a known rate', () => {
	/** Refused twice, at ten per second. */
	const known = () => {
		const paced = new Paced();
		paced.burst(5);
		paced.refuse();
		paced.run(1_000);
		const sent = paced.run(2_000);
		paced.refuse();
		paced.run(1_000);
		return { paced, rate: 1_000 / paced.interval, measured: sent / 2 };
	};

	it('is a tenth lower after a refusal', () => {
		const { paced, rate } = known();
		paced.pace.accept();
		paced.refuse();
		expect(1_000 / paced.interval / rate).toBeCloseTo(0.9, 2);
	});

	it('is not lowered by a request that started before the pause', () => {
		const { paced, rate } = known();
		const before = paced.now;
		paced.pace.accept();
		paced.refuse();
		paced.now += 1_000;
		const { interval } = paced;
		paced.pace.accept();
		paced.pace.refuse(paced.now, 1_000, before);
		// The first start after it is late, and made up for.
		paced.start();
		expect(paced.interval).toBeCloseTo(interval, 0);
		expect(1_000 / interval / rate).toBeCloseTo(0.9, 2);
	});

	it('is not lowered by a refusal right after a pause: the pause was too short', () => {
		const { paced } = known();
		paced.pace.accept();
		paced.refuse();
		const { interval } = paced;
		paced.refuse();
		paced.refuse();
		expect(paced.interval).toBeCloseTo(interval, 1);
	});
});

it('after a long delay, only one start comes sooner', () => {
	const paced = new Paced();
	paced.burst(10);
	paced.refuse();
	paced.start();
	const { pace, now } = paced;
	pace.start(now + 10_000);
	expect(pace.waitLeft(now + 10_000)).toBe(0);
	pace.start(now + 10_000);
	expect(pace.waitLeft(now + 10_000)).toBeCloseTo(97, -1);
});

describe('a quota that is used up', () => {
	it('begins again at one per second, and doubles', () => {
		const paced = new Paced();
		paced.burst(60);
		paced.refuse(40_000);
		expect(paced.interval).toBe(1_000);
		paced.pace.accept();
		paced.run(4_000);
		expect(paced.interval).toBeLessThan(400);
		paced.refuse(40_000);
		expect(paced.interval).toBe(1_000);
	});
});
