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
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.stop());
	return () => ({
		sandbox,
		account: { baseUrl: sandbox.address, apiKey: sandbox.key, keyFormat: 'documented' },
	});
}
