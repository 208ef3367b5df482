import { Account } from '../../nodes/shared/account/account';
import type { AccountRun, Entry, LaneName, Start } from '../../nodes/shared/account/lane';
import type { Sign } from '../../nodes/shared/account/sign';
import { RunLimit, type RunLimits } from '../../nodes/shared/account/runLimit';
import { advance, settle, until, useClock } from '../support/clock';

useClock();

const TWO_MINUTES = 120_000;

/** A run, or with `isUrgent` one that a person waits for. */
class TestRun implements AccountRun {
	/** The starts it got, in order. */
	readonly starts: Start[] = [];
	/** Why turns ended without a start. */
	readonly left: unknown[] = [];
	readonly runLimit: RunLimit;

	constructor(
		readonly account: Account,
		readonly isUrgent = false,
		limits: RunLimits = {},
	) {
		this.runLimit = new RunLimit(limits);
	}

	/** @param lane whose automatic limit it counts towards; by default others, without a limit */
	enter(lane?: LaneName): Entry {
		return this.account.enter(this, lane ?? 'others', lane !== undefined);
	}

	turn(entry: Entry): void {
		this.account.turn(
			entry,
			(start) => this.starts.push(start),
			(why) => this.left.push(why),
		);
	}

	/** Asks for a turn for each of several new requests. */
	ask(requests: number, lane?: LaneName): void {
		for (let request = 0; request < requests; request++) this.turn(this.enter(lane));
	}

	/** Ends the request that started first of those in flight. */
	end(sign: Sign, retryAfter?: number): number | undefined {
		return this.account.ended(this.starts.shift()!, sign, retryAfter);
	}
}

/** Lets the service refuse a request once, so that the account has a rate: one per second. */
async function learnOnePerSecond(account: Account): Promise<void> {
	const run = new TestRun(account);
	const entry = run.enter();
	run.turn(entry);
	run.end('toldToWait');
	run.turn(entry);
	await until(() => run.starts.length === 1);
	run.end('answered');
}

describe('how many requests are in flight', () => {
	it.each([
		['jobs', 1],
		['others', 10],
	] as const)('%s begin with %i, shared by all runs', async (lane, start) => {
		const account = new Account();
		const runs = [new TestRun(account), new TestRun(account)];
		for (const run of runs) run.ask(20, lane);
		await settle();
		expect(runs[0]!.starts.length + runs[1]!.starts.length).toBe(start);
		runs[0]!.end('answered');
		await settle();
		expect(runs[0]!.starts.length + runs[1]!.starts.length).toBe(start);
	});

	it('is that of "Concurrency" for a run that limits itself', async () => {
		const account = new Account();
		const [run, other] = [new TestRun(account, false, { concurrency: 2 }), new TestRun(account)];
		run.ask(20);
		other.ask(20);
		await settle();
		expect(run.starts).toHaveLength(2);
		expect(other.starts).toHaveLength(20);
		run.end('answered');
		await settle();
		expect(run.starts).toHaveLength(2);
	});

	it('is that of a batch for a run with "Batching", also after the service asked to wait', async () => {
		const account = new Account();
		const run = new TestRun(account, false, { batching: { size: 2, interval: 10_000 } });
		run.ask(5);
		await settle();
		expect(run.starts).toHaveLength(2);
		const { entry, at } = run.starts[0]!;
		run.end('toldToWait', 4_000);
		run.turn(entry);
		await until(() => run.starts.length === 2);
		expect(run.starts[1]!.entry).toBe(entry);
		// After a pause, half a second more: not all processes start at the same moment.
		expect(run.starts[1]!.at - at).toBe(10_500);
	});

	it('doubles if more get through, also when all responses come in the same turn', async () => {
		const run = new TestRun(new Account());
		run.ask(50, 'others');
		await advance(200);
		while (run.starts.length > 0) run.end('answered');
		await settle();
		expect(run.starts).toHaveLength(20);
	});

	it('stays while fewer requests come than it allows', async () => {
		const run = new TestRun(new Account());
		for (let time = 0; time < 3; time++) {
			run.ask(9, 'others');
			await advance(200);
			while (run.starts.length > 0) run.end('answered');
			await settle();
		}
		run.ask(50, 'others');
		await settle();
		expect(run.starts).toHaveLength(10);
	});

	it('grows by one per turn of the event loop', async () => {
		const run = new TestRun(new Account());
		run.ask(20);
		expect(run.starts).toHaveLength(1);
		await settle();
		expect(run.starts).toHaveLength(20);
	});

	it('lets jobs start beside other requests that use up their own limit', async () => {
		const account = new Account();
		const [adds, jobs] = [new TestRun(account), new TestRun(account)];
		adds.ask(20, 'others');
		jobs.ask(1, 'jobs');
		await settle();
		expect(jobs.starts).toHaveLength(1);
	});

	it('lets others start when one hangs', async () => {
		const run = new TestRun(new Account());
		run.ask(2, 'jobs');
		await advance(9_000);
		expect(run.starts).toHaveLength(1);
		await advance(3_000);
		expect(run.starts).toHaveLength(2);
	});
});

