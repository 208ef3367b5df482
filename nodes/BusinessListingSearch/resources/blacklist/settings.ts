import type { IDataObject } from 'n8n-workflow';

import { readBoolean, show } from '../../../shared/input';
import { Refusal } from '../../../shared/refusal';
import { checkConcurrency } from '../../run/concurrency';
import { readRequestOptions, type RequestOptions } from '../../run/requestOptions';

/** The options of Add Many Items. */
export interface Settings {
	cleans: boolean;
	/** `undefined` when not set. */
	concurrency: number | undefined;
	output: 'summary' | 'items';
	requestOptions: RequestOptions;
}

/**
 * Reads the options of a run.
 *
 * @param options the parameter "Options"
 * @param requestOptions the parameter "Request Options"
 * @throws Refusal for an invalid option
 */
export function readSettings(options: IDataObject, requestOptions: unknown): Settings {
	const { cleanValues = true, concurrency, output = 'summary' } = options;
	if (output !== 'summary' && output !== 'items') {
		throw new Refusal(
			`"Output" is neither summary nor items: ${show(output)}`,
			'Choose an option from the list, or use an expression that returns summary or items.',
		);
	}
	return {
		cleans: readBoolean('Clean Values', cleanValues),
		concurrency: checkConcurrency(concurrency),
		output,
		requestOptions: readRequestOptions(requestOptions),
	};
}
