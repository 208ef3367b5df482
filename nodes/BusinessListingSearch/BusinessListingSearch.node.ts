import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { searchBlacklists } from './listSearch/searchBlacklists';
import { blacklist } from './resources/blacklist';
import { addItems } from './resources/blacklist/addItems';
import { job } from './resources/job';
import { usage } from './resources/usage';

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
		description: 'Search business listings, keep blacklists and read the remaining requests',
		defaults: { name: 'Business Listing Search' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'businessListingSearchApi', required: true }],
		// The credential prepends its "Base URL". An expression here would be evaluated twice per
		// item, which took a quarter of the node's time.
		requestDefaults: {},
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Blacklist', value: 'blacklist' },
					{ name: 'Job', value: 'job' },
					{ name: 'Usage', value: 'usage' },
				],
				default: 'job',
			},
			...job,
			...blacklist,
			...usage,
		],
	};

	methods = { listSearch: { searchBlacklists } };

	/** The five endpoints are declarative; this operation handles all input items in one step. */
	customOperations = { blacklist: { addItems } };
}
