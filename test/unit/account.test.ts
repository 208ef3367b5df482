import {
	Account,
	accountOf,
	type End,
	type Entry,
	type Kind,
	type Start,
	type AccountRun,
} from '../../nodes/shared/account/account';
import { Requester, Stopped } from '../../nodes/shared/account/requester';
import { pause } from '../../nodes/shared/time';
import type { Credential, RequestContext } from '../../nodes/shared/http/credential';
import { Failure, type Trouble } from '../../nodes/shared/http/failure';
import type { ServiceResponse } from '../../nodes/shared/http/response';
import { Refusal } from '../../nodes/shared/refusal';
import { SlidingWindow } from '../../sandbox/rateLimit';
import { advance, listenedTo, settle, until, useClock } from '../support/clock';

type Result = ServiceResponse | Failure | Refusal;

/** A service that answers as a test defines, in place of n8n's context. */
interface Service {
	answer: () => Promise<Result>;
}

jest.mock('../../nodes/shared/http/exchange', () => ({
	exchange: async (context: unknown) => await (context as Service).answer(),
}));

useClock();

const ACCEPTED: ServiceResponse = { statusCode: 200, headers: {}, body: {}, isJson: true };
const TEN_MINUTES = 600_000;

const UNREACHABLE = new Failure({
	kind: 'connection',
	code: 'ECONNREFUSED',
	what: 'notConnected',
});

const refused = (retryAfter?: number) =>
	new Failure({ kind: 'status', statusCode: 429, retryAfter });

let accounts = 0;

/** The credential of an account that nobody has used. */
function newCredential(): Credential {
	return { accountKey: JSON.stringify(['http://service', `key ${(accounts += 1)}`]) } as Credential;
}

/** A service that answers after this many milliseconds, and records when each request arrived. */
function serviceThat(answer: (count: number) => Result, latency = 100) {
	const arrivals: number[] = [];
	return {
		arrivals,
		answer: async () => {
			arrivals.push(performance.now());
			const result = answer(arrivals.length);
			await pause(latency);
			return result;
		},
	};
}

/** A service that accepts every request. */
function acceptingService() {
	return serviceThat(() => ACCEPTED);
}

/** Sends requests of a run, all at once; returns when each has ended, and its error if any. */
function send(run: Requester, service: Service, credential: Credential, count = 1) {
	const ends: Array<{ at: number; error?: unknown }> = [];
	const began = performance.now();
	for (let sent = 0; sent < count; sent++) {
		run
			.request(service as unknown as RequestContext, { url: '/', method: 'POST' }, credential)
			.then(
				() => ends.push({ at: performance.now() - began }),
				(error: unknown) => ends.push({ at: performance.now() - began, error }),
			);
	}
	return ends;
}

const newRun = (options: ConstructorParameters<typeof Requester>[0] = {}) =>
	new Requester({ automatic: 'others', ...options });

/** The turns of an account, whose requests a test ends by hand. */
function turnsOf(account: Account) {
	const order: AccountRun[] = [];
	const flying: Start[] = [];
	return {
		order,
		wait(run: AccountRun, count = 1, kind: Kind = 'others') {
			for (let asked = 0; asked < count; asked++) {
				account.turn(account.enter(run, kind), (start) => {
					if (!start) return;
					order.push(run);
					flying.push(start);
				});
			}
		},
		end(end: End = 'accepted', retryAfter?: number) {
			return account.ended(flying.shift()!, end, retryAfter);
		},
	};
}

const turns = (isUrgent = false): AccountRun => ({ isUrgent });

