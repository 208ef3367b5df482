import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { addressOf, withAbsoluteLinks } from '../../n8n/package';
import { LANES } from '../../nodes/shared/account/lane';
import { LONGEST_RETRY_AFTER, MOST_ATTEMPTS } from '../../nodes/shared/waits';

const project = resolve(__dirname, '..', '..');
const read = (file: string) => readFileSync(join(project, file), 'utf8');
const PAGES = execFileSync('git', ['ls-files', '*.md'], { cwd: project, encoding: 'utf8' })
	.trim()
	.split('\n');

/** The targets of the links and pictures of a page, in order. */
function linksOf(markdown: string): string[] {
	return [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(markdown: string): string[] {
	return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading!
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replace(/ /g, '-'),
	);
}

describe('the pages of the repository', () => {
	it.each(PAGES)('%s has no broken links', (page) => {
		const markdown = read(page);
		const broken = linksOf(markdown)
			.filter((target) => !/^[a-z]+:/i.test(target))
			.filter((target) => {
				const [path = '', anchor] = target.split('#');
				const file = path === '' ? page : join(dirname(page), path);
				if (!existsSync(join(project, file))) return true;
				return anchor !== undefined && !anchorsOf(read(file)).includes(anchor);
			});
		expect(broken).toEqual([]);
	});

	it.each(PAGES)('%s has valid JSON', (page) => {
		const blocks = [...read(page).matchAll(/^```json\n([^]*?)^```/gm)].map(([, text]) => text!);
		// A client's configuration is shown in part.
		const parsed = blocks.map((text) => JSON.parse(/^"/.test(text) ? `{${text}}` : text) as object);
		expect(parsed.every((each) => typeof each === 'object')).toBe(true);
	});

	it.each(PAGES)('%s names only commands that exist', (page) => {
		const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
		const named = [...read(page).matchAll(/\bnpm run ([\w:.]*\w)/g)];
		const unknown = named.flatMap(([, name]) => (name! in scripts ? [] : [name]));
		expect(unknown).toEqual([]);
	});

	it('the README names the version of Node.js that the project needs', () => {
		const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
		expect(read('README.md')).toContain(`Node.js ${engines.node.replace('>=', '')} or later`);
	});
});

describe('the pinned versions of n8n', () => {
	interface Dependencies {
		dependencies: Record<string, string>;
		devDependencies: Record<string, string>;
	}
	const [newer = '', older = ''] = ['n8n/package.json', 'n8n/1.x/package.json'].map(
		(file) => (JSON.parse(read(file)) as Dependencies).dependencies.n8n!,
	);
	const [newerLine, olderLine] = [newer, older].map((version) => version.replace(/\.\d+$/, ''));

	it.each([
		['README.md', `n8n ${newerLine} and ${olderLine}`],
		['CONTRIBUTING.md', `n8n ${newer} and ${older}`],
		['test/reliances/README.md', `in ${newerLine} and ${olderLine}`],
		['.github/ISSUE_TEMPLATE/problem.yml', `e.g. ${newer}`],
		['n8n/install.ts', `'${newerLine}'`],
		['n8n/install.ts', `'${olderLine}'`],
	])('%s says %s', (file, said) => {
		expect(read(file).replace(/\s+/g, ' ')).toContain(said);
	});

	it.each(['n8n-core', 'n8n-workflow'])('%s in package.json is what n8n depends on', (name) => {
		const lock = JSON.parse(read('n8n/package-lock.json')) as {
			packages: Record<string, Dependencies>;
		};
		const { devDependencies } = JSON.parse(read('package.json')) as Dependencies;
		expect(devDependencies[name]).toBe(lock.packages['node_modules/n8n']!.dependencies[name]);
	});
});

describe('the engines of n8n in test/versions', () => {
	const locks = execFileSync('git', ['ls-files', 'test/versions/*/package-lock.json'], {
		cwd: project,
		encoding: 'utf8',
	});
	const versions = locks
		.trim()
		.split('\n')
		.map((lock) => lock.split('/')[2]!)
		.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

	it('are those of CONTRIBUTING.md and of the workflow', () => {
		expect(versions.length).toBeGreaterThanOrEqual(4);
		const [last] = versions.slice(-1);
		const named = `n8n ${versions.slice(0, -1).join(', ')} and ${last}`;
		expect(read('CONTRIBUTING.md').replace(/\s+/g, ' ')).toContain(named);
		const listed = versions.map((version) => `'${version}'`).join(', ');
		expect(read('.github/workflows/ci.yml')).toContain(`n8n: [${listed}]`);
	});
});

it('docs/how-requests-are-sent.md has the numbers of the code', () => {
	const page = read('docs/how-requests-are-sent.md').replace(/\s+/g, ' ');
	const { jobs, others } = LANES;
	expect(MOST_ATTEMPTS).toBe(5);
	for (const said of [
		`For jobs, it starts with ${jobs.start} and stops at ${jobs.most}.`,
		`For all other requests, it starts with ${others.start} and stops at ${others.most}.`,
		`up to ${LONGEST_RETRY_AFTER / 1000} seconds`,
		'five times in all',
	]) {
		expect(page).toContain(said);
	}
});

describe('the errors that the docs quote', () => {
	const sources = execFileSync('git', ['ls-files', 'nodes/*.ts', 'credentials/*.ts'], {
		cwd: project,
		encoding: 'utf8',
	});
	const texts = sources.trim().split('\n').map(read).join('\n').replaceAll("\\'", "'");
	const [, messages = ''] = read('docs/if-a-run-fails.md').split('\n## Messages\n');
	const headings = [...messages.matchAll(/^### (.+)$/gm)].map(([, message]) => message!);
	const OF_N8N = 'Unrecognized node type …';
	// An example of an error: its message, and its steps.
	const example = [...read('docs/if-a-run-fails.md').matchAll(/^> (?:_(.+)_|\d\. (.+))$/gm)]
		.map(([, message, step]) => message ?? step!)
		.map((text) => text.replace(/execution 7|original/, '…'));
	const quoted = [...headings, ...example].filter((text) => text !== OF_N8N);

	it('are many', () => {
		expect(headings.filter((text) => text !== OF_N8N).length).toBeGreaterThan(5);
		expect(example).toHaveLength(4);
	});

	// An ellipsis stands for what varies.
	it.each(quoted)('are those of the node: %s', (message) => {
		const missing = message.split('…').filter((part) => !texts.includes(part.trim()));
		expect(missing).toEqual([]);
	});
});

it.each([
	['github:owner/name', 'https://github.com/owner/name'],
	['owner/name', 'https://github.com/owner/name'],
	['https://github.com/owner/name', 'https://github.com/owner/name'],
	[{ url: 'git+https://github.com/owner/name.git' }, 'git+https://github.com/owner/name.git'],
	[undefined, undefined],
])('the address of the repository %j is %j', (repository, address) => {
	expect(addressOf(repository)).toBe(address);
});

it('what this node relies on in n8n is listed as it is tested', () => {
	const tests = read('test/reliances/reliances.test.ts');
	const titles = [...tests.matchAll(/\bit(?:\.each\([\s\S]*?\))?\(\s*(['"])(.+?)(?:: %s)?\1,/g)];
	const [listed] = read('test/reliances/README.md').split('## Seen in the whole n8n only');
	const sections = [...tests.matchAll(/^describe\('(.+)'/gm)].map(([, title]) => title);
	const rows = [...listed!.matchAll(/^\| (?!-)(.+?) +\|/gm)]
		.map(([, title]) => title)
		.filter((title) => !sections.includes(title));
	expect(rows).toEqual(titles.map(([, , title]) => title));
});

it('since when n8n has what this node uses is listed', () => {
	const sources = execFileSync('git', ['ls-files', 'nodes/*.ts', 'credentials/*.ts'], {
		cwd: project,
		encoding: 'utf8',
	});
	const code = sources.trim().split('\n').map(read).join('\n');
	const imports = [...code.matchAll(/import \{([^}]*)\} from 'n8n-workflow'/g)]
		.flatMap(([, names]) => names!.split(','))
		.map((name) => name.trim())
		.filter((name) => name !== '' && !name.startsWith('type '));
	const members = [
		...code.matchAll(
			/\b(?:context|first|this|helpers)\.(get[A-Z]\w*|\w+OnFail|add\w+Hints|httpRequest\w*)/g,
		),
	].map(([, name]) => name!);
	expect(members).toContain('getNodeParameter');
	const page = read('test/reliances/SINCE.md');
	const missing = new Set([...imports, ...members].filter((name) => !page.includes(`\`${name}\``)));
	expect([...missing]).toEqual([]);
});

describe('withAbsoluteLinks', () => {
	const repository = 'git+https://github.com/owner/name.git';

	it('points links to the pages of the repository, and pictures to the files', () => {
		const links = '[a](docs/a.md#b) ![c](docs/images/c.png) [d](#d) [e](https://example.com/e)';
		expect(withAbsoluteLinks(links, repository)).toBe(
			'[a](https://github.com/owner/name/blob/HEAD/docs/a.md#b) ' +
				'![c](https://github.com/owner/name/raw/HEAD/docs/images/c.png) [d](#d) [e](https://example.com/e)',
		);
	});

	it("leaves no link of the README that needs the repository's files beside it", () => {
		const targets = linksOf(withAbsoluteLinks(read('README.md'), repository));
		expect(targets.length).toBeGreaterThan(20);
		expect(targets.filter((target) => !/^(#|https:\/\/)/.test(target))).toEqual([]);
	});
});
