import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
	cp,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rename,
	rm,
	stat,
	writeFile,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CommandError, lastLines, npmCommand, run, spawnShown } from './process';
import type { Report } from './report';

const project = resolve(__dirname, '..');

/**
 * The data of `npm start`: the packed node, n8n's data, logs. Git ignores it. In this folder, the node finds
 * the `n8n-workflow` of n8n, as in any n8n, and not that of the tests: n8n does not recognize the errors of
 * another copy, and replaces their messages.
 */
export const dataFolder = join(__dirname, '.n8n-data');

/** The file in the folder of n8n's community nodes that says which tarball is installed there. */
const MARKER = '.installed-tarball';

/** The files of the package beside its README. */
const PACKED = ['package.json', 'LICENSE.md', 'THIRD-PARTY.md', 'dist'];

/** What `npm run build` makes `dist` of. */
const SOURCES = [
	...['nodes', 'credentials', 'icons', 'n8n/data.ts'],
	...['package.json', 'package-lock.json', 'tsconfig.json', 'gulpfile.js'],
];

/** A link or picture in Markdown. */
const LINK = /(!?)(\[[^\]]*\]\()([^)\s]+)(\))/g;

interface Manifest {
	name: string;
	version: string;
	repository?: string | { url: string };
}

/**
 * Builds the node, unless `dist` is what these sources give.
 * @throws Error with a sentence and the compiler's output
 */
export async function buildNode(report: Report): Promise<void> {
	const marker = join(dataFolder, 'built');
	const isBuilt = async () => (await readFile(marker, 'utf8')) === (await hashOfBuild());
	if (existsSync(marker) && (await isBuilt())) return;
	report('Building the node.');
	await mkdir(dataFolder, { recursive: true, mode: 0o700 });
	await npm(['run', 'build'], project, join(dataFolder, 'build.log'), 'Building the node');
	await writeFile(marker, await hashOfBuild());
}

/** Changes with the sources, and with `dist`. */
async function hashOfBuild(): Promise<string> {
	const hash = createHash('sha256');
	for (const part of [...SOURCES, 'dist'].map((name) => join(project, name))) {
		if (!existsSync(part)) continue;
		const isFolder = (await stat(part)).isDirectory();
		const names = isFolder ? (await readdir(part, { recursive: true })).sort() : [''];
		for (const path of names.map((name) => join(part, name))) {
			if ((await stat(path)).isDirectory()) continue;
			hash.update(`\n${path.slice(project.length)}\n`).update(await readFile(path));
		}
	}
	return hash.digest('hex');
}

/**
 * Builds the node, and packs it as it would be published.
 * @returns the tarball's path
 * @throws Error with a sentence and the compiler's output
 */
export async function packNode(report: Report, folder = dataFolder): Promise<string> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await buildNode(report);
	const { name, version, repository } = await manifestOf(project);
	const content = await mkdtemp(join(folder, 'pack-'));
	const tarball = `${name}-${version}.tgz`;
	try {
		for (const file of PACKED)
			await cp(join(project, file), join(content, file), { recursive: true });
		const readme = await readFile(join(project, 'README.md'), 'utf8');
		const address = addressOf(repository);
		const packed = address === undefined ? readme : withAbsoluteLinks(readme, address);
		await writeFile(join(content, 'README.md'), packed);
		await npm(
			['pack', '--ignore-scripts', '--pack-destination', content],
			content,
			join(folder, 'pack.log'),
			'Packing the node',
		);
		// At once: another process may be reading the last one.
		await rename(join(content, tarball), join(folder, tarball));
	} finally {
		await rm(content, { recursive: true, force: true });
	}
	return join(folder, tarball);
}

/**
 * The README as it is packed: its relative links lead into the repository, because neither npm nor n8n
 * resolves them.
 *
 * @param markdown its links are relative to the repository's root
 * @param repository the address of the repository on GitHub, as package.json has it
 */