describe('a start', () => {
	/** When the first of two runs starts, or the second in its place if the first leaves. */
	async function secondStart(isFirstLeaving: boolean): Promise<number> {
		const began = performance.now();
		const account = new Account();
		const { wait, end, order } = turnsOf(account);
		const [first, second] = [turns(), turns()];
		wait(turns());
		await settle();
		end('refused', 1_000);
		wait(turns());
		await advance(1_000);
		wait(first);
		if (!isFirstLeaving) wait(second);
		await settle();
		if (isFirstLeaving) {
			account.leave(first);
			wait(second);
		}
		await until(() => order.includes(isFirstLeaving ? second : first));
		return performance.now() - began;
	}

	it('is taken only when it is granted: a run that leaves costs the others nothing', async () => {
		const alone = await secondStart(false);
		expect(await secondStart(true)).toBe(alone);
		// Otherwise no run would have waited.
		expect(alone).toBeGreaterThan(1_100);
	});

	it('waits for the longest pause that the service asked for', async () => {
		const account = new Account();
		const { wait, end } = turnsOf(account);
		wait(turns(), 2);
		await settle();
		end('refused', 60_000);
		end('refused', 1_000);
		expect(account.pauseLeft).toBeGreaterThanOrEqual(60_000);
	});

	it('is first for a request that was refused: jobs are created in the order of the items', async () => {
		const credential = newCredential();
		const run = newRun({ automatic: 'jobs' });
		const first = serviceThat((count) => (count === 1 ? refused(1_000) : ACCEPTED));
		const second = acceptingService();
		send(run, first, credential);
		send(run, second, credential);
		await advance(20_000);
		expect([first.arrivals.length, second.arrivals.length]).toEqual([2, 1]);
		expect(first.arrivals[1]).toBeLessThan(second.arrivals[0]!);
	});

	it('is held if the service asks another run for a pause at the same moment', async () => {
		const credential = newCredential();
		let answer: (result: Result) => void = () => {};
		const slow: Service = {
			answer: async () => await new Promise((resolve) => (answer = resolve)),
		};
		send(newRun(), slow, credential);
		await settle();
		const service = acceptingService();
		const ends = send(newRun(), service, credential);
		answer(refused(60_000));
		await settle();
		expect(service.arrivals).toEqual([]);
		await advance(70_000);
		expect(ends).toEqual([{ at: expect.any(Number) }]);
	});

	it('comes for each request that waits behind one that hangs', async () => {
		const { wait, order } = turnsOf(new Account());
		wait(turns(), 3, 'jobs');
		await advance(9_000);
		expect(order).toHaveLength(1);
		await advance(3_000);
		expect(order).toHaveLength(2);
		await advance(12_000);
		expect(order).toHaveLength(3);
	});

	it('is granted after another check: a second refusal makes a pause longer', async () => {
		const { wait, end, order } = turnsOf(new Account());
		wait(turns(), 2);
		await settle();
		end('refused', 1_000);
		wait(turns());
		await advance(900);
		end('refused', 5_000);
		await advance(4_900);
		expect(order).toHaveLength(2);
		await advance(1_000);
		expect(order).toHaveLength(3);
	});
});

it('a request of a burst that is refused after another was accepted waits for a whole pause', async () => {
	const { wait, end } = turnsOf(new Account());
	wait(turns(), 3);
	await settle();
	const first = end('refused');
	end('accepted');
	expect(end('refused')).toBeGreaterThanOrEqual(first!);
});

describe('a start that is not used', () => {
	/** How long 60 requests with this precondition take at a known rate of about 15 per second. */
	async function took(check: () => void): Promise<number> {
		const credential = newCredential();
		const service = serviceThat((count) =>
			count === 2 || count === 4 ? refused(1_000) : ACCEPTED,
		);
		const first = send(newRun(), service, credential, 1);
		await advance(200);
		const rest = send(newRun(), service, credential, 3);
		await advance(10_000);
		expect([...first, ...rest].map(({ error }) => error)).toEqual([
			undefined,
			undefined,
			undefined,
			undefined,
		]);
		const run = newRun();
		const began = performance.now();
		const ends = Array.from({ length: 60 }, () =>
			run
				.request(service as unknown as RequestContext, { url: '/' }, credential, check)
				.catch(() => {}),
		);
		await until(Promise.all(ends));
		return performance.now() - began;
	}

	it('costs the others no time', async () => {
		expect(
			await took(() => {
				throw new Refusal('Too few remain', '');
			}),
		).toBeLessThan(2_000);
		// Otherwise no rate would apply.
		expect(await took(() => {})).toBeGreaterThan(3_000);
	});

	it('does not raise the limit', async () => {
		const credential = newCredential();
		const service = acceptingService();
		const run = newRun();
		const refuse = () => {
			throw new Refusal('Too few remain', '');
		};
		for (let sent = 0; sent < 500; sent++) {
			run
				.request(service as unknown as RequestContext, { url: '/' }, credential, refuse)
				.catch(() => {});
			if (sent % 20 === 0) await advance(20);
		}
		send(newRun(), service, credential, 50);
		await settle();
		expect(service.arrivals).toHaveLength(5);
	});
});

