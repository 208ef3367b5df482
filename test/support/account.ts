import { randomUUID } from 'node:crypto';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import type { Account } from './engine';

/**
 * A sandbox for the tests of one file, as it was at the start before each of them.
 *
 * @returns a function that gives the running sandbox and an account on it
 */
export function useSandbox(options?: SandboxOptions): () => { sandbox: Sandbox; account: Account } {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox(options);
	});
	beforeEach(() => {
		sandbox.reset();
		// The node learns how much an account may send; what it learned in another test is no part of this.
		if (options?.key === undefined) sandbox.key = randomUUID();
	});
	afterAll(async () => await sandbox.stop());
	return () => ({
		sandbox,
		account: { baseUrl: sandbox.address, apiKey: sandbox.key, keyFormat: 'documented' },
	});
}
