import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { addressOf, withAbsoluteLinks } from '../../n8n/package';
import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import { BusinessListingSearchTrigger } from '../../nodes/BusinessListingSearchTrigger/BusinessListingSearchTrigger.node';
import { LANES } from '../../nodes/shared/account/lane';
import { OUTCOMES, type Reason } from '../../nodes/shared/errors/outcomes';
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

it('README names the command that starts n8n, and the one that runs the tests', () => {
	expect(read('README.md')).toContain('`npm ci && npm start`');
	expect(read('README.md')).toContain('`npm ci && npm test`');
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

/** A page as one line. */
const page = (file: string) => read(file).replace(/\s+/g, ' ');

/** A number of a source that exports none. */
function numberIn(source: string, constant: string): number {
	const [, number = ''] = new RegExp(`\\b${constant} = ([\\d_]+);`).exec(read(source)) ?? [];
	return Number(number.replaceAll('_', ''));
}

describe('the pages have the numbers of the code', () => {
	const { jobs, others } = LANES;
	const account = 'nodes/shared/account';
	const node = 'nodes/BusinessListingSearch';
	const inWords = [
		'no',
		'one',
		'two',
		'three',
		'four',
		'five',
		'six',
		'seven',
		'eight',
		'nine',
		'ten',
	];
	const firstJobs = inWords[numberIn(`${account}/automaticLimit.ts`, 'LEAST_IN_ROUND')];
	const longestWait = `${LONGEST_RETRY_AFTER / 1000} seconds`;
	const limitOf = (example: string, name: string) => {
		const { nodes } = JSON.parse(read(`examples/${example}.json`)) as {
			nodes: Array<{ name: string; parameters: { limit?: number } }>;
		};
		return nodes.find((each) => each.name === name)?.parameters.limit;
	};
	const weekly = limitOf('scheduled-lead-collection', 'Due Keywords');

	it.each([
		[
			'how-requests-are-sent',
			`For jobs, it starts with ${jobs.start} (the first ${firstJobs} go one by one), and never exceeds ${jobs.most}.`,
		],
		[
			'how-requests-are-sent',
			`For all other requests, it starts with ${others.start}, and never exceeds ${others.most}.`,
		],
		['how-requests-are-sent', `up to ${longestWait}`],
		['how-requests-are-sent', `accepted no request of this kind for ${longestWait}`],
		['how-requests-are-sent', `with ${longestWait} more for a wait`],
		['how-requests-are-sent', `${inWords[MOST_ATTEMPTS]} times in all`],
		[
			'how-requests-are-sent',
			`refused ${inWords[numberIn(`${account}/lane.ts`, 'MOST_REFUSALS')]} times`,
		],
		[
			'how-requests-are-sent',
			`After ${inWords[numberIn(`${account}/breaker.ts`, 'TROUBLES_IN_A_ROW')]} failures in a row`,
		],
		[
			'how-requests-are-sent',
			`doubles up to ${numberIn(`${account}/breaker.ts`, 'LONGEST_PAUSE') / 1000} seconds`,
		],
		[
			'how-requests-are-sent',
			`gets ${inWords[numberIn(`${account}/requester.ts`, 'GRACE') / 1000]} seconds`,
		],
		['jobs', `The first ${firstJobs} jobs go one by one`],
		['jobs', `the node sends up to ${jobs.most} at the same time`],
		['jobs', `ordering ${jobs.most * 50} jobs takes about a minute`],
		['blacklists', `The node sends up to ${others.most} requests at the same time`],
		['blacklists', `${(others.most * 300).toLocaleString('en')} values take about five minutes`],
		[
			'ai-agents',
			`no request later than ${numberIn(`${node}/run/items.ts`, 'MCP_STARTS_WITHIN') / 1000} seconds`,
		],
		[
			'installing',
			`at least ${inWords[numberIn('nodes/shared/http/secret.ts', 'SHORTEST_KEY')]} characters`,
		],
	])('docs/%s.md: %s', (file, said) => {
		expect(page(`docs/${file}.md`)).toContain(said);
	});

	it('README.md says how many keywords the first example takes', () => {
		expect(page('README.md')).toContain(`once a month, ${weekly} each Monday`);
	});

	it('docs/if-a-run-fails.md has each status with a doubt where the table of outcomes has it', () => {
		const statusesOf = (...reasons: Reason[]) =>
			reasons.flatMap((reason) => OUTCOMES[reason].statuses ?? []).sort();
		expect(page('docs/if-a-run-fails.md')).toContain(
			`The service failed (${statusesOf('failed').join(', ')}) | Sends it again`,
		);
		expect(page('docs/if-a-run-fails.md')).toContain(
			`a broken connection, ${statusesOf('notProcessed', 'redirectToResult').join(', ')} or another 5xx`,
		);
	});
});

describe('the pages have the defaults and the ranges of the form', () => {
	const { properties } = new BusinessListingSearch().description;
	const fieldsOf = (operation: string) =>
		properties
			.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes(operation))
			.flatMap((field) =>
				field.name === 'options' ? (field.options as INodeProperties[]) : field,
			);

	it.each([
		...['concurrency', 'maxJobs', 'minRemaining'].map((name) => ['jobs', 'create', name]),
		['blacklists', 'addItems', 'concurrency'],
	])('docs/%s.md, %s: %s', (file, operation, name) => {
		const {
			displayName,
			default: value,
			typeOptions,
		} = fieldsOf(operation!).find((field) => field.name === name)!;
		const { minValue, maxValue } = typeOptions!;
		const range = maxValue === undefined ? `from ${minValue}` : `from ${minValue} to ${maxValue}`;
		expect(page(`docs/${file}.md`)).toMatch(
			new RegExp(`\\*\\*${displayName}\\*\\*: [^*]*, ${range}\\. n8n fills in ${String(value)}\\.`),
		);
	});

	it('docs/blacklists.md names the fields of Add Many Items, in the order of the form', () => {
		const [, listed = ''] = read('docs/blacklists.md').split('\n## Fields and options\n');
		const [list = ''] = listed.split('\n## ');
		const names = [...list.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, name]) => name);
		expect(names).toEqual(fieldsOf('addItems').map(({ displayName }) => displayName));
		const byName = (name: string) => fieldsOf('addItems').find((field) => field.name === name)!;
		expect(byName('cleanValues').default).toBe(true);
		expect(list).toContain('- **Clean Values**: on.');
		const { default: output, options } = byName('output');
		expect(output).toBe('summary');
		expect(options).toContainEqual(expect.objectContaining({ name: 'Summary', value: output }));
		expect(list).toContain('- **Output**: **Summary**, or **Each Value**');
	});

	it('docs/blacklists.md has the default and the least of Limit', () => {
		const { default: value, typeOptions } = fieldsOf('getAll').find(
			({ name }) => name === 'limit',
		)!;
		expect(page('docs/blacklists.md')).toContain(
			`**Limit** is ${String(value)}, and can be any number from ${typeOptions!.minValue}.`,
		);
	});

	it('docs/usage-and-trigger.md has the default of Threshold', () => {
		const { default: value } = new BusinessListingSearchTrigger().description.properties.find(
			({ name }) => name === 'threshold',
		)!;
		expect(page('docs/usage-and-trigger.md')).toContain(
			`**Threshold**, ${String(value)} by default`,
		);
	});

	it('docs/jobs.md has the default of Group Name', () => {
		const { default: value } = fieldsOf('create').find(({ name }) => name === 'groupName')!;
		expect(page('docs/jobs.md')).toContain(`If empty, it uses \`${String(value)}\``);
	});
});

