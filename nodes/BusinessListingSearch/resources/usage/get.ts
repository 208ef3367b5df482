import type { INodeProperties } from 'n8n-workflow';

import { readBoolean } from '../../../shared/readField';
import { ENDPOINTS } from '../../../shared/service/endpoints';
import { checkUsage, parseUsage } from '../../../shared/service/usage';
import type { Operation } from '../../run/operation';

/** Usage (service interface, sections 2 and 4). */
export const getUsage: Operation = {
	...ENDPOINTS.getUsage,
	parserOf(item) {
		const isSimple = readBoolean('Simplify', item.parameter('Simplify', 'simple', true));
		return (response) => [isSimple ? parseUsage(response) : checkUsage(response)];
	},
};

export const getUsageForm: INodeProperties[] = [
	{
		displayName: 'Simplify',
		name: 'simple',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
];
