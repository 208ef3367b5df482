import { startN8n } from '../n8n/host';
import { startQueueServices } from '../n8n/services';
import { startWorker } from '../n8n/worker';

/** An n8n that runs. */
export interface Hosted {
	address: string;
	/** The process that runs the executions. */
	pid: number;
	stop(): Promise<void>;
}

/** How n8n is hosted: by one process, or by several. */
export interface Hosting {
	/** Its processes: each has a data folder of its own, of this name. */
	processes: readonly string[];
	/** @param folderOf the data folder of each process */
	start(folderOf: (process: string) => string, env: Record<string, string>): Promise<Hosted>;
	/** Ends what stays when n8n is stopped. */
	close(): Promise<void>;
}

/** As a user has it who changes nothing: one process, SQLite. */
export const ALONE: Hosting = {
	processes: ['main'],
	start: async (folderOf, env) => await startN8n({ userFolder: folderOf('main'), env }),
	close: async () => {},
};

/** How many executions a worker runs at once unless n8n is told otherwise. */
const WORKER_CONCURRENCY = 10;

/**
 * Queue mode: n8n, one worker, so that it is known which process runs what is measured, and a Redis
 * and a PostgreSQL, which are started here.
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
