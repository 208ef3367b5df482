import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

import type { N8nClient, StoredWorkflow, Workflow } from '../../n8n/client';
import { importExamples } from '../../n8n/examples';
import { runFirstExample, runMoreExamples } from '../../n8n/firstRun';
import { ensureN8n } from '../../n8n/install';
import { npmCommand } from '../../n8n/process';
import { claim } from '../../n8n/running';

const project = resolve(__dirname, '..', '..');
let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'start-'));
});

afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
});

describe('a second start', () => {
	/** Claims a folder and starts what stands for n8n. */
	const START = `
		const { spawn } = require('node:child_process');
		const { claim } = require('./n8n/running');
		const claimed = claim(process.argv[1], 5678);
		const script = 'setInterval(() => {}, 1_000_000)';
		const n8n = spawn(process.execPath, ['-e', script, process.argv[2]], { stdio: 'ignore' });
		claimed.addN8n(n8n.pid);
		console.log(n8n.pid);
	`;
	let first: ChildProcess;
	let n8n: number;

	/** @param name in the command of what stands for n8n */
	async function startFirst(name: string): Promise<void> {
		const args = ['--import', 'tsx', '-e', START, folder, name, 'n8n/start.ts'];
		first = spawn(process.execPath, args, { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
		const [line] = (await once(first.stdout!, 'data')) as [Buffer];
		n8n = Number(line);
	}

	async function killFirst(): Promise<void> {
		const ended = once(first, 'exit');
		first.kill('SIGKILL');
		await ended;
	}

	afterEach(() => {
		first.kill('SIGKILL');
		process.kill(n8n, 'SIGKILL');
	});

	it('is refused while the first one runs, or its n8n alone, and says how to end it', async () => {
		await startFirst('n8n');
		const second = () => claim(folder, 5679);
		expect(second).toThrow(
			`An earlier start is still running, with n8n on port 5678. End it with \`kill ${first.pid}\`, then run the command again.`,
		);
		await killFirst();
		expect(second).toThrow(`\`kill ${n8n}\``);
	});

	it('runs when the first one has ended, and another program has the number of its n8n', async () => {
		await startFirst('another program');
		await killFirst();
		const second = () => claim(folder, 5679).release();
		// Elsewhere the system does not tell.
		if (existsSync('/proc')) expect(second).not.toThrow();
		else expect(second).toThrow(`If process ${n8n} is another program, delete `);
	});
});

it('a start runs after one that was killed and had its own number, as in a container', () => {
	const again = `
		const file = require('node:path').join(process.argv[1], 'running.json');
		require('node:fs').writeFileSync(file, JSON.stringify({ port: 5678, pids: [process.pid] }));
		require('./n8n/running').claim(process.argv[1], 5678).release();`;
	const args = ['--import', 'tsx', '-e', again, folder, 'n8n/start.ts'];
	expect(spawnSync(process.execPath, args, { cwd: project }).status).toBe(0);
});

it('a start runs after one that has ended, or was killed before it had written who it is', async () => {
	const file = join(folder, 'running.json');
	claim(folder, 5678).release();
	await writeFile(file, '{"port":');
	const second = claim(folder, 5678);
	expect(existsSync(file)).toBe(true);
	second.release();
	expect(existsSync(file)).toBe(false);
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

	it.each([
		['the compiler', 'gyp ERR! build error', 'The compiler failed. Correct what it says'],
		['a download', 'gyp ERR! configure error', 'A package could not be downloaded.'],
	])('says what to do after a failure of %s', async (_what, output, advice) => {
		const { PATH, npm_execpath: npm } = process.env;
		// Everything but SQLite is installed, and so is what compiles it.
		const script = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
		await mkdir(join(script, '..'), { recursive: true });
		await writeFile(script, '');
		for (const lock of ['package-lock.json', join('node_modules', '.package-lock.json')])
			await writeFile(join(folder, lock), '{ "packages": { "": {} } }');
		for (const tool of ['python3', 'make', 'g++']) {
			await writeFile(join(folder, tool), '#!/bin/sh\n');
			await chmod(join(folder, tool), 0o755);
		}
		const lines = `prebuild-install warn install getaddrinfo ENOTFOUND github.com\n${output}`;
		const cli = join(folder, 'npm-cli.js');
		await writeFile(cli, `console.log(${JSON.stringify(lines)}); process.exitCode = 1;`);
		process.env.PATH = [folder, PATH].join(delimiter);
		process.env.npm_execpath = cli;
		try {
			await expect(ensureN8n(() => {}, folder)).rejects.toThrow(
				`Building SQLite failed. ${advice}`,
			);
		} finally {
			process.env.PATH = PATH;
			if (npm === undefined) delete process.env.npm_execpath;
			else process.env.npm_execpath = npm;
		}
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
		expect(lines).toEqual([
			'"Scheduled lead collection" was not run: it differs from examples/scheduled-lead-collection.json. Run it yourself, or rename it and start again to import that.',
		]);
	});
});