describe('a run that is cancelled', () => {
	it('ends at once, sends nothing more, and leaves nothing behind', async () => {
		const credential = newCredential();
		const account = accountOf(credential);
		const service = serviceThat(() => refused(60_000));
		const run = newRun();
		const ends = send(run, service, credential, 20);
		await advance(200);
		expect(service.arrivals).toHaveLength(5);
		run.cancel();
		await settle();
		expect(ends).toHaveLength(20);
		for (const { at, error } of ends) expect([at, error]).toEqual([200, expect.any(Stopped)]);
		await advance(120_000);
		expect(service.arrivals).toHaveLength(5);
		expect(listenedTo()).toBe(0);
		await advance(TEN_MINUTES);
		expect(account.isIdle()).toBe(true);
	});

	it('ends at once between two attempts', async () => {
		const run = newRun();
		const service = serviceThat(() => UNREACHABLE);
		const ends = send(run, service, newCredential());
		await advance(200);
		run.cancel();
		await settle();
		expect(ends).toEqual([{ at: 200, error: expect.any(Stopped) }]);
		expect(service.arrivals).toHaveLength(1);
	});

	it('gives back a start that is granted at the same moment', async () => {
		const credential = newCredential();
		const service = acceptingService();
		const run = newRun();
		const ends = send(run, service, credential, 5);
		run.stop();
		await settle();
		expect(ends).toHaveLength(5);
		expect(service.arrivals).toEqual([]);
		const others = send(newRun(), service, credential, 5);
		await advance(100);
		expect(others).toHaveLength(5);
	});
});

describe('one run that ends', () => {
	/** When each request of a good run is answered, beside these other runs. */
	async function goodRun(others: (credential: Credential) => void): Promise<number[]> {
		const credential = newCredential();
		others(credential);
		const ends = send(newRun(), acceptingService(), credential, 3);
		await advance(1_000);
		expect(ends.filter(({ error }) => error !== undefined)).toEqual([]);
		return ends.map(({ at }) => at);
	}

	it.each<[string, (credential: Credential) => void]>([
		[
			'cancelled',
			(credential) => {
				const run = newRun();
				send(run, acceptingService(), credential);
				run.cancel();
			},
		],
		[
			'with a key that is refused',
			(credential) => {
				const wrongKey = new Failure({ kind: 'status', statusCode: 401 });
				send(
					newRun(),
					serviceThat(() => wrongKey),
					credential,
				);
			},
		],
		[
			'with an input that is invalid',
			(credential) => {
				send(
					newRun(),
					serviceThat(() => new Refusal('invalid', ''), 0),
					credential,
				);
			},
		],
		[
			'of another account on the same base URL, told to wait',
			() => {
				send(
					newRun(),
					serviceThat(() => refused(60_000)),
					newCredential(),
				);
			},
		],
	])('%s, changes nothing for another', async (_what, others) => {
		expect(await goodRun(others)).toEqual(await goodRun(() => {}));
	});

	it.each([
		['a failure', () => new Failure({ kind: 'status', statusCode: 402 })],
		['a refusal', () => new Refusal('invalid', '')],
	])('in %s, leaves its place in flight to others', async (_what, answer) => {
		const credential = newCredential();
		const ends = send(newRun(), serviceThat(answer), credential, 30);
		await advance(1_000);
		expect(ends).toHaveLength(30);
		const service = acceptingService();
		send(newRun(), service, credential, 5);
		await settle();
		expect(service.arrivals).toHaveLength(5);
	});
});

