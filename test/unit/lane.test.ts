import { lanesOf } from '../../nodes/shared/pacing/accountLanes';
import { Lane, type End } from '../../nodes/shared/pacing/lane';
import { RunInLanes, type SendingOptions } from '../../nodes/shared/pacing/runInLanes';
import { requestFailure } from '../../nodes/shared/errors/requestFailure';
import type { Health } from '../../nodes/shared/errors/outcomes';
import type { Credential } from '../../nodes/shared/service/credential';
import { after, nextLoop, now } from '../../nodes/shared/time/clock';
import { advance, settle, until, useClock } from '../support/clock';

useClock();

const TWO_MINUTES = 120_000;
const STOPPED = new Error('stopped');

type Entry = ReturnType<Lane['enter']>;

/** A run, or with `isUrgent` one that a person waits for. */
class TestRun extends RunInLanes {
	/** The requests that have started and not ended, in order. */
	readonly starts: Entry[] = [];
	/** Ends a request in flight, and returns how long it waits before its next turn. */
	private readonly ends = new Map<Entry, (end: End) => Promise<number | undefined>>();
	/** Why turns ended without a start. */
	readonly left: unknown[] = [];
	private keepsToAutomatic = false;

	constructor(
		readonly lane: Lane,
		isUrgent = false,
		sending: SendingOptions = {},
	) {
		super(isUrgent, sending);
	}

	override get isAutomatic(): boolean {
		return this.keepsToAutomatic;
	}

	/** @param limit the automatic one, if the run keeps to that */
	enter(limit?: 'automatic'): Entry {
		this.keepsToAutomatic = limit === 'automatic';
		return this.lane.enter(this);
	}

	turn(entry: Entry): void {
		const sent = this.lane.send(entry, async () => {
			this.starts.push(entry);
			return await new Promise<End>((resolve) =>
				this.ends.set(entry, async (end) => {
					resolve(end);
					return (await sent).pause;
				}),
			);
		});
		sent.catch((why: unknown) => this.left.push(why));
	}

	/** Asks for a turn for each of several new requests. */
	ask(requests: number, limit?: 'automatic'): void {
		for (let request = 0; request < requests; request++) this.turn(this.enter(limit));
	}

	/** Ends the request that started first of those in flight. @returns how long it waits before its next turn */
	async end(health: Health, retryAfter?: number): Promise<number | undefined> {
		await begun();
		const end = this.ends.get(this.starts.shift()!)!;
		const reason = health === 'throttled' ? 'tooManyRequests' : 'serverError';
		const failure =
			health === 'answered' ? undefined : requestFailure(reason, 'POST', { retryAfter });
		return await end({ health, failure });
	}
}

/** Until what the lane has let start has begun, in the same turn of the event loop. */
async function begun(): Promise<void> {
	for (let microtask = 0; microtask < 5; microtask++) await Promise.resolve();
}

/** Lets the service refuse a request once, so that the lane has a rate: one per second. */
async function learnOnePerSecond(lane: Lane): Promise<void> {
	const run = new TestRun(lane);
	const entry = run.enter();
	run.turn(entry);
	await run.end('throttled');
	run.turn(entry);
	await until(() => run.starts.length === 1);
	await run.end('answered');
}

describe('how many requests are in flight', () => {
	it('stays while fewer requests come than it allows', async () => {
		const run = new TestRun(new Lane('others'));
		for (let time = 0; time < 3; time++) {
			run.ask(9, 'automatic');
			await advance(200);
			while (run.starts.length > 0) await run.end('answered');
			await settle();
		}
		run.ask(50, 'automatic');
		await settle();
		expect(run.starts).toHaveLength(10);
	});

	it('starts one request per turn of the event loop', async () => {
		const run = new TestRun(new Lane('others'));
		run.ask(20);
		await begun();
		expect(run.starts).toHaveLength(1);
		await settle();
		expect(run.starts).toHaveLength(20);
	});
});

