import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { manifestOf } from '../../../n8n/package';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { prepare, RUNS, sentRequests } from '../../support/contract';
import { installAsN8nDoes, PACKAGE, raiseVersion, recordAsN8nDoes } from './installer';
import { errorOf, NODE_TYPE, openN8n, SET_UP_MS, tarballOfNode, type TestN8n } from '../n8n';

// By hand it is installed for all other tests.
describe("installed as n8n's own installer does it", () => {
	let folder: string;
	let tarball: string;
	let own: TestN8n;
	let sandbox: Sandbox;
	/** The saved workflows, in the order of `RUNS`. */
	const saved: string[] = [];

	const start = async () => {
		own = await openN8n(folder, sandbox);
	};
	const install = async (packed: string) => {
		await installAsN8nDoes(packed, folder);
		await start();
		await recordAsN8nDoes(own, folder);
	};

	/** The version of the package by which n8n loaded the node. */
	const loadedVersion = async () =>
		(await own.client.nodeTypes()).find(({ name }) => name === NODE_TYPE)
			?.communityNodePackageVersion;

	/** The packages in n8n's settings. */
	const listed = async () =>
		(await own.client.listPackages()).map(
			({ packageName, installedVersion, failedLoading = false }) => ({
				...{ packageName, installedVersion, failedLoading },
			}),
		);

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'n8n-e2e-'));
		tarball = tarballOfNode();
		sandbox = await startSandbox();
		await install(tarball);
	}, SET_UP_MS);

	afterAll(async () => {
		await own?.stop();
		await sandbox?.stop();
		await rm(folder, { recursive: true, force: true });
	});

	/** Runs a saved workflow with a new account. */
	const runSaved = async (index: number) => {
		prepare(sandbox);
		await own.renewAccount();
		const error = errorOf(await own.runSaved(saved[index]!));
		return { error, sent: sentRequests(sandbox) };
	};

	it('is listed, and runs', async () => {
		const { version: installedVersion } = await manifestOf(join(__dirname, '..', '..', '..'));
		expect(await loadedVersion()).toBe(installedVersion);
		expect(await listed()).toEqual([
			{ packageName: PACKAGE, installedVersion, failedLoading: false },
		]);
		for (const { workflow } of RUNS) saved.push(await own.save(workflow));
		expect(await runSaved(0)).toEqual({ error: undefined, sent: [...RUNS[0]!.sends].sort() });
	});

	it(
		'runs every saved workflow after an upgrade',
		async () => {
			const raised = await raiseVersion(tarball, folder);
			await own.stop();
			await install(raised.tarball);
			const { version: installedVersion } = raised;
			expect(await loadedVersion()).toBe(installedVersion);
			expect(await listed()).toEqual([
				{ packageName: PACKAGE, installedVersion, failedLoading: false },
			]);
			for (const [index, { file, sends }] of RUNS.entries()) {
				const { error, sent } = await runSaved(index);
				expect({ file, error, sent }).toEqual({ file, error: undefined, sent: [...sends].sort() });
			}
		},
		SET_UP_MS,
	);

	it(
		'leaves an n8n that starts and reports the missing node after its removal',
		async () => {
			await own.client.uninstallPackage(PACKAGE);
			await own.stop();
			await start();
			const written = (await own.log()).split('\n');
			expect(written.filter((line) => line.includes(' | info '))).not.toEqual([]);
			expect(written.filter((line) => line.includes(' | error '))).toEqual([]);
			expect(await listed()).toEqual([]);
			expect(await loadedVersion()).toBeUndefined();
			await expect(own.runSaved(saved[0]!)).rejects.toThrow(`Unrecognized node type: ${NODE_TYPE}`);
		},
		SET_UP_MS,
	);
});