describe('whose turn it is', () => {
	it('runs take turns, one request each, in the order they came', async () => {
		const account = new Account();
		const hold = new TestRun(account);
		hold.ask(1, 'jobs');
		const order: string[] = [];
		for (const name of ['a', 'b', 'c']) {
			const run = new TestRun(account);
			for (let request = 0; request < 2; request++) {
				const begin = (start: Start) => {
					order.push(name);
					setTimeout(() => account.ended(start, 'answered'), 1);
				};
				account.turn(run.enter('jobs'), begin, () => {});
			}
		}
		hold.end('answered');
		await until(() => order.length === 6);
		expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
	});

	it('a bulk run does not delay a single request, nor many single ones a bulk run', async () => {
		const account = new Account();
		await learnOnePerSecond(account);
		const bulk = new TestRun(account);
		bulk.ask(20_000);
		const single = new TestRun(account);
		single.ask(1);
		await until(() => single.starts.length === 1);
		expect(bulk.starts.length).toBeLessThanOrEqual(2);

		const singles = Array.from({ length: 500 }, () => new TestRun(account));
		for (const run of singles) run.ask(1);
		const before = bulk.starts.length;
		await until(() => singles.every(({ starts }) => starts.length === 1));
		expect(bulk.starts.length).toBeGreaterThan(before);
	});

	it('what a person waits for goes first, and after each of these another request', async () => {
		const account = new Account();
		await learnOnePerSecond(account);
		const order: string[] = [];
		const start = (name: string, isUrgent: boolean) => {
			const run = new TestRun(account, isUrgent);
			account.turn(
				run.enter(),
				() => order.push(name),
				() => {},
			);
		};
		for (const name of ['a', 'b', 'c']) start(name, false);
		for (const name of ['X', 'Y']) start(name, true);
		await until(() => order.length === 5);
		expect(order).toEqual(['X', 'a', 'Y', 'b', 'c']);
	});

	it('a retry goes before the later requests of its run', async () => {
		const run = new TestRun(new Account());
		run.ask(3, 'jobs');
		const [{ entry }] = run.starts as [Start];
		run.turn(entry);
		run.end('trouble');
		await settle();
		expect(run.starts[0]!.entry).toBe(entry);
	});

	it('a request that is refused twice with nothing accepted in between goes last', async () => {
		const run = new TestRun(new Account());
		run.ask(2, 'jobs');
		const { entry } = run.starts[0]!;
		for (let refusal = 0; refusal < 2; refusal++) {
			expect(run.starts[0]!.entry).toBe(entry);
			run.end('toldToWait');
			run.turn(entry);
			await until(() => run.starts.length === 1);
		}
		expect(run.starts[0]!.entry).not.toBe(entry);
	});

	it('a run that leaves ends its waits, also later ones, and takes no turn from another', async () => {
		const account = new Account();
		const [leaving, other] = [new TestRun(account), new TestRun(account)];
		leaving.ask(3, 'jobs');
		other.ask(1, 'jobs');
		account.leave(leaving, 'stopped');
		leaving.ask(1, 'jobs');
		leaving.end('answered');
		await settle();
		expect(leaving.left).toEqual(['stopped', 'stopped', 'stopped']);
		expect(other.starts).toHaveLength(1);
	});

	it('a run that leaves again at once leaves for the last reason', async () => {
		const run = new TestRun(new Account());
		run.ask(2, 'jobs');
		run.account.leave(run, 'refused key');
		run.account.leave(run, 'stopped');
		await settle();
		expect(run.left).toEqual(['stopped']);
	});

	it('a request that is refused at the last moment takes no turn, and others start after its run could leave', async () => {
		const account = new Account();
		const run = new TestRun(account);
		account.turn(
			run.enter('jobs'),
			() => {
				throw new Error('not this one');
			},
			(why) => {
				run.left.push(why);
				void Promise.resolve().then(() => account.leave(run, 'stopped'));
			},
		);
		run.ask(1, 'jobs');
		await settle();
		expect(run.left).toEqual([new Error('not this one'), 'stopped']);
		expect(run.starts).toEqual([]);
		const other = new TestRun(account);
		other.ask(1, 'jobs');
		await settle();
		expect(other.starts).toHaveLength(1);
	});

	it('the next request starts only after the run of the one before could leave', async () => {
		const run = new TestRun(new Account());
		run.ask(2, 'jobs');
		run.end('answered');
		void Promise.resolve().then(() => run.account.leave(run, 'stopped'));
		await settle();
		expect(run.starts).toEqual([]);
	});
});

