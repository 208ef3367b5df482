import { Gate } from '../../nodes/shared/pacing/gate';
import type { Health } from '../../nodes/shared/errors/outcomes';

/** A gate, and a service that does what its test says. */
class Paced {
	now = 100_000;
	readonly gate: Gate;

	constructor(random = 0) {
		this.gate = new Gate(() => random);
	}

	get waitLeft(): number {
		return this.gate.waitLeft(this.now);
	}

	/** Ends requests one after another, each started at once. */
	end(...healths: Health[]): this {
		for (const health of healths) this.gate.ended(this.now, health, this.now);
		return this;
	}

	/** Starts and accepts as many requests as come in this time. @returns how many */
	run(milliseconds: number): number {
		const end = this.now + milliseconds;
		let started = 0;
		for (; this.now + this.waitLeft < end; started++) {
			this.start();
			this.end('answered');
		}
		this.now = end;
		return started;
	}

	/** Starts a request as soon as it may. @returns how long that took */
	start(): number {
		const before = this.now;
		for (let wait = 1; wait > 0; this.now += wait) wait = this.waitLeft;
		this.gate.start(this.now);
		return this.now - before;
	}

	/** Starts a request, which the service refuses. */
	refuse(pause = 1_000): void {
		this.start();
		this.gate.ended(this.now, 'throttled', this.now, pause);
	}

	/** Starts and accepts requests at once. */
	burst(requests: number): void {
		for (let request = 0; request < requests; request++) {
			expect(this.start()).toBe(0);
			this.end('answered');
		}
	}

	/** The time between the next two starts. */
	get interval(): number {
		this.start();
		return this.waitLeft;
	}
}

it('a pause lasts until the latest time that a request was told', () => {
	const { gate, now } = new Paced();
	for (const [at, pause, left] of [
		[0, 3_000, 3_000],
		[10, 1_000, 2_990],
		[20, 5_000, 5_000],
	] as const) {
		gate.ended(now + at, 'throttled', now, pause);
		expect(gate.waitLeft(now + at)).toBe(left);
	}
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
		paced.end('answered');
		paced.refuse();
		expect(1_000 / paced.interval / rate).toBeCloseTo(0.9, 2);
	});

	it('is not lowered by a request that started before the pause', () => {
		const { paced, rate } = known();
		const before = paced.now;
		paced.end('answered');
		paced.refuse();
		paced.now += 1_000;
		const { interval } = paced;
		paced.end('answered');
		paced.gate.ended(paced.now, 'throttled', before, 1_000);
		// The first start after it is late, and made up for.
		paced.start();
		expect(paced.interval).toBeCloseTo(interval, 0);
		expect(1_000 / interval / rate).toBeCloseTo(0.9, 2);
	});

	it('is not lowered by a refusal right after a pause: the pause was too short', () => {
		const { paced } = known();
		paced.end('answered');
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
	paced.now += 10_000;
	expect(paced.interval).toBe(0);
	expect(paced.interval).toBeCloseTo(97, -1);
});

it('a quota that is used up begins again at one per second, and doubles', () => {
	const paced = new Paced();
	paced.burst(60);
	paced.refuse(40_000);
	expect(paced.interval).toBe(1_000);
	paced.end('answered');
	paced.run(4_000);
	expect(paced.interval).toBeLessThan(400);
	paced.refuse(40_000);
	expect(paced.interval).toBe(1_000);
});

describe('trouble', () => {
	/** In its first pause, of a second. */
	const inTrouble = () => new Paced().end('trouble', 'trouble', 'trouble');

	it.each([
		['trouble trouble', 0],
		['trouble trouble trouble', 1_000],
		['trouble trouble answered trouble trouble', 0],
		['trouble trouble throttled trouble trouble', 0],
		['trouble trouble nothing trouble', 1_000],
		// In flight at the start of the pause.
		['trouble trouble trouble trouble nothing trouble', 1_000],
	])('%s: a pause of %i ms', (healths, pause) => {
		expect(new Paced().end(...(healths.split(' ') as Health[])).waitLeft).toBe(pause);
	});

	it.each<Health>(['trouble', 'nothing'])('is not over for %s from before it', (health) => {
		const paced = inTrouble();
		const before = paced.now;
		paced.start();
		paced.gate.ended(paced.now, health, before);
		expect(paced.waitLeft).toBe(30_000);
	});

	it('doubles the pause each time that the one request after it meets trouble, up to 30 seconds', () => {
		const paced = inTrouble();
		const pauses = Array.from({ length: 7 }, () => {
			const pause = paced.start();
			expect(paced.waitLeft).toBe(30_000);
			paced.end('trouble');
			return pause;
		});
		expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
	});

	it.each([
		['answered', 0],
		// From then on there is a rate.
		['throttled', 1_000],
	] as const)('ends when one was %s, for all', (health, interval) => {
		const paced = inTrouble();
		paced.start();
		paced.now += 500;
		paced.gate.ended(paced.now, health, paced.now - 500);
		expect(paced.waitLeft).toBe(0);
		expect(paced.interval).toBe(interval);
	});

	it('ends when one from before it was answered, and can begin again at once', () => {
		const paced = inTrouble();
		paced.gate.ended(paced.now, 'answered', paced.now - 1);
		expect(paced.waitLeft).toBe(0);
		expect(paced.end('trouble', 'trouble', 'trouble').waitLeft).toBe(1_000);
	});

	it('lets the next request go ahead if the first one says nothing about the service', () => {
		const paced = inTrouble();
		paced.start();
		expect(paced.end('nothing').waitLeft).toBe(0);
	});

	it('does not shorten a pause that the service asked for', () => {
		const paced = new Paced();
		paced.refuse(60_000);
		paced.end('trouble', 'trouble', 'trouble', 'answered');
		expect(paced.waitLeft).toBe(60_000);
	});
});
