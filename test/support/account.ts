import { randomUUID } from 'node:crypto';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { until } from './clock';
import type { Account } from './engine';

/**
 * A sandbox for the tests of one file, reset before each of them.
 *
 * @returns a function that returns the running sandbox and an account on it
 */
export function useSandbox(options?: SandboxOptions): () => { sandbox: Sandbox; account: Account } {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox(options);
	});
	beforeEach(() => {
		sandbox.reset();
		// A new key is a new account, so that a limit learned in another test does not apply.
		if (options?.key === undefined) sandbox.key = randomUUID();
	});
	// Whatever happened, a run leaves no connection open.
	afterEach(async () => {
		await until(() => sandbox.requests.every(({ endedAt }) => endedAt !== undefined));
	});
	afterAll(async () => await sandbox.stop());
	return () => ({
		sandbox,
		account: { baseUrl: sandbox.address, apiKey: sandbox.key, keyFormat: 'documented' },
	});
}
