import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import {
	appendFile,
	chmod,
	copyFile,
	mkdir,
	mkdtemp,
	readFile,
	realpath,
	rm,
	stat,
	writeFile,
} from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

import type { N8nClient, StoredWorkflow, Workflow } from '../../n8n/client';
import { importExamples } from '../../n8n/examples';
import { runFirstExample, runMoreExamples } from '../../n8n/firstRun';
import { startCommand } from '../../n8n/host';
import { ensureN8n, ensurePackages } from '../../n8n/install';
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
	expect([status, stdout]).toEqual([
		1,
		`Port ${port} is already in use on this machine. If an earlier \`npm start\` or its n8n still runs, stop it: two must not share their data. If it is another program, stop that, or choose another port, e.g. \`npm start -- --port ${port + 1}\`.\n`,
	]);
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
	expect(report.mock.calls).toEqual([
		[
			`Port ${new URL(first.address).port} cannot be used: the sandbox has a new address. Change Base URL in the credentials you made.`,
		],
	]);
	const fourth = await startKeptSandbox(file, report);
	await fourth.stop();
	expect(fourth.address).toBe(third.address);
});

it.each([
	'null',
	'[]',
	'{"port":"80","key":"k"}',
	'{"port":70000,"key":"k"}',
	'{"port":4000,"key":7}',
])('what is not of an earlier start is made anew: %s', async (text) => {
	const [file, report] = [join(folder, 'sandbox.json'), jest.fn()];
	await writeFile(file, text);
	const sandbox = await startKeptSandbox(file, report);
	await sandbox.stop();
	expect(report).not.toHaveBeenCalled();
	expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
		port: Number(new URL(sandbox.address).port),
		key: sandbox.key,
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

it('what is installed stays in the folder that KEPT_N8N names, for other clones with the same lock file', async () => {
	const { KEPT_N8N, npm_execpath: npm } = process.env;
	const cli = join(folder, 'npm-cli.js');
	const hidden = `require('fs').mkdirSync('node_modules'); require('fs').copyFileSync('package-lock.json', 'node_modules/.package-lock.json')`;
	await writeFile(cli, hidden);
	process.env.npm_execpath = cli;
	process.env.KEPT_N8N = join(folder, 'kept');
	const clones = ['one', 'two', 'other'].map((name) => join(folder, name));
	const said: string[] = [];
	const install = async (clone: string) =>
		await ensurePackages(clone, (line) => said.push(line), 'Installing');
	try {
		for (const [index, clone] of clones.entries()) {
			await mkdir(clone);
			const version = index < 2 ? '1.0.0' : '2.0.0';
			const packages = { '': {}, 'node_modules/a': { version } };
			await writeFile(join(clone, 'package-lock.json'), JSON.stringify({ packages }));
			for (const file of ['package.json', '.npmrc']) await writeFile(join(clone, file), '');
			await install(clone);
		}
		expect(said).toHaveLength(2);
		const places = await Promise.all(
			clones.map(async (clone) => await realpath(join(clone, 'node_modules'))),
		);
		expect(places[1]).toBe(places[0]);
		expect(places[2]).not.toBe(places[0]);
		// With another lock file a clone gets another link, and what others use stays.
		await copyFile(join(clones[2]!, 'package-lock.json'), join(clones[0]!, 'package-lock.json'));
		await install(clones[0]!);
		expect(await realpath(join(clones[0]!, 'node_modules'))).toBe(places[2]);
		expect(await realpath(join(clones[1]!, 'node_modules'))).toBe(places[1]);
		expect(said).toHaveLength(2);
	} finally {
		for (const [name, value] of Object.entries({ KEPT_N8N, npm_execpath: npm })) {
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
		}
	}
});

describe('starting n8n', () => {
	let minute = 0;

	beforeEach(async () => {
		jest.spyOn(performance, 'now').mockImplementation(() => minute * 60_000);
		// Does nothing: the test writes its log.
		const script = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
		await mkdir(join(script, '..'), { recursive: true });
		await writeFile(script, 'setInterval(() => {}, 1000);');
	});

	afterEach(() => jest.restoreAllMocks());

	/** Starts an n8n that is asked once a minute whether it is ready, and adds a line to its log as often. */
	async function start({ logsUntil, readyAt }: { logsUntil: number; readyAt: number }) {
		minute = 0;
		const log = join(folder, 'n8n.log');
		const report = jest.fn();
		const host = await startCommand(['start'], { userFolder: folder, folder, report }, async () => {
			minute++;
			if (minute <= logsUntil) await appendFile(log, `migration ${minute}\n`);
			return minute === readyAt;
		});
		await host.stop();
		return report.mock.calls;
	}

	it('takes as long as its log goes on, and shows the last line', async () => {
		const lines = await start({ logsUntil: 6, readyAt: 6 });
		expect(lines).toEqual([1, 2, 3, 4, 5].map((line) => [`  n8n's log: migration ${line}`, true]));
	});

	it('waits two minutes for the next line of the log', async () => {
		await start({ logsUntil: 1, readyAt: 4 });
		await expect(start({ logsUntil: 1, readyAt: 5 })).rejects.toThrow(
			/^n8n is not ready, and has added nothing to its log for two minutes\. .*\nmigration 1$/,
		);
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
			'"Scheduled lead collection" was not run: it differs from examples/scheduled-lead-collection.json. Run it yourself, or rename it and start again to import the example.',
		]);
	});
});
