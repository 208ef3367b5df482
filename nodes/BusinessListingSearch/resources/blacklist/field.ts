import type { INodeProperties } from 'n8n-workflow';

import type { PathParameter } from '../../run/urlPath';

export const BLACKLIST: PathParameter = {
	label: 'Blacklist',
	name: 'blacklist',
	advice: 'Choose a blacklist or enter its name.',
};

/** @param hint below the list */
export const blacklistField = (description: string, hint?: string): INodeProperties => ({
	displayName: 'Blacklist',
	name: 'blacklist',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a blacklist...',
			hint,
			typeOptions: { searchListMethod: 'searchBlacklists', searchable: true },
		},
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. customers',
		},
	],
});

export const blacklistToAddTo = blacklistField(
	'The blacklist to add to',
	'For a new one, type its name into the search, and choose it with "(new)"',
);
