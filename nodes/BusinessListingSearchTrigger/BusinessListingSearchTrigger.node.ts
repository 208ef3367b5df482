import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { poll } from './poll';

export class BusinessListingSearchTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Listing Search Trigger',
		name: 'businessListingSearchTrigger',
		icon: {
			light: 'file:../../icons/businessListingSearch.svg',
			dark: 'file:../../icons/businessListingSearch.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		// The labels of the events, made from their values. An expression can return something other than a list.
		subtitle:
			'={{ Array.isArray($parameter["events"]) ? $parameter["events"].join(", ").replace(/[A-Z]/g, " $&").replace(/\\b[a-z]/g, (letter) => letter.toUpperCase()) : "" }}',
		// n8n's panel shows this text for both the node and the trigger.
		description:
			'Create search jobs for business listings, manage blacklists, and start a workflow when the allowance changes',
		defaults: { name: 'Business Listing Search Trigger' },
		polling: true,
		activationMessage: 'If the allowance is low already, Allowance Low starts it now.',
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'businessListingSearchApi', required: true }],
		properties: [
			{
				// n8n puts "Poll Times" above it, with a default that a node cannot replace.
				displayName:
					'Set "Mode" to "Every Hour". With the default of n8n, every minute, n8n asks the service 1,440 times a day. The service does not say whether this counts against your requests.',
				name: 'pollCost',
				type: 'notice',
				default: '',
			},
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				required: true,
				options: [
					{
						name: 'Allowance Low',
						value: 'allowanceLow',
						description:
							'Fewer requests remain than "Threshold", even at the first poll. It comes once, and again only after the requests were back at the threshold.',
					},
					{
						name: 'Allowance Renewed',
						value: 'allowanceRenewed',
						description: 'More requests remain than at the last poll',
					},
					{
						name: 'Plan Changed',
						value: 'planChanged',
						description: 'The account has a different plan than at the last poll',
					},
				],
				default: ['allowanceLow'],
				description:
					'The events that start the workflow. The allowance is the number of requests that remain in your plan.',
				hint: 'A test returns each selected event, even if it has not occurred',
			},
			{
				displayName: 'Threshold',
				name: 'threshold',
				type: 'number',
				typeOptions: { minValue: 1 },
				required: true,
				default: 100,
				description: 'The allowance is low when fewer requests than this remain',
				displayOptions: { show: { events: ['allowanceLow'] } },
			},
		],
	};

	poll = poll;
}
