import {
	Account,
	type AccountRun,
	type Entry,
	type Start,
} from '../../nodes/shared/account/account';
import type { End } from '../../nodes/shared/account/end';
import { advance, until, useClock } from '../support/clock';

useClock();

const TWO_MINUTES = 120_000;

/** A run, or with `isUrgent` one that a person waits for. */
class TestRun implements AccountRun {
	/** The starts it got, in order. */
	readonly starts: Start[] = [];
	/** How many of its turns ended without a start. */
	left = 0;

	constructor(
		readonly account: Account,
		readonly isUrgent = false,
	) {}

	enter(automatic?: Entry['automatic']): Entry {
		return this.account.enter(this, automatic);
	}

	turn(entry: Entry): void {
		this.account.turn(entry, (start) => {
			if (start) this.starts.push(start);
			else this.left += 1;
		});
	}

	/** Asks for a turn for each of several new requests. */
	ask(requests: number, automatic?: Entry['automatic']): void {
		for (let request = 0; request < requests; request++) this.turn(this.enter(automatic));
	}

	/** Ends the request that started first of those in flight. */
	end(end: End, retryAfter?: number): number | undefined {
		return this.account.ended(this.starts.shift()!, end, retryAfter);
	}
}

/** Lets the service refuse a request once, so that the account has a rate: one per second. */
async function learnOnePerSecond(account: Account): Promise<void> {
	const run = new TestRun(account);
	const entry = run.enter();
	run.turn(entry);
	run.end('refused');
	run.turn(entry);
	await until(() => run.starts.length === 1);
	run.end('accepted');
}

describe('how many requests are in flight', () => {
	it.each([
		['jobs', 1],
		['others', 10],
	] as const)('%s begin with %i, shared by all runs', (automatic, start) => {
		const account = new Account();
		const runs = [new TestRun(account), new TestRun(account)];
		for (const run of runs) run.ask(20, automatic);
		expect(runs[0]!.starts.length + runs[1]!.starts.length).toBe(start);
		runs[0]!.end('accepted');
		expect(runs[0]!.starts.length + runs[1]!.starts.length).toBe(start);
	});

	it('is not limited for a run with "Concurrency", which limits itself', () => {
		const run = new TestRun(new Account());
		run.ask(20);
		expect(run.starts).toHaveLength(20);
	});

	it('lets jobs start beside other requests that use up their own limit', () => {
		const account = new Account();
		const [adds, jobs] = [new TestRun(account), new TestRun(account)];
		adds.ask(20, 'others');
		jobs.ask(1, 'jobs');
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
	it('runs take turns, one request each, in the order they came', () => {
		const account = new Account();
		const hold = new TestRun(account);
		hold.ask(1, 'jobs');
		const order: string[] = [];
		for (const name of ['a', 'b', 'c']) {
			const run = new TestRun(account);
			for (let request = 0; request < 2; request++) {
				account.turn(run.enter('jobs'), (start) => {
					order.push(name);
					setTimeout(() => account.ended(start!, 'accepted'), 1);
				});
			}
		}
		hold.end('accepted');
		return until(() => order.length === 6).then(() =>
			expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c']),
		);
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
			account.turn(run.enter(), () => order.push(name));
		};
		for (const name of ['a', 'b', 'c']) start(name, false);
		for (const name of ['X', 'Y']) start(name, true);
		await until(() => order.length === 5);
		expect(order).toEqual(['X', 'a', 'Y', 'b', 'c']);
	});

	it('a retry goes before the later requests of its run', () => {
		const run = new TestRun(new Account());
		run.ask(3, 'jobs');
		const [{ entry }] = run.starts as [Start];
		run.turn(entry);
		run.end('trouble');
		expect(run.starts[0]!.entry).toBe(entry);
	});

	it('a request that is refused twice with nothing accepted in between goes last', async () => {
		const run = new TestRun(new Account());
		run.ask(2, 'jobs');
		const { entry } = run.starts[0]!;
		for (let refusal = 0; refusal < 2; refusal++) {
			expect(run.starts[0]!.entry).toBe(entry);
			run.end('refused');
			run.turn(entry);
			await until(() => run.starts.length === 1);
		}
		expect(run.starts[0]!.entry).not.toBe(entry);
	});

	it('a run that leaves ends its waits, and takes no turn from another', () => {
		const account = new Account();
		const [leaving, other] = [new TestRun(account), new TestRun(account)];
		leaving.ask(3, 'jobs');
		other.ask(1, 'jobs');
		account.leave(leaving);
		expect(leaving.left).toBe(2);
		leaving.end('accepted');
		expect(other.starts).toHaveLength(1);
	});

	it('a start that is not used goes to the next request', async () => {
		const account = new Account();
		await learnOnePerSecond(account);
		const run = new TestRun(account);
		run.ask(2);
		await until(() => run.starts.length === 1);
		account.giveBack(run.starts[0]!);
		await advance(20);
		expect(run.starts).toHaveLength(2);
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
		expect(run.end('refused', retryAfter)).toBe(wait);
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
			waits.push(run.end('refused'));
			run.turn(entry);
		}
		expect(waits).toEqual([750, 1_500, 1_500]);
	});

	it('that asks for more than two minutes ends the request, and pauses the others briefly', () => {
		const run = new TestRun(new Account());
		run.ask(1);
		expect(run.end('refused', TWO_MINUTES + 1)).toBeUndefined();
		expect(run.account.pauseLeft).toBe(750);
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
			if (run.end('refused') === undefined) {
				return { refusals, took: performance.now() - began, entry, account };
			}
			run.turn(entry);
		}
	}

	it('ends a request when nothing was accepted for two minutes while it waited', async () => {
		const { took, entry, account } = await refuseAgainAndAgain(() => {});
		expect(took).toBeGreaterThanOrEqual(TWO_MINUTES);
		expect(took).toBeLessThan(TWO_MINUTES + 2_500);
		expect(account.refusesOnly(entry)).toBe(false);
	});

	it('ends a request that is refused ten times while others are accepted', async () => {
		const { refusals, entry, account } = await refuseAgainAndAgain((shared) => {
			const other = new TestRun(shared);
			other.starts.push({ entry: other.enter(), at: performance.now() });
			other.end('accepted');
		});
		expect(refusals).toBe(10);
		expect(account.refusesOnly(entry)).toBe(true);
	});
});

describe('trouble', () => {
	it('of three requests in a row pauses all, until one is accepted', async () => {
		const account = new Account();
		const [run, others] = [new TestRun(account), new TestRun(account)];
		run.ask(3);
		for (let request = 0; request < 3; request++) run.end('trouble');
		expect(account.troubleLeft).toBe(1_000);
		others.ask(5);
		await advance(999);
		expect(others.starts).toHaveLength(0);
		await advance(1);
		expect(others.starts).toHaveLength(1);
		await advance(10_000);
		expect(others.starts).toHaveLength(1);
		others.end('accepted');
		expect(others.starts).toHaveLength(4);
	});
});

it('an account is dropped ten minutes after its last request, and not before', async () => {
	const run = new TestRun(new Account());
	run.ask(1);
	await advance(600_001);
	expect(run.account.isIdle()).toBe(false);
	run.end('accepted');
	await advance(600_000);
	expect(run.account.isIdle()).toBe(false);
	await advance(1);
	expect(run.account.isIdle()).toBe(true);
});
