import type { INodeProperties } from 'n8n-workflow';

import type { PathParameter } from '../../run/urlPath';

export const BLACKLIST: PathParameter = {
	label: 'Blacklist',
	name: 'blacklist',
	advice: 'Choose a blacklist or enter its name.',
};

const blacklistField = (
	operation: string[],
	description: string,
	hint?: string,
): INodeProperties => ({
	displayName: 'Blacklist',
	name: 'blacklist',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description,
	displayOptions: { show: { resource: ['blacklist'], operation } },
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

/** The field "Blacklist". Delete has no hint: it needs no new blacklist. */
export const blacklistFields = [
	blacklistField(
		['addItem', 'addItems'],
		'The blacklist to add to',
		'For a new one, type its name into the search, and choose it with "(new)"',
	),
	blacklistField(['delete'], 'The blacklist to delete'),
];
