import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { withAbsoluteLinks } from '../../n8n/package';
import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import { BusinessListingSearchTrigger } from '../../nodes/BusinessListingSearchTrigger/BusinessListingSearchTrigger.node';
import { LANES } from '../../nodes/shared/pacing/lane';
import { OUTCOMES, type Reason } from '../../nodes/shared/errors/outcomes';
import {
	GRACE,
	LONGEST_MCP_CALL,
	LONGEST_RETRY_AFTER,
	MOST_ATTEMPTS,
} from '../../nodes/shared/time/timeLimits';
import { asOneLine, project, read, tracked } from '../support/repository';

const PAGES = tracked('*.md');

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
		expect(asOneLine(file)).toContain(said);
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
	const versions = tracked('test/versions/*/package-lock.json')
		.map((lock) => lock.split('/')[2]!)
		.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

	it('are those of CONTRIBUTING.md and of the workflow', () => {
		expect(versions.length).toBeGreaterThanOrEqual(4);
		const [last] = versions.slice(-1);
		const named = `n8n ${versions.slice(0, -1).join(', ')} and ${last}`;
		expect(asOneLine('CONTRIBUTING.md')).toContain(named);
		const listed = versions.map((version) => `'${version}'`).join(', ');
		expect(read('.github/workflows/ci.yml')).toContain(`n8n: [${listed}]`);
	});
});

/** A number of a source that exports none. */
function numberIn(source: string, constant: string): number {
	const [, number = ''] = new RegExp(`\\b${constant} = ([\\d_]+);`).exec(read(source)) ?? [];
	return Number(number.replaceAll('_', ''));
}

