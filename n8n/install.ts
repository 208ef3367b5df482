import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
	copyFile,
	lstat,
	mkdir,
	readFile,
	rename,
	rm,
	statfs,
	symlink,
	writeFile,
} from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CommandError, npmCommand, run } from './process';
import type { Report } from './report';

/** An installed n8n: `node` runs `cli`. */
export interface InstalledN8n {
	folder: string;
	/** The Node.js that this n8n needs. */
	node: string;
	/** The script of n8n's command line, the first argument of `node`. */
	cli: string[];
}

/** The folder of the pinned n8n, with its package.json and lock file. */
export const n8nFolder = __dirname;

/** The maintained major versions of n8n, each pinned in its own folder. */
const LINES = new Map([
	['2', { version: '2.41', folder: n8nFolder }],
	['1', { version: '1.123', folder: join(n8nFolder, '1.x') }],
]);

/**
 * The folder of a pinned major version of n8n.
 * @param line the major version, from the environment variable N8N_LINE
 * @throws Error with a sentence when it is not one of the maintained versions
 */
export function folderOfLine(line = '2'): string {
	const known = LINES.get(line);
	if (known !== undefined) return known.folder;
	const choices = [...LINES].map(([name, { version }]) => `${name} for n8n ${version}`);
	throw new Error(`N8N_LINE is "${line}". Set it to ${choices.join(' or ')}.`);
}

const INSTALLED_SIZE = 'up to 4 GB with the cache of npm';
const NEEDED_MB = 4_000;
const INSTALL_TOOLS = 'apt-get install python3 make g++';
const PROGRESS_MS = 3_000;

/**
 * Installs the pinned n8n of a folder unless it is already installed, which takes milliseconds to
 * check. An interrupted install is repeated.
 * @param report called with a line per step, and a passing line every few seconds during a step
 * @throws Error with a sentence about what is missing and what to do
 */
export async function ensureN8n(report: Report, folder = n8nFolder): Promise<void> {
	const marker = join(folder, 'node_modules', '.installed');
	const version = await fingerprint(folder);
	if (existsSync(marker) && (await readFile(marker, 'utf8')) === version) return;
	if (/\s/.test(folder)) {
		throw new Error(
			`n8n cannot be installed in a folder with a blank in its path, where its SQLite module cannot be compiled: ${folder}. Rename or move the project, then run the command again.`,
		);
	}

	await kept(folder, async (place) => {
		if (!(await isTreeComplete(place))) await installPackages(place, report);
		const n8n = locateN8n(place);
		if (!(await loadsSqlite(n8n))) await copySqlite(n8n);
		if (!(await loadsSqlite(n8n))) await compileSqlite(n8n, report);
		await writeFile(join(place, 'node_modules', '.installed'), version);
	});
	report('n8n is installed.');
}

/**
 * Installs the packages in the lock file of a folder, unless they are already installed.
 * @param title the name of the step
 */
export async function ensurePackages(folder: string, report: Report, title: string): Promise<void> {
	if (await isTreeComplete(folder)) return;
	await kept(folder, async (place) => {
		report(`${title} into ${place}, only once.`);
		await npm(['ci', '--ignore-scripts'], place, process.env, report, title);
	});
}

/**
 * Installs into a folder. If the environment variable KEPT_N8N names another one, what is installed stays there for other
 * clones with the same lock file, and is only linked here.
 */
async function kept(folder: string, install: (place: string) => Promise<void>): Promise<void> {
	const modules = join(folder, 'node_modules');
	// Of another lock file, or of a place that is gone.
	const isLink = (await lstat(modules).catch(() => undefined))?.isSymbolicLink();
	if (isLink) await rm(modules);
	if (!process.env.KEPT_N8N || existsSync(modules)) {
		await install(folder);
		return;
	}
	const place = resolve(process.env.KEPT_N8N, (await fingerprint(folder)).trim().replace(' ', '-'));
	if (!existsSync(place)) {
		// Another one may install the same at the same time.
		const own = `${place}.${process.pid}`;
		await mkdir(own, { recursive: true });
		for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
			await copyFile(join(folder, file), join(own, file));
		}
		await install(own);
		await rename(own, place).catch(async () => await rm(own, { recursive: true }));
	}
	await symlink(join(place, 'node_modules'), modules, 'junction');
}

