import { BusinessListingSearchApi } from '../../credentials/BusinessListingSearchApi.credentials';
import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import { BusinessListingSearchTrigger } from '../../nodes/BusinessListingSearchTrigger/BusinessListingSearchTrigger.node';
import { OF_N8N, OF_N8N_1 } from '../support/labelsOfN8n';
import { read, tracked } from '../support/repository';

/** Every label of the forms: of fields, collections, modes, choices and actions. */
function labelsIn(described: unknown): string[] {
	if (typeof described !== 'object' || described === null) return [];
	const { displayName, name, action } = described as Record<string, unknown>;
	const inner = Object.values(described).flatMap(labelsIn);
	return [displayName ?? name, action, ...inner].filter((label) => typeof label === 'string');
}

const OWN = new Set(
	[
		new BusinessListingSearch().description,
		new BusinessListingSearchTrigger().description,
		new BusinessListingSearchApi(),
	].flatMap(labelsIn),
);
// n8n shows its own text for this mode: "From list".
OWN.delete('From List');

/** The nodes of the examples, which a page can name. */
const OF_EXAMPLES = new Set(
	tracked('examples/*.json').flatMap((file) => {
		const { nodes } = JSON.parse(read(file)) as {
			nodes: Array<{ name: string }>;
		};
		return nodes.map(({ name }) => name);
	}),
);

/** The headings of the README, which the form can name. */
const HEADINGS = new Set(
	[...read('README.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!),
);

/** Other words in quotes, and what GitHub calls its pages. */
const NO_LABELS = new Set([
	...['API', 'Token'],
	...['Issues', 'Security', 'Report a vulnerability', 'Download raw file'],
]);

const FILES = tracked('nodes', 'credentials', 'docs', 'examples', '*.md').filter((file) =>
	/\.(ts|json|md)$/.test(file),
);

it.each(FILES)('each label in %s is one of the form or of n8n, or in NO_LABELS', (file) => {
	const text = read(file);
	const named = file.endsWith('.ts')
		? /"([A-Z][A-Za-z'-]*(?: [A-Za-z'-]+)*)"/g
		: /\*\*([A-Z][\w\s'>()-]*)\*\*/g;
	// A label can be wrapped, and "Settings > Community nodes" is two.
	const labels = [...text.matchAll(named)].flatMap(([, label]) =>
		label!.replace(/\s+/g, ' ').split(' > '),
	);
	const isKnown = (label: string) =>
		[OWN, OF_EXAMPLES, HEADINGS, NO_LABELS, new Set([...OF_N8N, ...OF_N8N_1])].some((known) =>
			known.has(label),
		) ||
		// An example can name its own nodes and tables.
		(file.endsWith('.json') && text.includes(`"${label}"`));
	expect(labels.filter((label) => !isKnown(label))).toEqual([]);
});