describe('the errors that the docs quote', () => {
	const sources = execFileSync('git', ['ls-files', 'nodes/*.ts', 'credentials/*.ts'], {
		cwd: project,
		encoding: 'utf8',
	});
	const texts = sources.trim().split('\n').map(read).join('\n').replaceAll("\\'", "'");
	const [, messages = ''] = read('docs/installing.md').split('\n## n8n cannot connect\n');
	const quoted = [...messages.matchAll(/^- `\w+`, "(.+?)":/gm)].map(([, message]) => message!);

	it('are some', () => {
		expect(quoted.length).toBeGreaterThan(2);
	});

	it.each(quoted)('are those of the node: %s', (message) => {
		expect(texts).toContain(message);
	});

	it('the item of an error output is one of the node', () => {
		const [, json = ''] = /```json\n([^]*?)```/.exec(read('docs/if-a-run-fails.md')) ?? [];
		const { error, message } = JSON.parse(json) as { error: string; message: string };
		const { message: happened, correct } = OUTCOMES.rejectedInput;
		expect(error).toBe(happened);
		expect(message).toBe(
			`${correct} Then run the workflow with only the items that were not done.`,
		);
		expect(texts).toContain('the workflow with only ${what}.');
	});

	it.each(['Retry with original workflow', 'Retry with currently saved workflow'])(
		'%s is a choice that an error names',
		(choice) => {
			const [, word] = /with (.+) workflow/.exec(choice)!;
			expect(read('docs/if-a-run-fails.md')).toContain(`**${choice}**`);
			expect(texts).toContain(`retryWith('${word}')`);
		},
	);
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
