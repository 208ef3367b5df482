import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { manifestOf } from '../../n8n/package';
import { startSandbox, type Sandbox } from '../../sandbox';
import { status } from '../support/faults';
import createJob from '../workflows/job-create.json';
import { FIXTURES, prepare, sentRequests, readFixture } from './fixtures';
import {
	installAsN8nDoes,
	installByHand,
	PACKAGE,
	raiseVersion,
	recordAsN8nDoes,
	uninstallByHand,
} from './installer';
import {
	errorOf,
	NODE,
	NODE_TYPE,
	openN8n,
	outputOf,
	prepareN8n,
	SET_UP_MS,
	type TestN8n,
} from './n8n';

let sandbox: Sandbox;
let folder: string;
let first: { tarball: string; version: string };
let second: { tarball: string; version: string };

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'n8n-install-'));
	const tarball = await prepareN8n(folder);
	const { version } = await manifestOf(join(__dirname, '..', '..'));
	first = { tarball, version };
	second = await raiseVersion(tarball, folder);
	sandbox = await startSandbox();
}, SET_UP_MS);

beforeEach(() => sandbox.reset());

afterAll(async () => {
	await sandbox?.stop();
	await rm(folder, { recursive: true, force: true });
});

/** The packages known to n8n's installer, as listed in the settings. */
const listed = async ({ client }: TestN8n) =>
	(await client.listPackages()).map(({ packageName, installedVersion, failedLoading }) => ({
		...{ packageName, installedVersion, failedLoading: failedLoading ?? false },
	}));

const WAYS = [
	{
		way: "as n8n's own installer does it",
		install: installAsN8nDoes,
		record: recordAsN8nDoes,
		uninstall: async ({ client, stop }: TestN8n) => {
			await client.uninstallPackage(PACKAGE);
			await stop();
		},
		lists: (installedVersion: string) => [
			{ packageName: PACKAGE, installedVersion, failedLoading: false },
		],
	},
	{
		way: 'by hand',
		install: installByHand,
		record: async () => {},
		uninstall: async ({ stop }: TestN8n, userFolder: string) => {
			await stop();
			await uninstallByHand(userFolder);
		},
		lists: () => [],
	},
];

describe.each(WAYS)('installed $way', ({ install, record, uninstall, lists }) => {
	let userFolder: string;
	let n8n: TestN8n;
	/** The saved workflows, in the order of the fixtures. */
	const saved: string[] = [];

	/** Installs a version and starts n8n with it. */
	const startWith = async (tarball: string) => {
		await install(tarball, userFolder);
		n8n = await openN8n(userFolder, sandbox);
		await record(n8n, userFolder);
	};

	/** The version of the package by which n8n loaded the node. */
	const loadedVersion = async () =>
		(await n8n.client.nodeTypes()).find(({ name }) => name === NODE_TYPE)
			?.communityNodePackageVersion;

	beforeAll(async () => {
		userFolder = await mkdtemp(join(tmpdir(), 'n8n-e2e-'));
		await startWith(first.tarball);
	}, SET_UP_MS);

	afterAll(async () => {
		await n8n?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	it('is loaded and creates jobs', async () => {
		expect(await loadedVersion()).toBe(first.version);
		expect(await listed(n8n)).toEqual(lists(first.version));
		const execution = await n8n.run(createJob);
		expect(errorOf(execution)).toBeUndefined();
		expect(sandbox.state.jobs).toHaveLength(2);
		expect(outputOf(execution, NODE).map(({ json }) => json)).toEqual(
			sandbox.state.jobs.map(({ job_id }) => ({ job_id })),
		);
	});

	it('has error messages that n8n does not replace', async () => {
		sandbox.faults.add({ fault: status(402) });
		expect(errorOf(await n8n.run(createJob))).toMatchObject({
			message: 'The request allowance of the account is used up',
			description: expect.stringContaining('larger plan'),
			httpCode: '402',
		});
	});

	it('runs every saved workflow after an upgrade', async () => {
		for (const fixture of FIXTURES) saved.push(await n8n.save(await readFixture(fixture)));
		await n8n.stop();
		await startWith(second.tarball);

		expect(await loadedVersion()).toBe(second.version);
		expect(await listed(n8n)).toEqual(lists(second.version));
		for (const [index, { file, sends }] of FIXTURES.entries()) {
			prepare(sandbox);
			const execution = await n8n.runSaved(saved[index]!);
			expect({ file, error: errorOf(execution), reached: sentRequests(sandbox) }).toEqual({
				...{ file, error: undefined, reached: [...sends].sort() },
			});
		}
	});

	it('leaves an n8n that starts and reports the missing node after its removal', async () => {
		await uninstall(n8n, userFolder);
		n8n = await openN8n(userFolder, sandbox);

		const written = (await n8n.log()).split('\n');
		expect(written.filter((line) => line.includes(' | info '))).not.toEqual([]);
		expect(written.filter((line) => line.includes(' | error '))).toEqual([]);
		expect(await listed(n8n)).toEqual([]);
		expect(await loadedVersion()).toBeUndefined();
		await expect(n8n.runSaved(saved[0]!)).rejects.toThrow(`Unrecognized node type: ${NODE_TYPE}`);
		expect(sandbox.requests).toEqual([]);
	});
});
