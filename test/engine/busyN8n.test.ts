import { Worker } from 'node:worker_threads';

import { activeTrigger, startWorkflow, workflowOf, type Account } from '../support/engine';
import { useLog } from '../support/log';
import { CREATE, keywords } from '../support/parameters';
import { until } from '../support/until';

const log = useLog();

/** Answers a job with "paid" and the usage, 50 ms later, in a thread of its own. */
const SERVICE = `
	const { createServer } = require('node:http');
	const { parentPort, workerData } = require('node:worker_threads');
	const server = createServer((request, response) => {
		request.resume().on('end', () => {
			Atomics.add(workerData, 0, 1);
			const body = { job_id: 'paid', plan: 'P', remaining: '5' };
			setTimeout(() => response.end(JSON.stringify(body)), 50);
		});
	});
	server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

let service: Worker;
let owner: Account;
const received = new Int32Array(new SharedArrayBuffer(4));

beforeAll(async () => {
	service = new Worker(SERVICE, { eval: true, workerData: received });
	const port = await new Promise<number>((resolve) => service.once('message', resolve));
	owner = {
		baseUrl: `http://127.0.0.1:${port}`,
		apiKey: 'key-of-busy-n8n',
		keyFormat: 'documented',
	};
});
beforeEach(() => void Atomics.store(received, 0, 0));
afterAll(async () => void (await service.terminate()));

/** Once the service has a request, keeps n8n busy: afterwards, due timers run before the network. */
async function keepBusy(milliseconds: number): Promise<void> {
	await until(() => Atomics.load(received, 0) > 0);
	await new Promise<void>((resolve) => {
		setImmediate(() => {
			const started = performance.now();
			while (performance.now() - started < milliseconds);
			resolve();
		});
	});
}

describe('a response that arrives in time while n8n is busy', () => {
	it('is read after "Timeout"', async () => {
		const parameters = { ...CREATE, requestOptions: { timeout: 1_000 } };
		const { finished } = startWorkflow(workflowOf(parameters), owner);
		await keepBusy(1_500);
		expect((await finished).json).toEqual([{ job_id: 'paid' }]);
	});

	it('is read after the ten seconds of a cancelled run', async () => {
		const { finished, cancel } = startWorkflow(workflowOf(CREATE, keywords(3)), owner);
		await until(() => Atomics.load(received, 0) > 0);
		cancel();
		await keepBusy(10_500);
		await finished;
		expect(log.lines('warn')).toEqual([
			expect.stringContaining('1 was done (job_id: paid), 0 failed, 2 were not started.'),
		]);
	});

	it('is read after the time of a poll', async () => {
		const poll = activeTrigger(owner, { events: ['allowanceLow'], threshold: 100 });
		const polled = poll('trigger', { budget: 1_000 });
		await keepBusy(1_500);
		expect(await polled).toBeNull();
	});
});