describe('the automatic limit', () => {
	/** How long 200 requests take that all end like this. */
	async function took(result: Result): Promise<number> {
		const service = serviceThat(() => result);
		const ends = send(newRun(), service, newCredential(), 200);
		await advance(TEN_MINUTES);
		return Math.max(...ends.map(({ at }) => at));
	}

	it('rises with the answers of the service, whatever they say', async () => {
		const accepted = await took(ACCEPTED);
		expect(accepted).toBeLessThan((200 / 5) * 100);
		expect(await took(new Failure({ kind: 'status', statusCode: 400 }))).toBe(accepted);
		expect(await took(new Failure({ kind: 'unsuccessful', statusCode: 200 }))).toBe(accepted);
	});

	it.each<Trouble>([
		{ kind: 'abandoned' },
		{ kind: 'connection', code: 'SsrfBlockedIpError', what: 'blocked' },
	])('is not changed by %j, which says nothing about the service', async (trouble) =>
		expect(await took(new Failure(trouble))).toBe((200 / 5) * 100),
	);

	it('is lowered by failures of the service', async () =>
		expect(await took(new Failure({ kind: 'status', statusCode: 500 }))).toBeGreaterThan(
			(200 / 5) * 100,
		));
});

it('a request of a run that limits itself takes no place of the others', async () => {
	const credential = newCredential();
	send(
		newRun(),
		serviceThat(() => ACCEPTED, 5_000),
		credential,
		5,
	);
	await settle();
	const service = acceptingService();
	const run = newRun({ automatic: undefined });
	const read = run.request(service as unknown as RequestContext, { url: '/' }, credential);
	await settle();
	expect(service.arrivals).toHaveLength(1);
	await advance(5_000);
	await read;
});

describe('runs take turns', () => {
	it('a single job waits for one request of a bulk run of 20,000, not for all', async () => {
		const { wait, end, order } = turnsOf(new Account());
		const [bulk, single] = [turns(), turns()];
		wait(bulk, 20_000);
		await settle();
		expect(order).toHaveLength(5);
		wait(single);
		for (let ended = 0; ended < 3; ended++) {
			end();
			await settle();
		}
		// The bulk run has its turn first, then the single one.
		expect(order.indexOf(single)).toBeLessThanOrEqual(6);
		expect(order.indexOf(single)).toBeGreaterThan(0);
	});

	it('200 waiting single jobs do not starve a bulk run', async () => {
		const { wait, end, order } = turnsOf(new Account());
		for (let single = 0; single < 205; single++) wait(turns());
		const bulk = turns();
		wait(bulk, 100);
		await settle();
		for (let ended = 0; ended < 600; ended++) {
			// A new one arrives for each that ends.
			wait(turns());
			end('accepted');
			await settle();
		}
		const places = order.flatMap((run, place) => (run === bulk ? [place] : []));
		expect(places.length).toBeGreaterThanOrEqual(2);
		expect(places[0]).toBeLessThanOrEqual(205);
		expect(places[1]! - places[0]!).toBeLessThanOrEqual(260);
	});

	it.each([
		['before', true],
		['after', false],
	])(
		'what a person waits for, %s the rest, goes first with every other start',
		async (_when, isFirst) => {
			const { wait, end, order } = turnsOf(new Account());
			const [bulk, dropdown, test] = [turns(), turns(true), turns(true)];
			wait(turns(), 5);
			await settle();
			const before = order.length;
			if (!isFirst) wait(bulk, 10);
			wait(dropdown, 2);
			wait(test, 2);
			if (isFirst) wait(bulk, 10);
			// After a response, one or two may start.
			while (order.length < before + 6) {
				end();
				await settle();
			}
			const isUrgent = order.slice(before, before + 6).map(({ isUrgent }) => isUrgent);
			expect(isUrgent).toEqual([true, false, true, false, true, false]);
		},
	);
});