describe('whose turn it is', () => {
	it('runs take turns, one request each, in the order they came', async () => {
		const lane = new Lane('jobs');
		const hold = new TestRun(lane);
		hold.ask(1, 'automatic');
		const order: string[] = [];
		for (const name of ['a', 'b', 'c']) {
			const run = new TestRun(lane);
			for (let request = 0; request < 2; request++) {
				const entry = run.enter('automatic');
				void lane.send(entry, async () => {
					order.push(name);
					await new Promise((resolve) => setTimeout(resolve, 1));
					return { health: 'answered' };
				});
			}
		}
		await hold.end('answered');
		await until(() => order.length === 6);
		expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
	});

	it('requests that a person waits for take every other turn', async () => {
		const lane = new Lane('others');
		await learnOnePerSecond(lane);
		const order: string[] = [];
		const start = (name: string, isUrgent: boolean) => {
			const run = new TestRun(lane, isUrgent);
			void lane.send(run.enter(), async () => {
				order.push(name);
				return await new Promise<End>(() => {});
			});
		};
		for (const name of ['a', 'b', 'c']) start(name, false);
		for (const name of ['X', 'Y']) start(name, true);
		await until(() => order.length === 5);
		expect(order).toEqual(['X', 'a', 'Y', 'b', 'c']);
	});

	it('a retry goes before the later requests of its run', async () => {
		const run = new TestRun(new Lane('jobs'));
		run.ask(3, 'automatic');
		await begun();
		const [entry] = run.starts as [Entry];
		run.turn(entry);
		await run.end('trouble');
		await settle();
		expect(run.starts[0]).toBe(entry);
	});

	it('retries keep their order among themselves', async () => {
		const run = new TestRun(new Lane('others'), false, { concurrency: 3 });
		run.ask(4);
		await settle();
		const retries = [...run.starts];
		for (const entry of retries) {
			await run.end('throttled');
			run.turn(entry);
		}
		await until(() => run.starts.length === 3);
		expect(run.starts.map((entry) => retries.indexOf(entry))).toEqual([0, 1, 2]);
	});

	it('a request that is refused twice with nothing accepted in between goes last', async () => {
		const run = new TestRun(new Lane('jobs'));
		run.ask(2, 'automatic');
		await begun();
		const entry = run.starts[0]!;
		for (let refusal = 0; refusal < 2; refusal++) {
			expect(run.starts[0]).toBe(entry);
			await run.end('throttled');
			run.turn(entry);
			await until(() => run.starts.length === 1);
		}
		expect(run.starts[0]).not.toBe(entry);
	});

	it('a run that leaves ends its waits and its later ones, and takes no turn of another run', async () => {
		const lane = new Lane('jobs');
		const [leaving, other] = [new TestRun(lane), new TestRun(lane)];
		leaving.ask(3, 'automatic');
		other.ask(1, 'automatic');
		lane.turnAway(leaving, STOPPED);
		leaving.ask(1, 'automatic');
		await leaving.end('answered');
		await settle();
		expect(leaving.left).toEqual([STOPPED, STOPPED, STOPPED]);
		expect(other.starts).toHaveLength(1);
	});

	it('a run that has stopped keeps that reason', async () => {
		const lane = new Lane('jobs');
		const run = new TestRun(lane);
		run.ask(2, 'automatic');
		lane.turnAway(run, STOPPED);
		expect(await run.end('throttled', TWO_MINUTES + 1)).toBeUndefined();
		await settle();
		expect(run.left).toEqual([STOPPED]);
	});

	it('a run can leave after a request before the next one starts', async () => {
		const run = new TestRun(new Lane('jobs'));
		run.ask(2, 'automatic');
		await run.end('answered');
		void Promise.resolve().then(() => run.lane.turnAway(run, STOPPED));
		await settle();
		expect(run.starts).toEqual([]);
	});
});