describe('a refusal', () => {
	it.each([
		[5_000, 5_000],
		[TWO_MINUTES, TWO_MINUTES],
		// Half of a second is fixed, half random: here its middle.
		[0, 750],
		[undefined, 750],
	])('with Retry-After %p ms pauses all requests for %i ms', async (retryAfter, wait) => {
		const account = new Account();
		const [run, other] = [new TestRun(account), new TestRun(account)];
		run.ask(1);
		expect(run.end('toldToWait', retryAfter)).toBe(wait);
		other.ask(1);
		await advance(wait - 1);
		expect(other.starts).toHaveLength(0);
		await advance(1_001);
		expect(other.starts).toHaveLength(1);
	});

	it('without Retry-After pauses twice as long if nothing was accepted since the last one', async () => {
		const run = new TestRun(new Account());
		run.ask(1);
		const { entry } = run.starts[0]!;
		const waits: Array<number | undefined> = [];
		for (let refusal = 0; refusal < 3; refusal++) {
			await until(() => run.starts.length === 1);
			waits.push(run.end('toldToWait'));
			run.turn(entry);
		}
		expect(waits).toEqual([750, 1_500, 1_500]);
	});

	it('that asks for more than two minutes ends the request, and pauses the others briefly', () => {
		const run = new TestRun(new Account());
		run.ask(1);
		expect(run.end('toldToWait', TWO_MINUTES + 1)).toBeUndefined();
		expect(run.account.pauseLeft('others')).toBe(750);
	});

	/** Refuses a request again and again; `meanwhile` happens before each refusal. */
	async function refuseAgainAndAgain(meanwhile: (account: Account) => void) {
		const account = new Account();
		const run = new TestRun(account);
		const began = performance.now();
		run.ask(1);
		const { entry } = run.starts[0]!;
		for (let refusals = 1; ; refusals++) {
			await until(() => run.starts.length === 1);
			meanwhile(account);
			if (run.end('toldToWait') === undefined) {
				return { refusals, took: performance.now() - began, run };
			}
			run.turn(entry);
		}
	}

	it('ends a request when nothing was accepted for two minutes while it waited', async () => {
		const { took, run } = await refuseAgainAndAgain(() => {});
		expect(took).toBeGreaterThanOrEqual(TWO_MINUTES);
		expect(took).toBeLessThan(TWO_MINUTES + 2_500);
		run.ask(1);
		expect(run.left).toMatchObject([{ message: 'Not sent: the service keeps asking to wait' }]);
		// The other lane is not left.
		run.ask(1, 'jobs');
		expect(run.starts).toHaveLength(1);
	});

	it('ends a request that is refused ten times while others are accepted', async () => {
		const { refusals, run } = await refuseAgainAndAgain((shared) => {
			const other = new TestRun(shared);
			other.starts.push({ entry: other.enter(), at: performance.now() });
			other.end('answered');
		});
		expect(refusals).toBe(10);
		run.ask(1);
		expect(run.left).toEqual([]);
	});
});

