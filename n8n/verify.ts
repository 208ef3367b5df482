/**
 * `npm run verify`: runs the checks of n8n's verification scan before publishing: the rules of both
 * plugins on the sources and the packed files, without inline disables, and the content of the
 * package. It lists what only the owner can set. With `-- --publish`, it fails if something is left to
 * set, and otherwise keeps the package in the project's folder.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ESLint } from 'eslint';
import { packNode } from './package';
import { consoleReport } from './report';

const project = resolve(__dirname, '..');
const report = consoleReport();
const isForPublishing = process.argv.includes('--publish');

/** The files that the scan checks, in the repository and in the published package. */
const SOURCES = ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'];
const PACKED = ['package.json', '**/*.js'];

const LARGEST_BYTES = 115_000;
/** The files allowed in the package. */
const EXPECTED =
	/^(package\.json|(README|LICENSE|THIRD-PARTY)\.md|dist\/(nodes|credentials|icons)\/.+)$/;
/** Fields that a community node must not have, because they add third-party code. */
const FORBIDDEN = ['dependencies', 'optionalDependencies', 'bundledDependencies', 'overrides'];

interface Manifest extends Record<string, unknown> {
	n8n: { nodes: string[]; credentials: string[] };
	peerDependencies: Record<string, string>;
}

async function main(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-verify-'));
	try {
		const tarball = await packNode(report, folder);
		await promisify(execFile)('tar', ['-xzf', tarball, '-C', folder]);
		const packed = join(folder, 'package');
		const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as Manifest;
		const left = [...leftToOwner(manifest), ...(await undocumented(packed, manifest))];
		for (const line of left) report(`For the owner to set: ${line}`);
		const isPublishable = left.length === 0;
		if (!isPublishable) report('The owner must set these before the package can be published.');
		if (!isPublishable && isForPublishing) {
			process.exitCode = 1;
			return;
		}
		const found = [
			...(await lint('Sources', project, SOURCES)),
			...(await lint('Packed files', packed, PACKED)),
			...(await checkContent(tarball, packed, manifest)),
		];
		for (const line of found) report(line);
		report(found.length === 0 ? 'The package passes all checks.' : 'The package does not pass.');
		process.exitCode = found.length === 0 ? 0 : 1;
		if (found.length === 0 && isForPublishing) {
			const file = basename(tarball);
			await copyFile(tarball, join(project, file));
			report(`Packed: ${file}. Publish it with \`npm publish ./${file}\`.`);
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** @returns a line per finding, including warnings */
async function lint(title: string, folder: string, patterns: string[]): Promise<string[]> {
	const eslint = new ESLint({
		cwd: folder,
		overrideConfigFile: join(__dirname, 'eslint.scan.mjs'),
		allowInlineConfig: false,
	});
	const results = await eslint.lintFiles(patterns);
	report(`${title}: ${results.length} files`);
	return results.flatMap(({ filePath, messages }) =>
		messages.map(
			({ line, ruleId, message }) =>
				`${filePath.slice(folder.length + 1)}:${line}: ${message} (${ruleId})`,
		),
	);
}

async function checkContent(
	tarball: string,
	packed: string,
	manifest: Manifest,
): Promise<string[]> {
	const files = (await readdir(packed, { recursive: true, withFileTypes: true }))
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(packed.length + 1));
	const { size } = await stat(tarball);
	report(`Package: ${files.length} files, ${(size / 1000).toFixed(1)} kB packed`);
	const registered = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	const peers = JSON.stringify(manifest.peerDependencies);
	return [
		...files.filter((file) => !EXPECTED.test(file)).map((file) => `${file} should not be packed`),
		...registered.filter((file) => !files.includes(file)).map((file) => `${file} is not packed`),
		...FORBIDDEN.filter((field) => field in manifest).map((field) => `package.json has "${field}"`),
		...(peers === '{"n8n-workflow":"*"}' ? [] : [`peerDependencies are ${peers}`]),
		...(size > LARGEST_BYTES ? [`the package has more than ${LARGEST_BYTES / 1000} kB`] : []),
	];
}

/** The scan also checks the package's repository, which only its owner can set. */
function leftToOwner(manifest: Manifest): string[] {
	const isPlaceholder = (field: string) =>
		manifest[field] === undefined || JSON.stringify(manifest[field]).includes('example.com');
	return [
		...['repository', 'author', 'homepage']
			.filter(isPlaceholder)
			.map((field) => `"${field}" in package.json`),
		// npm publishes nothing that has it, not even by hand; `ignore-scripts` would skip a script.
		...('private' in manifest ? ['"private" in package.json, to be removed last'] : []),
	];
}

/** The addresses of the documentation, which exist once the repository does. */
async function undocumented(packed: string, { n8n }: Manifest): Promise<string[]> {
	const left: string[] = [];
	for (const file of n8n.credentials) {
		const isOfN8n = (await readFile(join(packed, file), 'utf8')).includes('https://docs.n8n.io/');
		if (isOfN8n) left.push(`"documentationUrl" in ${file}`);
	}
	for (const file of n8n.nodes.map((node) => `${node}on`)) {
		const codex = JSON.parse(await readFile(join(packed, file), 'utf8')) as {
			resources: Record<string, unknown>;
		};
		for (const field of ['primaryDocumentation', 'credentialDocumentation']) {
			if (!(field in codex.resources)) left.push(`"${field}" in ${file}`);
		}
	}
	return left;
}

void main().catch((error: unknown) => {
	report(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});
