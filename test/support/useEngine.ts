import { randomUUID } from 'node:crypto';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { until } from './clock';
import * as engine from './engine';
import type { Account, EngineRun, StartedRun, TestWorkflow } from './engine';
import { useLog } from './log';

type Additional = Parameters<typeof engine.startWorkflow>[2];
type Change = Parameters<typeof engine.startRetry>[3];

/** What runs: the arguments of `workflowOf`, or a workflow and what n8n passes to each node. */
type Runnable =
	Parameters<typeof engine.workflowOf> | [workflow: TestWorkflow, additional?: Additional];

const isWorkflow = (run: Runnable): run is [TestWorkflow, Additional?] => 'nodes' in run[0];

/**
 * n8n's engine and a sandbox for the tests of one file. Before each test the sandbox is reset, and `owner` is a new
 * account on it.
 */
export function useEngine(options: SandboxOptions = {}) {
	const sandbox = {} as Sandbox;
	const owner = {} as Account;
	beforeAll(async () => void Object.setPrototypeOf(sandbox, await startSandbox(options)));
	beforeEach(() => {
		sandbox.reset();
		// A new key is a new account, so that a limit learned in another test does not apply.
		if (options.key === undefined) sandbox.key = randomUUID();
		const { address: baseUrl, key: apiKey } = sandbox;
		Object.assign(owner, { baseUrl, apiKey, keyFormat: 'documented' });
	});
	// Whatever happened, a run leaves no connection open.
	afterEach(async () => {
		await until(() => sandbox.requests.every(({ endedAt }) => endedAt !== undefined));
	});
	afterAll(async () => await sandbox.stop());

	const start = (...run: Runnable): StartedRun =>
		isWorkflow(run)
			? engine.startWorkflow(run[0], owner, run[1])
			: engine.startWorkflow(engine.workflowOf(...run), owner);

	/** n8n's Retry button, with the original workflow unless a saved one is given. */
	const startRetry = (
		failed: EngineRun,
		saved = failed.workflow,
		change?: Change,
		additional?: Additional,
	): StartedRun => engine.startRetry(saved, failed, owner, change, additional);

	return {
		sandbox,
		owner,
		log: useLog(),
		start,
		startRetry,
		/** As `start`, to its end. */
		execute: async (...run: Runnable): Promise<EngineRun> => await until(start(...run).finished),
		/** As `startRetry`, to its end. */
		retry: async (...retry: Parameters<typeof startRetry>): Promise<EngineRun> =>
			await until(startRetry(...retry).finished),
	};
}
