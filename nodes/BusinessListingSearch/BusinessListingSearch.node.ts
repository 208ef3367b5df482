import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { searchBlacklists } from './resources/blacklist/search';
import { blacklist } from './resources/blacklist';
import { addItem } from './resources/blacklist/addItem';
import { addItems } from './resources/blacklist/addItems';
import { deleteBlacklist } from './resources/blacklist/delete';
import { getAll } from './resources/blacklist/getAll';
import { HINTS } from './resources/hints';
import { job } from './resources/job';
import { createJob } from './resources/job/create';
import { refuseUnknown } from './resources/unknownOperation';
import { usage } from './resources/usage';
import { getUsage } from './resources/usage/get';
import { customOperationOf } from './run/carryOut';

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
				'Only for the Business Listing Search Service. Every operation needs the credential businessListingSearchApi. Each input item creates a job, with a separate request, and items that ask for the same share one: for many phrases, pass one item per phrase. A job returns only a job_id, and no operation reads its results: do not plan steps that wait for them or use them. To add many values to a blacklist, use addItems, in one step: it collects and cleans the values of all input items. The node accepts any number of input items, paces its requests and retries where that is safe: do not add a loop, batches or a Wait node around it. Set each field of a collection by itself: n8n ignores an expression for the whole collection. Leave options.concurrency out. Set options.maxJobs if the number of input items is not known. options.minRemaining reads the usage itself: do not add a usage operation before it.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-business-listing-search.businessListingSearchTrigger',
					relationHint: 'Starts a workflow when few requests remain or the allowance is renewed',
				},
			],
		},
		hints: HINTS,
		// Without it, n8n returns nothing for a tool, silently. The credential prepends its "Base URL".
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
				routing: refuseUnknown,
			},
			...job,
			...blacklist,
			...usage,
		],
	};

	methods = { listSearch: { searchBlacklists } };

	/** n8n calls one of these with all input items. */
	customOperations = {
		job: { create: customOperationOf(createJob) },
		blacklist: {
			addItem: customOperationOf(addItem),
			addItems,
			delete: customOperationOf(deleteBlacklist),
			getAll: customOperationOf(getAll),
		},
		usage: { get: customOperationOf(getUsage) },
	};
}