describe('a lane', () => {
	it('that is told to wait holds up nothing in the other one', async () => {
		const account = new Account();
		const run = new TestRun(account);
		run.ask(1, 'jobs');
		await settle();
		run.end('toldToWait', 100_000);
		const others = new TestRun(account);
		others.ask(3, 'others');
		run.ask(1, 'jobs');
		await settle();
		expect([run.starts.length, others.starts.length]).toEqual([0, 3]);
		expect([account.pauseLeft('jobs'), account.pauseLeft('others')]).toEqual([100_000, 0]);
	});

	it('goes on within a second after the other one has met the end of trouble', async () => {
		const account = new Account();
		const [jobs, others] = [new TestRun(account), new TestRun(account)];
		others.ask(3, 'others');
		await settle();
		for (let request = 0; request < 3; request++) others.end('trouble');
		others.ask(1, 'others');
		await until(() => others.starts.length === 1);
		// The next one would wait for half a minute, unless this one is accepted.
		jobs.ask(1, 'jobs');
		await advance(5_000);
		expect(jobs.starts).toHaveLength(0);
		others.end('answered');
		await advance(1_000);
		expect(jobs.starts).toHaveLength(1);
	});
});

describe('trouble', () => {
	it('of three requests in a row pauses all, until one is accepted', async () => {
		const account = new Account();
		const [run, others] = [new TestRun(account), new TestRun(account)];
		run.ask(3);
		await settle();
		for (let request = 0; request < 3; request++) run.end('trouble');
		expect(account.troubleLeft).toBe(1_000);
		others.ask(5);
		await advance(999);
		expect(others.starts).toHaveLength(0);
		await advance(1);
		expect(others.starts).toHaveLength(1);
		await advance(10_000);
		expect(others.starts).toHaveLength(1);
		others.end('answered');
		await settle();
		expect(others.starts).toHaveLength(4);
	});

	it('that goes on for two minutes ends the runs that waited as long', async () => {
		const account = new Account();
		const [run, others] = [new TestRun(account), new TestRun(account)];
		run.ask(3);
		await settle();
		for (let request = 0; request < 3; request++) run.end('trouble');
		run.ask(100);
		while (run.left.length === 0) {
			await until(() => run.starts.length > 0 || run.left.length > 0);
			if (run.starts.length > 0) run.end('trouble');
		}
		expect(run.left.length + run.starts.length).toBeGreaterThan(90);
		expect(performance.now()).toBeGreaterThanOrEqual(TWO_MINUTES);
		expect(performance.now()).toBeLessThan(TWO_MINUTES + 31_000);
		others.ask(1);
		await until(() => others.starts.length === 1);
	});
});

it('an account is dropped ten minutes after its last request, and not before', async () => {
	const run = new TestRun(new Account());
	run.ask(1);
	await advance(600_001);
	expect(run.account.isIdle()).toBe(false);
	run.end('answered');
	await advance(600_000);
	expect(run.account.isIdle()).toBe(false);
	await advance(1);
	expect(run.account.isIdle()).toBe(true);
});
