import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { domainToASCII } from 'node:url';
import tlds from 'tlds';

import { dataModules, REGISTRIES } from '../../n8n/data';
import { cleanValue } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/clean';
import { PUBLIC_SUFFIXES } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/publicSuffixes.data';
import * as examples from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/exampleAddresses.data';
import { SHARED_SITES } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/sharedSites.data';
import { sharedSiteOf } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/sharedSites';

const project = resolve(__dirname, '..', '..');

const linesOf = (text: string) => text.trim().split('\n');
const sorted = (entries: string[]) => [...new Set(entries)].sort();

it('the data of packages is what `npm run data` writes', async () => {
	for (const [file, content] of await dataModules()) {
		expect([file, await readFile(join(project, file), 'utf8')]).toEqual([file, content]);
	}
});

it('the licenses of the packages are in the package', async () => {
	const [notice, mit, ...licenses] = await Promise.all(
		[
			...['THIRD-PARTY.md', 'LICENSE.md', 'node_modules/freemail/LICENSE'],
			...['node_modules/tlds/LICENSE', 'node_modules/free-email-domains/LICENSE.md'],
			...['node_modules/psl/LICENSE', 'node_modules/tldts/LICENSE'],
		].map(async (file) => await readFile(join(project, file), 'utf8')),
	);
	const words = (text: string) => text.split(/\s+/).join(' ').trim();
	for (const license of licenses) {
		const [, copyright = '', terms = ''] = /(Copyright .+)([^]+)/.exec(license) ?? [];
		expect(notice).toContain(copyright);
		expect(words(`${notice}${mit}`)).toContain(words(terms));
	}
});

describe('an ending', () => {
	const suffixes = linesOf(PUBLIC_SUFFIXES).flatMap((line) => {
		const [ending = '', ...names] = line.split(' ');
		const inCountry = ['ac', 'co', 'com', 'edu', 'gov', 'net', 'org'];
		const all = ending.length === 2 ? [...names, ...inCountry] : names;
		return all.map((name) => `${name}.${ending}`);
	});

	/** What becomes of a domain, with its type and without. */
	const outcomesOf = (host: string) =>
		(['domain', 'auto'] as const).map((type) => {
			const cleaned = cleanValue(type, host);
			return 'value' in cleaned ? cleaned.value : cleaned.reason;
		});
	const sent = (host: string) => [host, host];

	it('of two parts is no domain, and what is below it is one', () => {
		expect(suffixes.length).toBeGreaterThan(4_500);
		// As a shared site, gov.uk and the like have a reason of their own.
		const reasons = /^(?:has no name in front of an ending|is on|is the domain of a mail|is www)/;
		for (const suffix of suffixes.filter((each) => !each.startsWith('*'))) {
			for (const outcome of outcomesOf(suffix)) {
				expect([suffix, outcome]).toEqual([suffix, expect.stringMatching(reasons)]);
			}
			const below = `shop.${suffix}`;
			const [outcome] = outcomesOf(below);
			const isSent = outcome === below || /^is on|^is the domain of a mail/.test(outcome!);
			expect([below, outcome, isSent]).toEqual([below, outcome, true]);
		}
	});

	it('of two parts is each name where the list has a wildcard', () => {
		const wildcards = suffixes.filter((each) => each.startsWith('*')).map((each) => each.slice(1));
		expect(wildcards).toEqual(expect.arrayContaining(['.np', '.sch.uk']));
		// The list has dropped these.
		expect(wildcards).not.toEqual(expect.arrayContaining(['.bd']));
		expect(wildcards).not.toEqual(expect.arrayContaining(['.kh']));
		for (const wildcard of wildcards) {
			for (const name of ['com', 'acme', 'a-b']) {
				expect(outcomesOf(`${name}${wildcard}`)[0]).toMatch(/^has no name in front/);
				expect(outcomesOf(`shop.${name}${wildcard}`)).toEqual(sent(`shop.${name}${wildcard}`));
			}
		}
	});

	it('of a registry is in the Public Suffix List, and not in the part that is read from it', async () => {
		const file = join(project, 'node_modules/psl/data/rules.js');
		const rules = new Set((await readFile(file, 'utf8')).match(/(?<=")[^"\s]+(?=")/g));
		const registries = REGISTRIES.flatMap((names) => names.split(' '));
		expect(registries.filter((each) => !rules.has(each))).toEqual([]);
		expect(registries.length).toBe(new Set(registries).size);
	});

	it('of one part is each that exists', () => {
		for (const ending of tlds.map(domainToASCII)) {
			expect(outcomesOf(`her-firm.shop.${ending}`)).toEqual(sent(`her-firm.shop.${ending}`));
		}
	});
});

it('the examples of forms are sorted, each once', () => {
	for (const text of Object.values(examples)) expect(linesOf(text)).toEqual(sorted(linesOf(text)));
});

it('no file of the package has the text that a scan for short links looks for', async () => {
	const options = { recursive: true, withFileTypes: true } as const;
	const folders = await Promise.all(
		['nodes', 'credentials', 'icons'].map((folder) => readdir(join(project, folder), options)),
	);
	const sources = folders
		.flat()
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name));
	const others = ['package.json', 'README.md', 'LICENSE.md', 'THIRD-PARTY.md'];
	expect(sources.length).toBeGreaterThan(50);
	for (const file of [...sources, ...others.map((name) => join(project, name))]) {
		expect([file, /bit\.ly/i.test(await readFile(file, 'utf8'))]).toEqual([file, false]);
	}
});

describe('the shared sites', () => {
	const groups = linesOf(SHARED_SITES)
		.join('\n')
		.split(/^# .+\n/m)
		.slice(1)
		.map(linesOf);
	/** Of a line that is an ending with the names in front of it, each host. */
	const entries = groups.flat().flatMap((line) => {
		const [ending, ...names] = line.split(' ');
		return names.length === 0 ? line : names.map((name) => `${name}${ending}`);
	});

	it('are sorted under each heading', () => {
		expect(groups.length).toBeGreaterThan(10);
		for (const group of groups) {
			const sites = group.map((entry) => entry.replace('=', ''));
			expect(sites).toEqual(sorted(sites));
		}
	});

	it('of an ending are sorted and of that ending only', () => {
		const lines = groups.flat().filter((line) => line.includes(' '));
		expect(lines.map((line) => line.split(' ')[0])).toEqual(['.ly']);
		for (const [, ...names] of lines.map((line) => line.split(' '))) {
			expect(names).toEqual(sorted(names));
		}
	});

	it('have no www. before them: cleaning takes it away, so such a line would never match', () => {
		expect(entries.filter((entry) => /^=?www\./.test(entry))).toEqual([]);
	});

	it('are brands and hosts, none of which another one covers', () => {
		expect(new Set(entries).size).toBe(entries.length);
		for (const entry of entries) {
			expect(entry).toMatch(/^(?:[a-z\d-]+|=?(?:[a-z\d-]+\.)+[a-z][a-z\d-]+)$/);
			const [label, ...parent] = entry.replace('=', '').split('.');
			if (parent.length === 0) continue;
			expect([entry, sharedSiteOf(['any', ...parent].join('.'))]).toEqual([entry, undefined]);
			const isEnding = /^(?:[^.]+|(?:com?|net|org)\.[a-z]{2})$/.test(parent.join('.'));
			expect([entry, isEnding && entries.includes(label!)]).toEqual([entry, false]);
		}
	});
});
