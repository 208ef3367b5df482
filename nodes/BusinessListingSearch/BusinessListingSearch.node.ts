import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { CUSTOM_OPERATIONS, PROPERTIES } from './resources';
import { searchBlacklists } from './resources/blacklist/search';
import { HINTS } from './resources/hints';

export class BusinessListingSearch implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Listing Search',
		name: 'businessListingSearch',
		icon: {
			light: 'file:../../icons/businessListingSearch.svg',
			dark: 'file:../../icons/businessListingSearch.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Create search jobs for business listings, manage blacklists and check the remaining requests',
		defaults: { name: 'Business Listing Search' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'businessListingSearchApi', required: true }],
		builderHint: {
			searchHint:
				'Only for the Business Listing Search Service. Every operation needs the credential businessListingSearchApi. Input items that ask for the same share one job, all others create one each: for many phrases, pass one item per phrase. A job returns only a job_id, and no operation reads its results: do not plan steps that wait for them or use them. To add many values to a blacklist, use addItems, in one step: it collects and cleans the values of all input items. The node accepts any number of input items, paces its requests and retries where that is safe: do not add a loop, batches or a Wait node around it. Set each field of a collection by itself: n8n ignores an expression for the whole collection. Leave options.concurrency out. Set options.maxJobs if the number of input items is not known. options.minRemaining reads the usage itself: do not add a usage operation before it.',
		},
		hints: HINTS,
		// Without it, n8n returns nothing for a tool, silently. The credential prepends its "Base URL".
		requestDefaults: {},
		properties: PROPERTIES,
	};

	methods = { listSearch: { searchBlacklists } };

	/** n8n calls one of these with all input items. */
	customOperations = CUSTOM_OPERATIONS;
}
