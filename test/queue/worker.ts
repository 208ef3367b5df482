import { join } from 'node:path';
import { startCommand, type N8nHost, type N8nOptions } from '../../n8n/host';

/** The options of a worker; `log` is `n8n-worker.log` by default. */
export interface WorkerOptions extends N8nOptions {
	/** How many executions it runs at once. */
	concurrency: number;
}

/**
 * Starts a worker of the pinned n8n in queue mode and waits until it accepts executions. Its address
 * only serves health checks.
 * @param options `env` sets the Redis and the database shared with n8n
 * @throws Error as `startN8n` does
 */
export async function startWorker({ concurrency, ...options }: WorkerOptions): Promise<N8nHost> {
	return await startCommand(
		['worker', `--concurrency=${concurrency}`],
		{ log: join(options.userFolder, 'n8n-worker.log'), ...options },
		isReady,
	);
}

async function isReady(address: string, signal: AbortSignal): Promise<boolean> {
	try {
		const { ok, body } = await fetch(`${address}/healthz/readiness`, { signal });
		await body?.cancel();
		return ok;
	} catch {
		return false;
	}
}
