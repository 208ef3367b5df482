import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/*
 * Runs the soak with the node of a commit and with the present one, and lists the executions that show a person
 * something else: outputs, messages, descriptions and the sums of cancelled runs.
 *
 *     npm run soak:compare -- <commit> [<seed> ...]
 */
const root = resolve(__dirname, '..', '..', '..');
const [commit = 'HEAD', ...given] = process.argv.slice(2);
const seeds = given.length > 0 ? given : ['101', '202', '303', '404'];
/** About 600 executions. */
const SOAK = process.env.SOAK ?? '1000';
const SOURCES = ['nodes', 'credentials'];

const folder = mkdtempSync(join(tmpdir(), 'versions-'));
try {
	const [before, after] = [join(folder, 'before'), join(folder, 'after')];
	for (const copy of [before, after]) {
		for (const part of [...SOURCES, 'test', 'sandbox', 'package.json', 'jest.config.cjs']) {
			cpSync(join(root, part), join(copy, part), { recursive: true });
		}
		symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
	}
	for (const source of SOURCES) rmSync(join(before, source), { recursive: true });
	const archive = execFileSync('git', ['archive', commit, ...SOURCES], {
		cwd: root,
		maxBuffer: 2 ** 28,
	});
	execFileSync('tar', ['-x', '-C', before], { input: archive });
	let differences = 0;
	for (const seed of seeds) {
		const [old, now] = [before, after].map((copy) => soak(copy, seed));
		const changed = old!.flatMap((line, index) => (line === now![index] ? [] : [index]));
		for (const index of changed) console.log(`- ${old![index]}\n+ ${now![index]}\n`);
		console.log(`Seed ${seed}: ${changed.length} of ${old!.length} executions differ.`);
		differences += changed.length;
	}
	process.exitCode = differences === 0 ? 0 : 1;
} finally {
	rmSync(folder, { recursive: true });
}

/** @returns a line for each execution */
function soak(copy: string, seed: string): string[] {
	const file = join(copy, `soak-${seed}`);
	writeFileSync(file, '');
	const jest = join(copy, 'node_modules', 'jest', 'bin', 'jest.js');
	const config = ['--config', 'test/jest.slow.config.cjs', '--selectProjects', 'long'];
	execFileSync(process.execPath, [jest, ...config, '--runInBand', 'soak/soak.test'], {
		cwd: copy,
		env: { ...process.env, SOAK, SOAK_SEED: seed, SOAK_FILE: file },
		stdio: 'ignore',
	});
	return readFileSync(file, 'utf8').trimEnd().split('\n');
}
