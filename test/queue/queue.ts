import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Execution } from '../../n8n/execution';
import { startCommand, type N8nHost, type N8nOptions } from '../../n8n/host';
import { installTarball } from '../../n8n/package';
import { startSandbox } from '../../sandbox';
import { N8N_FOLDER, openN8n, SET_UP_MS, tarballOfNode, type TestN8n } from '../e2e/n8n';
import { until } from '../e2e/until';
import type { TestWorkflow } from '../support/workflowOf';
import { startQueueServices } from './services';

/** n8n pauses for 10 s when it starts after a kill. */
const RESTART_MS = 2 * 60_000;
/** n8n waits 30 s before it reports that an execution's worker is gone. */
const END_MS = 180_000;
/** The timeout for anything else. */
export const SOON_MS = 120_000;

/** The default number of concurrent executions per worker. */
export const WORKER_CONCURRENCY = 5;

/**
 * How fast n8n detects that a worker is gone, in milliseconds: the defaults are 60,000 for the lock
 * and 30,000 for its checks. The rest is the same.
 */
const STALLED = {
	QUEUE_WORKER_LOCK_DURATION: '15000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** An n8n in queue mode with two workers, the packed node in each, and a sandbox. */
export interface TestQueue extends TestN8n {
	/** A test may stop the first. */
	workers: [N8nHost, N8nHost];
	/** Restarts the first worker in its own folder. */
	restart(): Promise<void>;
	/** Saves and activates a workflow. */
	activate(workflow: TestWorkflow): Promise<string>;
	/** Waits until a workflow has this many executions and all have ended. */
	allEnded(workflowId: string, count: number): Promise<Execution[]>;
}

/**
 * Starts everything once for the tests of a file, on the loopback address and in temporary folders.
 * Before each test the sandbox is reset, with a new key, and both workers are running.
 *
 * @param options `concurrency`: the number of concurrent executions per worker
 */
export function useQueue({ concurrency = WORKER_CONCURRENCY } = {}): () => TestQueue {
	let queue: TestQueue;
	let firstHasEnded = false;
	const ends: Array<() => Promise<unknown>> = [];

	/** Waits for something to start, and stops it after the tests. */
	async function kept<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
		const started = await starting;
		ends.push(async () => await started.stop());
		return started;
	}

	beforeAll(async () => {
		const folder = await mkdtemp(join(tmpdir(), 'queue-n8n-'));
		ends.push(async () => await rm(folder, { recursive: true, force: true }));
		const tarball = tarballOfNode();

		const services = await kept(startQueueServices());
		const env = {
			...services.env,
			...STALLED,
			// n8n 1.x reruns an execution whose worker is gone unless configured otherwise; 2.x never
			// does.
			QUEUE_WORKER_MAX_STALLED_COUNT: '0',
			N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '60',
		};
		const userFolder = async (name: string) => {
			await installTarball(tarball, join(folder, name));
			return join(folder, name);
		};
		let starts = 0;
		const worker = async (name: string) =>
			await kept(
				startWorker({
					userFolder: await userFolder(name),
					folder: N8N_FOLDER,
					concurrency,
					// A worker does not know the address of the main process.
					env: { ...env, WEBHOOK_URL: client.address },
					// A new log file per start, to tell starts apart.
					log: join(folder, `worker-${(starts += 1)}.log`),
				}),
			);
		const firstWorker = async () => {
			const first = await worker('first');
			firstHasEnded = false;
			void first.ended.then(() => (firstHasEnded = true));
			return first;
		};

		const sandbox = await kept(startSandbox({ remaining: 100_000 }));
		const n8n = await kept(openN8n(await userFolder('main'), sandbox, env));
		const { client } = n8n;
		const workers: TestQueue['workers'] = [await firstWorker(), await worker('second')];
		queue = {
			...n8n,
			workers,
			restart: async () => {
				workers[0] = await firstWorker();
			},
			activate: async (workflow) => {
				const id = await n8n.save(workflow);
				await client.activate(id);
				return id;
			},
			allEnded: async (workflowId, count) => {
				let ids: string[] = [];
				await until(async () => {
					ids = (await client.listExecutions(workflowId, 100)).map(({ id }) => id);
					return ids.length === count;
				}, SOON_MS);
				const executions: Execution[] = [];
				for (const id of ids) executions.push(await client.waitForExecution(id, END_MS));
				return executions;
			},
		};
	}, SET_UP_MS);

	beforeEach(async () => {
		queue.sandbox.reset();
		await queue.renewAccount();
		if (firstHasEnded) await queue.restart();
	}, RESTART_MS);

	afterAll(async () => {
		// n8n needs its database until it has exited.
		for (const end of ends.reverse()) await end();
	});

	return () => queue;
}

/** Starts a worker of the pinned n8n in queue mode, and waits until it accepts executions. */
async function startWorker({ concurrency, ...options }: N8nOptions & { concurrency: number }) {
	return await startCommand(['worker', `--concurrency=${concurrency}`], options, isReady);
}

/** Its address only serves health checks. */
async function isReady(address: string, signal: AbortSignal): Promise<boolean> {
	try {
		const { ok, body } = await fetch(`${address}/healthz/readiness`, { signal });
		await body?.cancel();
		return ok;
	} catch {
		return false;
	}
}

/** The ids of the executions that a worker has started and finished, from its log. */
export async function executionsOf({
	logFile,
}: N8nHost): Promise<{ started: string[]; finished: string[]; underWay: string[] }> {
	const log = await readFile(logFile, 'utf8');
	const idsOf = (what: string) =>
		[...log.matchAll(new RegExp(`Worker ${what} execution (\\d+)`, 'g'))].map(([, id]) => id!);
	const [started, finished] = [idsOf('started'), idsOf('finished')];
	return { started, finished, underWay: started.filter((id) => !finished.includes(id)) };
}
