/** "Before the first version" in RELEASING.md, carried out on a copy with an owner's values, but for the upload. */
import { spawnSync } from 'node:child_process';
import {
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { project, tracked } from '../support/repository';

const PAGE = 'https://github.com/owner/n8n-nodes-business-listing-search';

let copy: string;
beforeAll(() => {
	copy = mkdtempSync(join(tmpdir(), 'publish-'));
	const files = tracked('--cached', '--others', '--exclude-standard');
	for (const file of files) cpSync(join(project, file), join(copy, file));
	symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true }));

function edit(file: string, change: (text: string) => string): void {
	const path = join(copy, file);
	writeFileSync(path, change(readFileSync(path, 'utf8')));
}

function editJson(file: string, change: (json: Record<string, unknown>) => void): void {
	edit(file, (text) => {
		const json = JSON.parse(text) as Record<string, unknown>;
		change(json);
		return JSON.stringify(json, null, 2);
	});
}

/** Runs a command in the copy. @returns what it says @throws if it fails, with what it says */
function run(...args: string[]): string {
	const { status, stdout, stderr } = spawnSync(process.execPath, args, {
		cwd: copy,
		encoding: 'utf8',
		// In a test, n8n's linter judges differently.
		env: { ...process.env, NODE_ENV: undefined },
	});
	if (status !== 0) throw new Error(stdout + stderr);
	return stdout + stderr;
}
const verify = () => run('--import', 'tsx', 'n8n/verify.ts', '--publish');

it('stops before the owner has set anything, and passes after', () => {
	expect(verify).toThrow('The owner must set these before the package can be published.');

	editJson('package.json', (json) => {
		delete json.private;
		const url = `git+${PAGE}.git`;
		Object.assign(json, {
			author: { name: 'Owner', email: 'owner@owner.dev' },
			repository: { type: 'git', url },
			homepage: PAGE,
		});
	});
	edit('credentials/BusinessListingSearchApi.credentials.ts', (text) =>
		text.replace(/documentationUrl = '.*'/, `documentationUrl = '${PAGE}#readme'`),
	);
	for (const name of ['BusinessListingSearch', 'BusinessListingSearchTrigger']) {
		editJson(`nodes/${name}/${name}.node.json`, (json) => {
			const links = [{ url: `${PAGE}#readme` }];
			json.resources = { primaryDocumentation: links, credentialDocumentation: links };
		});
	}

	expect(verify()).toContain('The package passes all checks.');
	expect(readdirSync(copy).filter((file) => file.endsWith('.tgz'))).toHaveLength(1);
	run('node_modules/jest/bin/jest.js', 'test/unit/description.test.ts');
});