export function withAbsoluteLinks(markdown: string, repository: string): string {
	const address = repository.replace(/^git\+/, '').replace(/(\.git)?\/*$/, '');
	return markdown.replace(
		LINK,
		(link, image: string, text: string, target: string, end: string) => {
			if (/^(#|[a-z]+:)/i.test(target)) return link;
			return `${image}${text}${address}/${image ? 'raw' : 'blob'}/HEAD/${target}${end}`;
		},
	);
}

/** The address of a repository, which package.json can also have as text, such as `github:owner/name`. */
export function addressOf(repository: Manifest['repository']): string | undefined {
	const text = typeof repository === 'string' ? repository : repository?.url;
	return text?.replace(/^(?:github:)?(?=[^/:]+\/[^/:]+$)/, 'https://github.com/');
}

/**
 * Installs a packed node as a community node of an n8n, unless the same one is installed. Nothing is
 * downloaded: the node has no dependencies, and n8n provides its peer.
 * @param userFolder the folder n8n is started with
 * @throws Error with a sentence when npm fails
 */
export async function installTarball(tarball: string, userFolder: string): Promise<void> {
	const folder = await openNodesFolder(userFolder);
	const marker = join(folder, MARKER);
	const hash = createHash('sha256')
		.update(await readFile(tarball))
		.digest('hex');
	const { name } = await manifestOf(project);
	const installed = join(folder, 'node_modules', name);
	if (existsSync(join(installed, 'package.json')) && existsSync(marker)) {
		if ((await readFile(marker, 'utf8')) === hash) return;
	}

	// npm does not replace a package of the same version.
	await rm(installed, { recursive: true, force: true });
	await npm(
		[
			'install',
			...['--ignore-scripts', '--omit=dev', '--omit=peer', '--legacy-peer-deps'],
			...['--no-package-lock', '--no-audit', '--no-fund', '--prefer-offline'],
			resolve(tarball),
		],
		folder,
		join(userFolder, 'install-node.log'),
		'Installing the node into n8n',
	);
	await writeFile(marker, hash);
}

/**
 * Compiles every source into the installed package, now and each time one is saved. The compiler shows
 * its errors on this terminal, and writes the files in spite of them.
 * @param userFolder the folder n8n is started with, the variable N8N_DEV_RELOAD set to `true`
 */
export async function compileOnSave(userFolder: string): Promise<void> {
	const folder = await openNodesFolder(userFolder);
	// The next start must install its tarball even if it is the same one.
	await rm(join(folder, MARKER), { force: true });
	const { name } = await manifestOf(project);
	const outDir = join(folder, 'node_modules', name, 'dist');
	const options = ['--watch', '--preserveWatchOutput', '--outDir', outDir];
	// By its path, because from this folder the name leads to n8n's own TypeScript.
	spawnShown(join(project, 'node_modules', 'typescript', 'bin', 'tsc'), options, project);
}

/** The folder of an n8n's community nodes, created as n8n does at its first start. */
export async function openNodesFolder(userFolder: string): Promise<string> {
	const folder = join(userFolder, '.n8n', 'nodes');
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const manifest = join(folder, 'package.json');
	if (!existsSync(manifest)) {
		const empty = { name: 'installed-nodes', private: true, dependencies: {} };
		await writeFile(manifest, JSON.stringify(empty, null, 2));
	}
	return folder;
}

export async function manifestOf(folder: string): Promise<Manifest> {
	return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/**
 * Runs npm in a folder.
 * @param title the name of the step, for the error message
 * @throws Error with the end of npm's output, when it fails
 */
export async function npm(args: string[], cwd: string, log: string, title: string): Promise<void> {
	try {
		await run([...npmCommand(), ...args], { cwd, env: process.env, log });
	} catch (error) {
		if (!(error instanceof CommandError)) throw error;
		throw new Error(`${title} failed (${log}):\n${lastLines(log)}`);
	}
}
