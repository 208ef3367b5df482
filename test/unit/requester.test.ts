import { Requester, Stopped } from '../../nodes/shared/pacing/requester';
import { Failure, Refusal } from '../../nodes/shared/errors/failure';
import type { Credential, RequestContext } from '../../nodes/shared/service/credential';
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
	respond(new Failure('refusedKey'));
	const run = new Requester();
	await expect(until(send(run, { lane: 'jobs' }))).rejects.toMatchObject({ reason: 'refusedKey' });
	for (const lane of ['jobs', 'others'] as const) {
		await expect(until(send(run, { lane }))).rejects.toThrow('Not sent: the service refused');
	}
	expect(exchange).toHaveBeenCalledTimes(1);
});

it('a refused key does not replace that the run has stopped', async () => {
	const run = new Requester({ limits: { concurrency: 1 } });
	exchange.mockImplementationOnce(async () => {
		run.stop();
		return new Failure('refusedKey');
	});
	const [first, second] = [send(run), send(run)];
	await expect(until(first)).rejects.toMatchObject({ reason: 'refusedKey' });
	await expect(until(second)).rejects.toThrow(Stopped);
});

describe('a request that fails', () => {
	it('says why, if the rest of its run is not sent while it waits for another turn', async () => {
		const run = new Requester();
		respond(new Failure('serverError'));
		const failing = send(run, { method: 'GET' });
		failing.catch(() => {});
		await settle();
		respond(new Failure('refusedKey'));
		await expect(until(send(run))).rejects.toMatchObject({ reason: 'refusedKey' });
		await expect(until(failing)).rejects.toMatchObject({ reason: 'serverError' });
	});
});

describe('a run that stops', () => {
	it('sends nothing more, and ends the waits of its retries at once', async () => {
		const run = new Requester();
		respond(new Failure('serverError'));
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
		['that n8n refused to send says nothing about the service', new Refusal('No', 'Do.'), 1_000],
		['that was answered says that the service answers', ACCEPTED, 0],
	])('%s', async (_what, result, pause) => {
		const run = new Requester({ limits: { concurrency: 1 } });
		const failed = new Failure('serverError');
		respond(failed, failed, result, failed);
		for (let request = 0; request < 4; request++) await until(send(run).catch(() => {}));
		await until(send(run));
		expect(performance.now()).toBe(pause);
	});

	it('says nothing about the service if its run had less than ten seconds left', async () => {
		const run = new Requester({ patience: 9_000 });
		const timedOut = new Failure('timedOut');
		respond(timedOut, timedOut, timedOut);
		for (let request = 0; request < 3; request++) await until(send(run).catch(() => {}));
		await until(send(run));
		expect(performance.now()).toBe(0);
	});
});
