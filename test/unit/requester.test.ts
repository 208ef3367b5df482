import { Requester } from '../../nodes/shared/account/requester';
import { Failure } from '../../nodes/shared/errors/failure';
import type { Credential, RequestContext } from '../../nodes/shared/http/credential';
import { until, useClock } from '../support/clock';

const exchange = jest.fn();
jest.mock('../../nodes/shared/http/exchange', () => ({
	exchange: (...request: unknown[]) => exchange(...request) as unknown,
}));

useClock();

const credential = { idInMemory: 'requester.test.ts' } as Credential;

const send = async (run: Requester, lane: 'jobs' | 'others') =>
	await run.request({} as RequestContext, { url: '/', method: 'POST' }, credential, { lane });

it.each([
	['refusedKey', 'Not sent: the service refused the API key'],
	['allowanceUsedUp', 'Not sent: the request allowance of the account is used up'],
] as const)(
	'%s ends the rest of a run in both lanes, and no other run',
	async (reason, message) => {
		exchange.mockReset().mockResolvedValueOnce(new Failure(reason));
		const [run, other] = [new Requester(), new Requester()];
		await expect(until(send(run, 'jobs'))).rejects.toMatchObject({ reason });
		for (const lane of ['jobs', 'others'] as const) {
			await expect(until(send(run, lane))).rejects.toThrow(message);
		}
		expect(exchange).toHaveBeenCalledTimes(1);
		exchange.mockResolvedValueOnce({ statusCode: 200, body: {}, isJson: true });
		await until(send(other, 'others'));
		expect(exchange).toHaveBeenCalledTimes(2);
	},
);