/**
 * Finds the installed n8n and its Node.js.
 * @throws Error when the folder has no n8n, or no Node.js that can run it
 */
export function locateN8n(folder = n8nFolder): InstalledN8n {
	const modules = join(folder, 'node_modules');
	const script = join(modules, 'n8n', 'bin', 'n8n');
	if (!existsSync(script)) {
		throw new Error(`n8n is not installed in ${folder}. Run \`npm start\` once to install it.`);
	}
	const own = join(modules, nodePackage, 'bin', `node${windows ? '.exe' : ''}`);
	return { folder, node: existsSync(own) ? own : process.execPath, cli: [script] };
}

const windows = process.platform === 'win32';

/** The package with the Node.js that a pinned n8n needs on this machine, if its lock file has one. */
const nodePackage = `node-${windows ? 'win' : process.platform}-${process.arch}`;

/** Changes with the lock file and the machine. */
async function fingerprint(folder: string): Promise<string> {
	const lock = await readFile(join(folder, 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex');
	return `${hash} ${process.platform}-${process.arch}\n`;
}

interface LockFile {
	packages: Record<
		string,
		{ version?: string; optional?: boolean; engines?: { node?: string } } | undefined
	>;
}

async function readLock(path: string): Promise<LockFile> {
	return JSON.parse(await readFile(path, 'utf8')) as LockFile;
}

/** npm writes the lock file inside node_modules last, so a matching one means a complete install. */
async function isTreeComplete(folder: string): Promise<boolean> {
	const hidden = join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(hidden)) return false;
	const wanted = await readLock(join(folder, 'package-lock.json'));
	const installed = await readLock(hidden);
	return Object.entries(wanted.packages).every(
		([path, entry]) =>
			path === '' || entry?.optional || installed.packages[path]?.version === entry?.version,
	);
}

/** Without a Node.js for this machine in the lock file, n8n runs with the current one. */
async function checkNode(folder: string): Promise<void> {
	const { packages } = await readLock(join(folder, 'package-lock.json'));
	if (packages[`node_modules/${nodePackage}`] !== undefined) return;
	const needed = /\d+/.exec(packages['node_modules/n8n']?.engines?.node ?? '')?.[0] ?? '0';
	if (parseInt(process.versions.node) >= Number(needed)) return;
	throw new Error(
		`This n8n needs Node.js ${needed}, and npm has no copy of it for ${process.platform} ${process.arch}. Install Node.js ${needed}, then use it to run the command again.`,
	);
}

async function installPackages(folder: string, report: Report): Promise<void> {
	await checkNode(folder);
	const free = await freeMegabytes(folder);
	if (free < NEEDED_MB) {
		throw new Error(
			`Installing n8n needs ${NEEDED_MB} MB of disk space, but ${folder} has only ${free} MB left. Free up space, then run the command again.`,
		);
	}
	const missing = await missingTools();
	if (missing.length > 0) {
		report(
			`${missing.join(', ')} cannot be found, and may be needed at the end of the install. To be sure, stop this with Ctrl-C and install what is missing first, e.g. \`${INSTALL_TOOLS}\`.`,
		);
	}
	report(`Installing the pinned n8n into ${folder}: ${INSTALLED_SIZE}, a few minutes, only once.`);
	await npm(['ci', '--ignore-scripts'], folder, process.env, report, 'Installing n8n');
}

async function loadsSqlite({ folder, node }: InstalledN8n): Promise<boolean> {
	try {
		await promisify(execFile)(node, ['-e', "require('sqlite3')"], { cwd: folder });
		return true;
	} catch {
		return false;
	}
}

/** The module that another pinned n8n has compiled: every Node.js can load it. */
async function copySqlite({ folder }: InstalledN8n): Promise<void> {
	const fileOf = (place: string, name: string) => join(place, 'node_modules', 'sqlite3', name);
	const version = async (place: string) => await readFile(fileOf(place, 'package.json'), 'utf8');
	const binary = join('build', 'Release', 'node_sqlite3.node');
	for (const { folder: other } of LINES.values()) {
		if (!existsSync(fileOf(other, binary)) || (await version(other)) !== (await version(folder))) {
			continue;
		}
		await mkdir(dirname(fileOf(folder, binary)), { recursive: true });
		await copyFile(fileOf(other, binary), fileOf(folder, binary));
		return;
	}
}

/**
 * The only package of n8n whose install script must run: it downloads a binary for this machine or
 * compiles one.
 */
async function compileSqlite(n8n: InstalledN8n, report: Report): Promise<void> {
	const { folder, node } = n8n;
	report('Building the SQLite module for n8n: about a minute, only once.');
	const headers = join(folder, 'node_modules', nodePackage);
	const env = {
		...process.env,
		PATH: [join(folder, 'node_modules', '.bin'), dirname(node), process.env.PATH].join(delimiter),
		// The pinned Node.js includes its headers, so none are downloaded and no other version's are
		// used.
		...(existsSync(join(headers, 'include', 'node', 'node.h')) && { npm_config_nodedir: headers }),
	};
	const command = ['rebuild', 'sqlite3', '--ignore-scripts=false'];
	try {
		await npm(command, folder, env, report, 'Building SQLite');
	} catch (error) {
		const missing = await missingTools();
		if (missing.length === 0) throw error;
		throw new Error(
			`The SQLite module for n8n must be compiled, but ${missing.join(', ')} cannot be found. Install what is missing, e.g. \`${INSTALL_TOOLS}\`, then run the command again.`,
		);
	}
	if (!(await loadsSqlite(n8n))) {
		throw new Error(
			`The SQLite module for n8n was built but cannot be loaded. Delete ${join(folder, 'node_modules')}, then run the command again.`,
		);
	}
}

async function missingTools(): Promise<string[]> {
	const tools = { 'Python 3': ['python3'], make: ['make'], 'a C++ compiler': ['g++', 'clang++'] };
	const found = await Promise.all(
		Object.values(tools).map(async (commands) => {
			const answers = await Promise.all(commands.map(answersVersion));
			return answers.includes(true);
		}),
	);
	return Object.keys(tools).filter((_, index) => !found[index]);
}

async function answersVersion(command: string): Promise<boolean> {
	try {
		await promisify(execFile)(command, ['--version']);
		return true;
	} catch {
		return false;
	}
}

/** Runs npm in the folder and reports time and progress every few seconds. */
async function npm(
	args: string[],
	folder: string,
	env: NodeJS.ProcessEnv,
	report: Report,
	title: string,
): Promise<void> {
	const log = join(folder, 'install.log');
	const started = Date.now();
	const freeBefore = await freeMegabytes(folder);
	const progress = setInterval(() => {
		void freeMegabytes(folder).then((free) => {
			const seconds = Math.round((Date.now() - started) / 1000);
			const megabytes = Math.max(0, freeBefore - free);
			report(`  ${title}: ${seconds} s, free disk space down by ${megabytes} MB`, true);
		});
	}, PROGRESS_MS);
	try {
		await run([...npmCommand(), ...args], { cwd: folder, env, log });
	} catch (error) {
		throw error instanceof CommandError ? explained(error, title) : error;
	} finally {
		clearInterval(progress);
	}
}

/** Measured by free disk space: counting 200,000 files every few seconds would slow npm down. */
async function freeMegabytes(folder: string): Promise<number> {
	const { bavail, bsize } = await statfs(folder);
	return Math.round((bavail * bsize) / 1_000_000);
}

const ADVICE: Array<[RegExp, string]> = [
	[/ENOSPC|no space left/i, 'The disk is full. Free up space (n8n needs about 4 GB)'],
	// Before it is compiled, a download is tried; its failure is in the output too.
	[/gyp ERR! build error/, 'The compiler failed. Correct what it says in the log below'],
	[
		/ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ERR_SOCKET|EINTEGRITY|\bE[45]\d\d\b|network|CERT/i,
		'A package could not be downloaded. Check the network and `npm config get registry`',
	],
	[/EACCES|EPERM/, 'A file could not be written. Check the owner of the folder'],
	[/ENOENT/, 'npm could not be started. Check that `npm --version` works'],
];

function explained({ output, log }: CommandError, title: string): Error {
	const [, advice] = ADVICE.find(([pattern]) => pattern.test(output)) ?? [];
	const next = `${advice ?? 'See why in the log below'}, then run the command again.`;
	return new Error(`${title} failed. ${next} The output of npm is in ${log}`);
}
