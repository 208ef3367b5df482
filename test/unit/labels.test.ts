import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { BusinessListingSearchApi } from '../../credentials/BusinessListingSearchApi.credentials';
import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import { BusinessListingSearchTrigger } from '../../nodes/BusinessListingSearchTrigger/BusinessListingSearchTrigger.node';

const root = join(__dirname, '..', '..');

/** Every label of the forms: of fields, collections, modes and choices. */
function labelsIn(described: unknown): string[] {
	if (typeof described !== 'object' || described === null) return [];
	const { displayName, name } = described as { displayName?: unknown; name?: unknown };
	const label = displayName ?? name;
	const inner = Object.values(described).flatMap(labelsIn);
	return typeof label === 'string' ? [label, ...inner] : inner;
}

const OWN = new Set(
	[
		new BusinessListingSearch().description,
		new BusinessListingSearchTrigger().description,
		new BusinessListingSearchApi(),
	].flatMap(labelsIn),
);

/** What n8n itself calls its fields, buttons and nodes. */
const OF_N8N = new Set([
	...[
		'Install',
		'Update',
		'Actions',
		'Executions',
		'Credential',
		'Settings',
		'Request Options',
		'Timeout',
		'Proxy',
		'Batching',
	],
	...[
		'On Error',
		'Continue',
		'Retry On Fail',
		'Retry',
		'Retry with original workflow',
		'Retry with currently saved workflow',
		'Mode',
	],
	...[
		'Execute step',
		'Execute workflow',
		'Execute Sub-workflow',
		'Run once for each item',
		'Limit',
		'Filter',
		'Wait',
		'Save execution progress',
	],
	...[
		'Poll Times',
		'Every Hour',
		'Fetch Test Event',
		'Import from File',
		'Timeout Workflow',
		'Agents',
	],
	...['Predefined Credential Type', 'AI Agent', 'MCP Server Trigger', 'Bearer Auth', 'Chat Model'],
	...['Production URL', 'Authentication', 'Let the model define this parameter', 'Instructions'],
	...['On Form Submission', 'Create job'],
	...['Follow Redirects', 'Ignore SSL Issues (Insecure)', 'Always Output Data'],
	...['Continue (using error output)', 'Wait For Sub-Workflow Completion'],
	...['Community nodes', 'Overview', 'Data tables', 'Error workflow', 'Call n8n Workflow Tool'],
	// GitHub's
	...['Security', 'Report a vulnerability'],
]);

/** What a row or a paragraph is about, in bold as well. */
const HEADINGS = new Set([
	// README.md
	...['Bounded', 'Patient', 'Never pays twice', 'Loses no job', 'Stops when told'],
	...['Stays in budget', 'Keeps the key'],
	// docs/reliability.md
	...['Not sent', 'Told to wait', 'Rejected', 'Failed', 'Unknown', 'To send only what is missing'],
	// docs/queue-mode.md
	...['A worker that is told to stop', 'A worker that is killed'],
]);

/** Other words in quotes. */
const NO_LABELS = new Set(['API', 'Token']);

const FILES = execFileSync(
	'git',
	['ls-files', 'nodes', 'credentials', 'docs', 'examples', '*.md'],
	{
		cwd: root,
		encoding: 'utf8',
	},
)
	.split('\n')
	.filter((file) => /\.(ts|json|md)$/.test(file) && !file.startsWith('bench/'));

it.each(FILES)('each label in %s is one of the form or of n8n, or in HEADINGS', (file) => {
	const text = readFileSync(join(root, file), 'utf8');
	const named = file.endsWith('.ts')
		? /"([A-Z][A-Za-z'-]*(?: [A-Za-z'-]+)*)"/g
		: /\*\*([A-Z][\w\s'>()-]*)\*\*/g;
	// A label can be wrapped, and "Settings > Community nodes" is two.
	const labels = [...text.matchAll(named)].flatMap(([, label]) =>
		label!.replace(/\s+/g, ' ').split(' > '),
	);
	const isKnown = (label: string) =>
		[OWN, OF_N8N, HEADINGS, NO_LABELS].some((known) => known.has(label)) ||
		// An example can name its own nodes and tables.
		(file.endsWith('.json') && text.includes(`"${label}"`));
	expect(labels.filter((label) => !isKnown(label))).toEqual([]);
});
