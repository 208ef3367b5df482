import { startN8n } from '../n8n/host';
import { startQueueServices } from '../n8n/services';
import { startWorker } from '../n8n/worker';

/** A running n8n. */
export interface Hosted {
	address: string;
	/** The process that runs the executions. */
	pid: number;
	stop(): Promise<void>;
}

/** How n8n is hosted: by one process, or by several. */
export interface Hosting {
	/** The names of its processes and of their data folders. */
	processes: readonly string[];
	/** @param folderOf the data folder of each process */
	start(folderOf: (process: string) => string, env: Record<string, string>): Promise<Hosted>;
	/** Stops what keeps running after n8n has stopped. */
	close(): Promise<void>;
}

/** n8n's default: one process, SQLite. */
export async function alone(): Promise<Hosting> {
	return {
		processes: ['main'],
		start: async (folderOf, env) => await startN8n({ userFolder: folderOf('main'), env }),
		close: async () => {},
	};
}

/** n8n's default. */
const WORKER_CONCURRENCY = 10;

/**
 * Queue mode: n8n, one worker, so that it is known which process to measure, and a new Redis and
 * PostgreSQL.
 * @throws Error with a sentence when one of them is not installed or does not start
 */
export async function queueMode(): Promise<Hosting> {
	const services = await startQueueServices();
	return {
		processes: ['main', 'worker'],
		start: async (folderOf, more) => {
			const env = { ...services.env, ...more };
			const main = await startN8n({ userFolder: folderOf('main'), env });
			try {
				const worker = await startWorker({
					userFolder: folderOf('worker'),
					concurrency: WORKER_CONCURRENCY,
					env,
				});
				const stop = async () => {
					await Promise.all([worker.stop(), main.stop()]);
				};
				return { address: main.address, pid: worker.pid, stop };
			} catch (error) {
				await main.stop();
				throw error;
			}
		},
		close: services.stop,
	};
}
