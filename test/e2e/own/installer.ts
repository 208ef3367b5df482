import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { locateN8n } from '../../../n8n/install';
import { manifestOf, npm, openNodesFolder } from '../../../n8n/package';
import { N8N_FOLDER, type TestN8n } from '../n8n';

const execute = promisify(execFile);

/** The name of this package. */
export const PACKAGE = 'n8n-nodes-business-listing-search';

/**
 * Installs a packed node, or another version of it, in the steps of n8n's own installer
 * (`downloadPackage` of its community packages), except for the download. n8n must not be running.
 */
export async function installAsN8nDoes(tarball: string, userFolder: string): Promise<void> {
	const downloads = await openNodesFolder(userFolder);
	const folder = join(downloads, 'node_modules', PACKAGE);
	await unpack(tarball, folder);
	const kept = await readJson(folder);
	for (const field of ['devDependencies', 'peerDependencies', 'optionalDependencies']) {
		delete kept[field];
	}
	await writeJson(folder, kept);
	await npm(
		[
			...['install', '--audit=false', '--fund=false', '--bin-links=false'],
			...['--install-strategy=shallow', '--ignore-scripts=true', '--package-lock=false'],
		],
		folder,
		join(userFolder, 'npm.log'),
		'Installing as n8n does',
	);
	// To list community packages, n8n lets npm check for updates, which must not leave this machine.
	await writeFile(join(downloads, '.npmrc'), 'offline=true\n');
	const ledger = await readJson(downloads);
	ledger.dependencies = { ...(ledger.dependencies as object), [PACKAGE]: kept.version };
	await writeJson(downloads, ledger);
}

/**
 * Adds the package and its nodes to n8n's database, as its installer does once the nodes are loaded.
 * n8n must be running.
 */
export async function recordAsN8nDoes({ client }: TestN8n, userFolder: string): Promise<void> {
	const { version, author } = (await readJson(
		join(userFolder, '.n8n', 'nodes', 'node_modules', PACKAGE),
	)) as { version: string; author: { name: string; email: string } };
	const nodes = (await client.nodeTypes()).filter(
		// n8n creates the variants for agents itself.
		({ name }) => name.startsWith(`${PACKAGE}.`) && !name.endsWith('Tool'),
	);
	const statements = [
		['DELETE FROM installed_nodes WHERE package = ?', PACKAGE],
		['DELETE FROM installed_packages WHERE packageName = ?', PACKAGE],
		[
			'INSERT INTO installed_packages (packageName, installedVersion, authorName, authorEmail) VALUES (?, ?, ?, ?)',
			...[PACKAGE, version, author.name, author.email],
		],
		...nodes.map((node) => [
			'INSERT INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)',
			...[node.displayName, node.name, node.version, PACKAGE],
		]),
	];
	const { node, folder } = locateN8n(N8N_FOLDER);
	const database = join(userFolder, '.n8n', 'database.sqlite');
	await execute(node, ['-e', WRITE, database, JSON.stringify(statements)], { cwd: folder });
}

/** Uses n8n's SQLite module, which only its own Node.js can load. */
const WRITE = `
	const { Database } = require('sqlite3');
	const [, file, statements] = process.argv;
	const database = new Database(file);
	database.configure('busyTimeout', 10000);
	database.serialize(() => {
		for (const [sql, ...values] of JSON.parse(statements)) {
			database.run(sql, values, (error) => {
				if (error) throw error;
			});
		}
	});
	database.close();
`;

/**
 * Packs the same build as a higher version.
 * @param folder for the tarball and its files
 */
export async function raiseVersion(
	tarball: string,
	folder: string,
): Promise<{ tarball: string; version: string }> {
	const unpacked = join(folder, 'raised');
	await unpack(tarball, unpacked);
	const [major] = (await manifestOf(unpacked)).version.split('.');
	const version = `${Number(major) + 1}.0.0`;
	await writeJson(unpacked, { ...(await readJson(unpacked)), version });
	await npm(
		['pack', '--ignore-scripts', '--pack-destination', folder],
		unpacked,
		join(folder, 'npm.log'),
		'Packing the higher version',
	);
	return { tarball: join(folder, `${PACKAGE}-${version}.tgz`), version };
}

async function unpack(tarball: string, folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await execute('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}

async function readJson(folder: string): Promise<Record<string, unknown>> {
	return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<
		string,
		unknown
	>;
}

async function writeJson(folder: string, manifest: object): Promise<void> {
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
}
