import { AutomaticLimit } from '../../nodes/shared/pacing/automaticLimit';

/** A service that answers each request after `latency` ms, at most `most` of them at a time. */
class Service {
	now = 1_000;
	readonly limit: AutomaticLimit;
	private inFlight: Array<{ startedAt: number; endsAt: number }> = [];

	constructor(
		{ start = 10, most = 100 } = {},
		private readonly latency = 200,
		private readonly workers = Infinity,
	) {
		this.limit = new AutomaticLimit(start, most);
	}

	/** The limit: how many may be in flight when those that were have ended without a response. */
	get found(): number {
		for (const { startedAt } of this.inFlight.splice(0)) {
			this.limit.ended(this.now, 'nothing', startedAt);
		}
		this.fill();
		return this.inFlight.length;
	}

	/** Starts as many as there is room for. */
	fill(): void {
		while (this.limit.hasRoom(this.now)) {
			this.limit.started(this.now);
			const ahead = this.inFlight.length - this.workers;
			const free = ahead < 0 ? this.now : this.inFlight[ahead]!.endsAt;
			this.inFlight.push({ startedAt: this.now, endsAt: free + this.latency });
		}
	}

	/** Answers this many requests; new ones take their places. */
	answer(
		requests: number,
		health: 'answered' | 'throttled' | 'trouble' | 'nothing' = 'answered',
	): void {
		for (let request = 0; request < requests; request++) {
			this.fill();
			const { startedAt, endsAt } = this.inFlight.shift()!;
			this.now = Math.max(this.now, endsAt);
			this.limit.ended(this.now, health, startedAt);
		}
	}
}

it('doubles with each round of responses while more get through, up to the most', () => {
	const service = new Service();
	const found = [10, 20, 40, 80, 100, 500].map((round) => {
		const before = service.found;
		service.answer(round);
		return before;
	});
	expect(found).toEqual([10, 20, 40, 80, 100, 100]);
});

it('after two rounds without a rise, goes back to the last limit that raised it', () => {
	const service = new Service({ start: 2 }, 200, 8);
	const found = [8, 8, 8, 16, 32].map((round) => {
		service.answer(round);
		return service.found;
	});
	expect(found).toEqual([4, 8, 16, 32, 8]);
	service.answer(100);
	expect(service.found).toBe(8);
});

it('searches again from half after a minute, because services change', () => {
	const service = new Service({ start: 2 }, 200, 8);
	for (const round of [8, 8, 8, 16, 32]) service.answer(round);
	expect(service.found).toBe(8);
	service.now += 60_000;
	service.answer(8);
	expect(service.found).toBe(4);
	service.answer(8);
	expect(service.found).toBe(8);
});

it('halves when a whole round fails', () => {
	const service = new Service();
	service.answer(10);
	expect(service.found).toBe(20);
	service.answer(20, 'trouble');
	expect(service.found).toBe(10);
	service.answer(9, 'trouble');
	service.answer(1);
	expect(service.found).toBe(20);
});

it('does not count requests that hang for more than ten seconds, up to the most', () => {
	const { limit, now } = new Service({ start: 2, most: 3 });
	limit.started(now);
	limit.started(now);
	expect(limit.hasRoom(now + 10_000)).toBe(false);
	expect(limit.hasRoom(now + 10_001)).toBe(true);
	limit.started(now + 10_001);
	expect(limit.hasRoom(now + 30_000)).toBe(false);
});