describe('a refusal', () => {
	it('that asks for more than two minutes ends its run, and pauses the others briefly', async () => {
		const lane = new Lane('others');
		const [run, other] = [new TestRun(lane), new TestRun(lane)];
		run.ask(1);
		expect(await run.end('throttled', TWO_MINUTES + 1)).toBeUndefined();
		// Nothing of the run waits, but its later requests are not sent either.
		run.ask(1);
		await settle();
		expect(run.left).toMatchObject([
			{
				message: 'Not sent: the service is receiving too many requests',
				description: expect.stringContaining('It said to wait 121 s.'),
			},
		]);
		other.ask(1);
		await advance(749);
		expect(other.starts).toHaveLength(0);
		await advance(1_001);
		expect(other.starts).toHaveLength(1);
	});

	it('ends no request if the service accepted another one in those two minutes', async () => {
		const lane = new Lane('others');
		const [run, other] = [new TestRun(lane), new TestRun(lane)];
		run.ask(1);
		await begun();
		const entry = run.starts[0]!;
		expect(await run.end('throttled', TWO_MINUTES)).toBe(TWO_MINUTES);
		other.ask(1);
		await until(() => other.starts.length === 1);
		await other.end('answered');
		run.turn(entry);
		await until(() => run.starts.length === 1);
		expect(await run.end('throttled')).toBe(750);
	});

	it('ends a request that is refused ten times while others are accepted', async () => {
		const lane = new Lane('others');
		const [run, other] = [new TestRun(lane), new TestRun(lane)];
		run.ask(1);
		await begun();
		const entry = run.starts[0]!;
		for (let refusals = 1; refusals < 10; refusals++) {
			expect(await run.end('throttled')).toBeGreaterThan(0);
			run.turn(entry);
			other.ask(1);
			await until(() => run.starts.length + other.starts.length === 2);
			await other.end('answered');
		}
		expect(await run.end('throttled')).toBeUndefined();
		run.ask(1);
		await settle();
		expect(run.left).toEqual([]);
	});
});

it('does not pause again because of a request from before the pause', async () => {
	const run = new TestRun(new Lane('others'));
	run.ask(4);
	await settle();
	for (let request = 0; request < 3; request++) await run.end('trouble');
	await advance(1_001);
	await run.end('trouble');
	run.ask(1);
	await settle();
	expect(run.starts).toHaveLength(1);
});

it('a paused lane has one timer, however many requests wait', async () => {
	let timers = 0;
	const count = (...timer: Parameters<typeof after>) => {
		timers += 1;
		return after(...timer);
	};
	const lane = new Lane('others', { now, after: count, nextLoop });
	const run = new TestRun(lane);
	run.ask(1);
	await run.end('throttled', 10_000);
	await settle();
	run.ask(1_000);
	expect(timers).toBeLessThan(5);
});

it('repeats what the service last said, after two requests that hung', async () => {
	const run = new TestRun(new Lane('others'), false, { concurrency: 1 });
	run.ask(3);
	await settle();
	await run.end('throttled');
	await until(() => run.starts.length === 1);
	await advance(TWO_MINUTES);
	await run.end('trouble');
	await until(() => run.left.length > 0);
	expect(run.left).toMatchObject([
		{ message: expect.stringMatching(/^Not sent: the service could not process the request/) },
	]);
});

it('a request whose exchange throws leaves its place to the next one', async () => {
	const run = new TestRun(new Lane('jobs'), false, { concurrency: 1 });
	const broken = run.lane.send(run.enter('automatic'), async () => {
		throw new Error('broken');
	});
	await expect(broken).rejects.toThrow('broken');
	run.ask(1, 'automatic');
	await settle();
	expect(run.starts).toHaveLength(1);
	await run.end('answered');
	await advance(1_000);
	expect(run.lane.idleTime).toBe(1_000);
});

it('a lane is idle from the end of its last request on, and not while one waits', async () => {
	const run = new TestRun(new Lane('jobs'));
	run.ask(2, 'automatic');
	await advance(1_000);
	expect(run.lane.idleTime).toBe(0);
	await run.end('answered');
	await advance(1_000);
	expect(run.lane.idleTime).toBe(0);
	await run.end('answered');
	await advance(1_000);
	expect(run.lane.idleTime).toBe(1_000);
});

it('an account is dropped ten minutes after the last request of any lane, and not before', async () => {
	const credential = { idInMemory: 'lane.test.ts' } as Credential;
	const account = lanesOf(credential);
	await advance(300_000);
	const run = new TestRun(account.jobs);
	run.ask(1);
	await advance(600_001);
	expect(lanesOf(credential)).toBe(account);
	await run.end('answered');
	await advance(600_000);
	expect(lanesOf(credential)).toBe(account);
	await advance(1);
	expect(lanesOf(credential)).not.toBe(account);
});