describe('what a person waits for, beside a bulk run at a known rate', () => {
	const limits = [undefined, 'jobs', 'others'] as const;

	/** What the person sends, and how many requests of the bulk run have ended, at 5 per second. */
	async function beside(automatic: Entry['automatic']) {
		const window = new SlidingWindow(5);
		const service = serviceThat(() =>
			window.take(performance.now()) === 0 ? ACCEPTED : refused(1_000),
		);
		const credential = newCredential();
		const bulk = send(newRun(), service, credential, 500);
		await advance(20_000);
		const person = newRun({ isUrgent: true, automatic });
		return { bulk, call: (count: number) => send(person, service, credential, count) };
	}

	it.each(limits)('goes first each time (limit: %p)', async (automatic) => {
		const { call } = await beside(automatic);
		for (let calls = 0; calls < 5; calls++) {
			const ends = call(1);
			await advance(2_000);
			expect(ends).toHaveLength(1);
		}
	});

	it.each(limits)('has every other start (limit: %p)', async (automatic) => {
		const { bulk, call } = await beside(automatic);
		const before = bulk.length;
		const ends = call(100);
		await advance(20_000);
		expect(ends.length).toBeGreaterThan(30);
		expect(Math.abs(bulk.length - before - ends.length)).toBeLessThanOrEqual(5);
	});
});

describe('a person and a schedule that create jobs one at a time, beside adds', () => {
	/** Whether each job, in the order they start, is the person's, beside adds of one kind. */
	async function jobsBeside(isAddUrgent: boolean): Promise<boolean[]> {
		const { wait, end, order } = turnsOf(new Account());
		const [person, schedule, adds] = [turns(true), turns(false), turns(isAddUrgent)];
		wait(schedule, 1, 'jobs');
		await settle();
		wait(schedule, 4, 'jobs');
		wait(person, 4, 'jobs');
		for (let ended = 0; ended < 24; ended++) {
			wait(adds);
			await settle();
			end();
			await settle();
		}
		return order.filter((run) => run !== adds).map(({ isUrgent }) => isUrgent);
	}

	it.each([true, false])(
		'take turns, the person first (adds of a person: %p)',
		async (isUrgent) => {
			expect((await jobsBeside(isUrgent)).slice(0, 7)).toEqual([
				false,
				true,
				false,
				true,
				false,
				true,
				false,
			]);
		},
	);
});

describe('low limits', () => {
	it.each([
		[1, 1_000],
		[1, undefined],
		[2, 1_000],
		[2, undefined],
	])('%i per second is learned, Retry-After %p', async (perSecond, retryAfter) => {
		const window = new SlidingWindow(perSecond);
		let refusals = 0;
		const service = serviceThat(() => {
			if (window.take(performance.now()) === 0) return ACCEPTED;
			refusals += 1;
			return refused(retryAfter);
		});
		const count = 240 * perSecond;
		const ends = send(newRun(), service, newCredential(), count);
		await advance(240_000 * 1.25);
		expect(ends).toHaveLength(count);
		expect(ends.filter(({ error }) => error !== undefined)).toEqual([]);
		expect(refusals / service.arrivals.length).toBeLessThan(perSecond < 2 ? 0.08 : 0.05);
	});
});

