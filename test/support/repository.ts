import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const project = resolve(__dirname, '..', '..');

/** The text of a file of the repository. */
export const read = (file: string) => readFileSync(join(project, file), 'utf8');

/** The same as one line. */
export const asOneLine = (file: string) => read(file).replace(/\s+/g, ' ');

/** The files that git has of these patterns. */
export function tracked(...patterns: string[]): string[] {
	const listed = execFileSync('git', ['ls-files', ...patterns], { cwd: project, encoding: 'utf8' });
	return listed.trim().split('\n');
}
