import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { N8nClient, StoredWorkflow, Workflow } from '../../n8n/client';
import { importExamples } from '../../n8n/examples';
import { runFirstExample, runMoreExamples } from '../../n8n/firstRun';
import { ensureN8n } from '../../n8n/install';
import { startKeptSandbox } from '../../n8n/keptSandbox';
import { npmCommand } from '../../n8n/process';

const project = resolve(__dirname, '..', '..');
let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'start-'));
});

afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
});

it('a second start is refused before it changes anything, and says what to do', async () => {
	const first = createServer().listen(0, '127.0.0.1');
	await once(first, 'listening');
	const { port } = first.address() as AddressInfo;
	const args = ['--import', 'tsx', 'n8n/start.ts', '--port', String(port)];
	const { status, stdout } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
	first.close();
	expect([status, stdout]).toEqual([1, expect.stringContaining(`npm start -- --port ${port + 1}`)]);
});

describe('the sandbox', () => {
	let npm: ChildProcess;

	afterEach(() => {
		try {
			process.kill(-npm.pid!, 'SIGKILL');
		} catch {
			// All of its processes have ended.
		}
	});

	it('ends with the npm that runs it', async () => {
		const [file = '', ...args] = [...npmCommand(), 'run', 'sandbox', '--', '--port', '0'];
		const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
		npm = spawn(file, args, { cwd: project, detached: true, stdio });
		let output = '';
		npm.stdout!.on('data', (data) => (output += data));
		while (!output.includes('Base URL')) await once(npm.stdout!, 'data');
		npm.kill('SIGTERM');
		// Closes when the last process that can write to it has ended: the sandbox.
		await once(npm.stdout!, 'close');
	});
});

it('the sandbox keeps its port and key from one start to the next, and says if it cannot', async () => {
	const file = join(folder, 'sandbox.json');
	const report = jest.fn();
	const first = await startKeptSandbox(file, report);
	await first.stop();
	const second = await startKeptSandbox(file, report);
	expect([second.address, second.key]).toEqual([first.address, first.key]);
	expect((await stat(file)).mode & 0o777).toBe(0o600);
	expect(report).not.toHaveBeenCalled();

	const third = await startKeptSandbox(file, report);
	await Promise.all([second.stop(), third.stop()]);
	expect(third.address).not.toBe(second.address);
	expect(third.key).toBe(second.key);
	expect(report).toHaveBeenCalledWith(expect.stringContaining(new URL(first.address).port));
});

describe('installing n8n', () => {
	it('is refused before the download in a folder with a blank in its path', async () => {
		const blank = join(folder, 'my project');
		await mkdir(blank);
		await writeFile(join(blank, 'package-lock.json'), '{ "packages": { "": {} } }');
		const report = jest.fn();
		await expect(ensureN8n(report, blank)).rejects.toThrow(
			/with a blank in its path.*my project\. Rename or move the project/,
		);
		expect(report).not.toHaveBeenCalled();
	});
});

describe('the examples', () => {
	const CREDENTIAL = { id: '1', name: 'Business Listing Search account' };

	/** Imports and runs the examples in an n8n that has these workflows. */
	async function runExamples(stored: StoredWorkflow[]) {
		const lines: string[] = [];
		const started: string[] = [];
		const client = {
			listWorkflows: async () => stored,
			getWorkflow: async (id: string) => stored.find((workflow) => workflow.id === id),
			createWorkflow: async (workflow: Workflow) => {
				const created = { ...workflow, id: workflow.name, versionId: '', isArchived: false };
				stored.push(JSON.parse(JSON.stringify(created)) as StoredWorkflow);
				return created;
			},
			runWorkflow: async (id: string) => started.push(id),
			waitForExecution: async () => ({ id: '1', data: { resultData: { runData: {} } } }),
			activate: async (id: string) => started.push(id),
			webhooks: { submitForm: async () => '' },
			tables: { ids: async () => new Map(), create: async () => {}, rows: async () => [{}] },
		} as unknown as N8nClient;
		const workflows = await importExamples(client, CREDENTIAL);
		const { succeeded } = await runFirstExample({ client, workflows }, undefined, (line) =>
			lines.push(line),
		);
		await runMoreExamples({ client, workflows }, () => {});
		return { lines, started, succeeded };
	}

	const NAMES = ['Scheduled lead collection', 'Customers to blacklist', 'Form that creates a job'];

	it('are imported and run, and run again at the next start', async () => {
		const stored: StoredWorkflow[] = [];
		for (let start = 0; start < 2; start++) {
			const { started, succeeded } = await runExamples(stored);
			expect([started, succeeded]).toEqual([NAMES, true]);
		}
		expect(new Set(stored.map(({ name }) => name)).size).toBe(stored.length);
	});

	it.each([
		['a workflow of their own', () => []],
		[
			'an example with a node of their own',
			(nodes: Workflow['nodes']) => [...nodes, { ...nodes[0]!, name: 'Mail to all' }],
		],
		[
			'an example with another account',
			(nodes: Workflow['nodes']) =>
				nodes.map((node) => ({
					...node,
					...(node.credentials && {
						credentials: { businessListingSearchApi: { id: '2', name: 'Real account' } },
					}),
				})),
		],
	])('are not run where a user has %s of that name', async (_what, change) => {
		const stored: StoredWorkflow[] = [];
		await runExamples(stored);
		for (const workflow of stored) workflow.nodes = change(workflow.nodes);
		const before = JSON.stringify(stored);
		const { lines, started, succeeded } = await runExamples(stored);
		expect([started, succeeded, JSON.stringify(stored)]).toEqual([[], false, before]);
		expect(lines).toEqual([expect.stringContaining('"Scheduled lead collection" was not run')]);
	});
});