describe('patience', () => {
	it('a request gives up after five pauses if nothing was ever accepted', async () => {
		const service = serviceThat(() => refused());
		const ends = send(newRun(), service, newCredential());
		await advance(20_000);
		expect(ends).toEqual([{ at: expect.any(Number), error: expect.any(Failure) }]);
		expect(service.arrivals).toHaveLength(5);
	});

	it('but not until two minutes after a request was accepted', async () => {
		const service = serviceThat((count) => (count === 1 ? ACCEPTED : refused()));
		const run = newRun({ automatic: 'jobs' });
		const ends = send(run, service, newCredential(), 2);
		await advance(119_000);
		expect(ends).toEqual([{ at: 100 }]);
		await advance(20_000);
		expect(ends).toEqual([{ at: 100 }, { at: expect.any(Number), error: expect.any(Failure) }]);
	});

	it.each([
		['nothing was ever accepted', false, 0, 3],
		['one was accepted before, and nobody used the account for minutes', true, 400_000, 6],
	])('a later run is as patient if %s', async (_what, isKnown, idle, refusals) => {
		const credential = newCredential();
		const before = serviceThat((count) => (isKnown && count === 1 ? ACCEPTED : refused()));
		send(newRun({ automatic: 'jobs' }), before, credential, 2);
		await advance(150_000 + idle);
		const service = serviceThat((count) => (count <= refusals ? refused() : ACCEPTED));
		const ends = send(newRun(), service, credential);
		await advance(60_000);
		expect(ends).toEqual([{ at: expect.any(Number) }]);
	});

	it.each([
		['a wait of an hour', refused(3_600_000), 300],
		['five pauses in vain', refused(1_000), 300],
	])(
		'after %s, the run sends nothing more, and another run tries again',
		async (_what, answer, count) => {
			const credential = newCredential();
			const service = serviceThat(() => answer);
			const ends = send(newRun(), service, credential, count);
			await advance(60_000);
			expect(ends).toHaveLength(count);
			expect(service.arrivals.length).toBeLessThanOrEqual(30);
			const unsent = ends.filter(({ error }) => error instanceof Refusal);
			expect(unsent.length).toBeGreaterThan(count - 30);
			for (const { error } of unsent) expect(String(error)).toContain('keeps asking to wait');

			const others = send(newRun(), acceptingService(), credential);
			await advance(20_000);
			expect(others).toEqual([{ at: expect.any(Number) }]);
		},
	);

	it.each([
		['its run gives up', Infinity, true],
		['a pause is longer than its run may take', 30_000, false],
	])(
		'a request that was tried before reports its failure if %s',
		async (_what, patience, isOwn) => {
			const credential = newCredential();
			const run = newRun({ patience });
			const tried = serviceThat(() => UNREACHABLE);
			const ends = send(run, tried, credential);
			await advance(150);
			const asked = refused(isOwn ? 3_600_000 : 60_000);
			send(
				isOwn ? run : newRun(),
				serviceThat(() => asked, 0),
				credential,
			);
			await advance(29_000);
			expect(ends).toEqual([{ at: expect.any(Number), error: UNREACHABLE }]);
			expect(tried.arrivals).toHaveLength(1);
		},
	);

	it('a request that is still waiting when its run may take no longer reports the pause', async () => {
		const credential = newCredential();
		const slow = serviceThat(() => refused(60_000), 5_000);
		send(newRun(), slow, credential, 5);
		await settle();
		const service = acceptingService();
		const ends = send(newRun({ patience: 20_000 }), service, credential);
		await advance(20_000);
		const trouble = { statusCode: 429, retryAfter: 45_000 };
		expect(ends).toMatchObject([{ at: 20_000, error: { trouble } }]);
		expect(service.arrivals).toEqual([]);
	});

	it('a request gives up if it is the only one refused, and ends only its own run', async () => {
		const credential = newCredential();
		const unlucky = serviceThat(() => refused(1_000));
		const end = send(newRun({ automatic: 'jobs' }), unlucky, credential);
		const others = send(newRun(), acceptingService(), credential, 400);
		await advance(TEN_MINUTES);
		expect(end).toEqual([{ at: expect.any(Number), error: expect.any(Failure) }]);
		expect(unlucky.arrivals.length).toBeGreaterThanOrEqual(10);
		expect(unlucky.arrivals.length).toBeLessThanOrEqual(12);
		expect(others.filter(({ error }) => error === undefined)).toHaveLength(400);
	});

	it.each([undefined, 1_000])(
		'a request that is always refused fails alone (Retry-After %p)',
		async (retryAfter) => {
			const credential = newCredential();
			const run = newRun();
			const unlucky = serviceThat(() => refused(retryAfter));
			const end = send(run, unlucky, credential);
			const others = send(run, acceptingService(), credential, 400);
			await advance(TEN_MINUTES);
			expect(end).toEqual([{ at: expect.any(Number), error: expect.any(Failure) }]);
			expect(others.filter(({ error }) => error === undefined)).toHaveLength(400);
		},
	);

	it('a request that is always refused does not keep a run back whose requests start one by one', async () => {
		const credential = newCredential();
		const run = newRun({ automatic: 'jobs' });
		const unlucky = serviceThat(() => refused(1_000));
		const end = send(run, unlucky, credential);
		const others = send(run, acceptingService(), credential, 20);
		await advance(60_000);
		expect(others).toHaveLength(20);
		await advance(TEN_MINUTES);
		expect(end).toEqual([{ at: expect.any(Number), error: expect.any(Failure) }]);
		expect(others.filter(({ error }) => error === undefined)).toHaveLength(20);
	});

	it('a request waits for a service that asks for a minute three times', async () => {
		const ends = send(
			newRun(),
			serviceThat((count) => (count <= 3 ? refused(60_000) : ACCEPTED)),
			newCredential(),
		);
		await advance(200_000);
		expect(ends).toEqual([{ at: expect.any(Number) }]);
	});

	it.each([
		['two minutes', 12_000, 190_000],
		['five pauses', 40_000, 300_000],
	])('each accepted request restarts the %s', async (_what, asked, end) => {
		const credential = newCredential();
		// Without it, the service is unknown, and five pauses are enough to give up.
		send(newRun(), acceptingService(), credential);
		await advance(200);
		const began = performance.now();
		const isOver = (milliseconds: number) => performance.now() - began >= milliseconds;
		const patient = serviceThat(() => (isOver(end) ? ACCEPTED : refused(asked)));
		const lucky = serviceThat(() => (isOver(95_000) ? ACCEPTED : refused(asked)));
		const waiting = send(newRun(), patient, credential);
		const other = send(newRun(), lucky, credential);
		await advance(TEN_MINUTES);
		expect(other).toEqual([{ at: expect.any(Number) }]);
		expect(other[0]!.at).toBeLessThan(end - 60_000);
		expect(waiting).toEqual([{ at: expect.any(Number) }]);
	});
});

describe('what is left', () => {
	it.each([Infinity, TEN_MINUTES])('no wait, once a run has ended (%p)', async (patience) => {
		const service = serviceThat((count) => (count % 7 === 0 ? refused(1_000) : ACCEPTED));
		const ends = send(newRun({ patience }), service, newCredential(), 50);
		await advance(120_000);
		expect(ends).toHaveLength(50);
		expect(listenedTo()).toBe(0);
	});

	it('what was learned is kept for ten minutes without a run', async () => {
		const credential = newCredential();
		const account = accountOf(credential);
		await advance(TEN_MINUTES);
		expect(accountOf(credential)).toBe(account);
		await advance(1);
		expect(accountOf(newCredential())).not.toBe(account);
		expect(accountOf(credential)).not.toBe(account);
	});

	it('an account is kept while one of its requests waits or is in flight', async () => {
		const credential = newCredential();
		const account = accountOf(credential);
		const { wait, end } = turnsOf(account);
		wait(turns());
		await advance(2 * TEN_MINUTES);
		expect(accountOf(credential)).toBe(account);
		end();
		await advance(TEN_MINUTES);
		expect(accountOf(credential)).toBe(account);
		await advance(1);
		expect(accountOf(credential)).not.toBe(account);
	});
});