describe('the pages have the numbers of the code', () => {
	const { jobs, others } = LANES;
	const account = (file: string, constant: string) =>
		numberIn(`nodes/shared/pacing/${file}.ts`, constant);
	const inWords = 'no one two three four five six seven eight nine ten'.split(' ');
	const firstJobs = inWords[account('automaticLimit', 'LEAST_IN_ROUND')];
	const failures = inWords[account('gate', 'TROUBLES_IN_A_ROW')];
	const longestPause = account('gate', 'LONGEST_PAUSE') / 1000;
	const grace = inWords[GRACE / 1000];
	const shortestKey = inWords[numberIn('nodes/shared/service/redact.ts', 'SHORTEST_KEY')];
	const longestWait = `${LONGEST_RETRY_AFTER / 1000} seconds`;
	const limitOf = (example: string, name: string) => {
		const { nodes } = JSON.parse(read(`examples/${example}.json`)) as {
			nodes: Array<{ name: string; parameters: { limit?: number } }>;
		};
		return nodes.find((each) => each.name === name)?.parameters.limit;
	};
	const weekly = limitOf('scheduled-lead-collection', 'Due Keywords');
	const SENT = 'how-requests-are-sent';

	it.each([
		[SENT, `For jobs, it starts with ${jobs.start}, and never exceeds ${jobs.most}.`],
		[SENT, `For all other requests, it starts with ${others.start}, and never exceeds`],
		[SENT, `with ${others.start}, and never exceeds ${others.most}.`],
		[SENT, `up to ${longestWait}`],
		[SENT, `accepts nothing for ${longestWait}`],
		[SENT, `a wait alone can take ${longestWait}`],
		[SENT, `${inWords[MOST_ATTEMPTS]} times in all`],
		[SENT, `After ${failures} failures in a row`],
		[SENT, `wait, for up to ${longestPause} seconds`],
		[SENT, `gets ${grace} seconds`],
		['jobs', `the first ${firstJobs} jobs of an account go one by one`],
		['jobs', `the node sends up to ${jobs.most} at the same time`],
		['jobs', `ordering ${jobs.most * 50} jobs takes about a minute`],
		['blacklists', `The node sends up to ${others.most} requests at the same time`],
		['blacklists', `${(others.most * 300).toLocaleString('en')} values take about five minutes`],
		['ai-agents', `no request later than ${LONGEST_MCP_CALL / 1000} seconds`],
		['installing', `A key of ${shortestKey} or more characters is in no message`],
	])('docs/%s.md: %s', (file, said) => {
		expect(asOneLine(`docs/${file}.md`)).toContain(said);
	});

	it('README.md says how many keywords the first example takes', () => {
		expect(asOneLine('README.md')).toContain(`at most ${weekly} each Monday`);
	});

	it('docs/if-a-run-fails.md says of each status with a doubt whether a retry sends it', () => {
		const statusesOf = (...reasons: Reason[]) =>
			reasons.flatMap((reason) => OUTCOMES[reason].statuses ?? []).sort();
		expect(asOneLine('docs/if-a-run-fails.md')).toContain(
			`The service failed (${statusesOf('serverError').join(', ')}):** a retry sends it again`,
		);
		expect(asOneLine('docs/if-a-run-fails.md')).toContain(
			`a broken connection, ${statusesOf('notProcessed', 'redirectToResult').join(', ')} or another 5xx):** a retry sends a blacklist value again, but no job`,
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
		const range =
			maxValue === undefined ? `${minValue} or more` : `from ${minValue} to ${maxValue}`;
		expect(asOneLine(`docs/${file}.md`)).toMatch(
			new RegExp(`\\*\\*${displayName}\\*\\*: [^*]*, ${range}\\. n8n fills in ${String(value)}\\.`),
		);
	});

	const trigger = new BusinessListingSearchTrigger().description.properties;
	const named = (fields: INodeProperties[], wanted: string) =>
		fields.find(({ name }) => name === wanted)!;
	const limit = named(fieldsOf('getAll'), 'limit');

	it.each([
		['blacklists', `**Limit** is ${String(limit.default)}, and can be any number from`],
		['blacklists', `any number from ${limit.typeOptions!.minValue}.`],
		['usage-and-trigger', `**Threshold**, ${named(trigger, 'threshold').default} by default`],
		['jobs', `If empty, it uses \`${named(fieldsOf('create'), 'groupName').default}\``],
	])('docs/%s.md: %s', (file, said) => {
		expect(asOneLine(`docs/${file}.md`)).toContain(said);
	});

	it('docs/blacklists.md names the fields of Add Many Items, in the order of the form', () => {
		const [, listed = ''] = read('docs/blacklists.md').split('\n## Fields and options\n');
		const [list = ''] = listed.split('\n## ');
		const names = [...list.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, name]) => name);
		expect(names).toEqual(fieldsOf('addItems').map(({ displayName }) => displayName));
		const byName = (name: string) => fieldsOf('addItems').find((field) => field.name === name)!;
		const { default: output, options } = byName('output');
		expect(output).toBe('summary');
		expect(options).toContainEqual(expect.objectContaining({ name: 'Summary', value: output }));
		expect(list).toContain('- **Output**: **Summary**, or **Each Value**');
	});
});

describe('the errors that the docs quote', () => {
	const sources = tracked('nodes/*.ts', 'credentials/*.ts').map(read);
	const texts = sources.join('\n').replaceAll("\\'", "'");
	const [, messages = ''] = read('docs/installing.md').split('\n## n8n cannot connect\n');
	const quoted = [...messages.matchAll(/^- `\w+`, "(.+?)":/gm)].map(([, message]) => message!);

	it.each(quoted)('are those of the node: %s', (message) => {
		expect(texts).toContain(message);
	});
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
	const code = tracked('nodes/*.ts', 'credentials/*.ts').map(read).join('\n');
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

	it("leaves no link of the README that needs the repository's files beside it", () => {
		const targets = linksOf(withAbsoluteLinks(read('README.md'), repository));
		expect(targets.length).toBeGreaterThan(20);
		expect(targets.filter((target) => !/^(#|https:\/\/)/.test(target))).toEqual([]);
	});
});
