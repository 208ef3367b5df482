import { Requester, Stopped } from '../../nodes/shared/pacing/requester';
import { Failure } from '../../nodes/shared/errors/failure';
import { requestFailure } from '../../nodes/shared/errors/requestFailure';
import type { Credential, RequestContext } from '../../nodes/shared/service/credential';
import { wait } from '../../nodes/shared/time/clock';
import type { OnceEvent } from '../../nodes/shared/time/onceEvent';
import { settle, until, useClock } from '../support/clock';

const exchange = jest.fn();
jest.mock('../../nodes/shared/service/exchange', () => ({
	exchange: (...request: unknown[]) => exchange(...request) as unknown,
}));

useClock();

const ACCEPTED = { statusCode: 200, body: {}, isJson: true };

let credential: Credential;
let accounts = 0;

beforeEach(() => {
	// A new account, so that nothing learned in another test applies.
	accounts += 1;
	credential = { idInMemory: `requester.test.ts ${accounts}` } as Credential;
	exchange.mockReset().mockResolvedValue(ACCEPTED);
});

interface Sent {
	method?: 'GET' | 'POST';
	lane?: 'jobs' | 'others';
	timeout?: number;
}

const send = async (run: Requester, { method = 'POST', timeout, lane }: Sent = {}) =>
	await run.request({} as RequestContext, { url: '/', method, timeout }, credential, lane);

/** The first responses; the others are accepted. */
const respond = (...results: unknown[]) => {
	for (const result of results) exchange.mockResolvedValueOnce(result);
};

it('a refused key ends the rest of a run in both lanes', async () => {
	respond(requestFailure('refusedKey', 'GET'));
	const run = new Requester();
	await expect(until(send(run, { lane: 'jobs' }))).rejects.toMatchObject({
		facts: { reason: 'refusedKey' },
	});
	for (const lane of ['jobs', 'others'] as const) {
		await expect(until(send(run, { lane }))).rejects.toThrow('Not sent: the service refused');
	}
	expect(exchange).toHaveBeenCalledTimes(1);
});

it('a refused key does not replace that the run has stopped', async () => {
	const run = new Requester(false, undefined, { concurrency: 1 });
	exchange.mockImplementationOnce(async () => {
		run.stop();
		return requestFailure('refusedKey', 'GET');
	});
	const [first, second] = [send(run), send(run)];
	await expect(until(first)).rejects.toMatchObject({ facts: { reason: 'refusedKey' } });
	await expect(until(second)).rejects.toThrow(Stopped);
});

describe('a request that fails', () => {
	it('says why, if the rest of its run is not sent while it waits for another turn', async () => {
		const run = new Requester();
		respond(requestFailure('serverError', 'GET'));
		const failing = send(run, { method: 'GET' });
		failing.catch(() => {});
		await settle();
		respond(requestFailure('refusedKey', 'GET'));
		await expect(until(send(run))).rejects.toMatchObject({ facts: { reason: 'refusedKey' } });
		await expect(until(failing)).rejects.toMatchObject({ facts: { reason: 'serverError' } });
	});
});

describe('a run that stops', () => {
	it('sends nothing more, and ends the waits of its retries at once', async () => {
		const run = new Requester();
		respond(requestFailure('serverError', 'GET'));
		const failing = send(run, { method: 'GET' });
		await settle();
		run.stop();
		await expect(until(failing)).rejects.toThrow(Stopped);
		for (const lane of ['jobs', 'others'] as const) {
			await expect(until(send(run, { lane }))).rejects.toThrow(Stopped);
		}
		expect(performance.now()).toBe(0);
		expect(exchange).toHaveBeenCalledTimes(1);
	});
});

describe('a request of a run with a limit', () => {
	it.each<[string, unknown, number]>([
		['that n8n refused to send says nothing about the service', new Failure('No', 'Do.'), 1_000],
		['that was answered says that the service answers', ACCEPTED, 0],
	])('%s', async (_what, result, pause) => {
		const run = new Requester(false, undefined, { concurrency: 1 });
		const failed = requestFailure('serverError', 'GET');
		respond(failed, failed, result, failed);
		for (let request = 0; request < 4; request++) await until(send(run).catch(() => {}));
		await until(send(run));
		expect(performance.now()).toBe(pause);
	});
});

describe('a run whose time is over', () => {
	const TIME = 30_000;
	const TOO_LATE = 'Not sent, or not answered in time';
	/** Ends a request after this time, or when it is aborted. */
	const respondAfter = (milliseconds: number, result: unknown) =>
		exchange.mockImplementationOnce(
			async (...[, , , abandon]: [unknown, unknown, unknown, OnceEvent]) => {
				await wait(milliseconds, abandon);
				return abandon.hasHappened ? requestFailure('abandoned', 'GET') : result;
			},
		);

	it('says nothing of a failure that passed', async () => {
		const run = new Requester(false, TIME);
		respond(requestFailure('serverError', 'GET'), ACCEPTED);
		await until(send(run, { method: 'GET' }));
		respondAfter(40_000, ACCEPTED);
		await expect(until(send(run, { method: 'GET' }))).rejects.toMatchObject({
			message: TOO_LATE,
			description: expect.stringMatching(/^The service, or other requests of the account, took/),
		});
	});
});
