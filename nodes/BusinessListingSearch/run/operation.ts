import type { IDataObject, IExecuteSingleFunctions, IHttpRequestMethods } from 'n8n-workflow';

import type { Advice } from '../../shared/errors/explain';
import type { ServiceRequest } from '../../shared/service/exchange';
import {
	unexpectedResponse,
	unsuccessfulResponse,
	type ServiceResponse,
} from '../../shared/service/response';
import type { PathParameters } from './urlPath';
import type { Admission, Changes, JobLimits } from './task';

/** An operation on one endpoint: what is sent, and how the response becomes output. */
export interface Operation {
	method: IHttpRequestMethods;
	/** With a parameter in `pathParameters` for each placeholder, such as `:name`. */
	path: string;
	pathParameters?: PathParameters;
	/** What it creates, adds or deletes; undefined if it only reads. */
	changes?: Changes;
	/** What an item is about, to name it where its failure or its id is listed. */
	nameOf?: (request: ServiceRequest) => unknown;
	/** What to do about failures, in the terms of the form. */
	advice?: Advice;
	/**
	 * Checks the input of an item and completes its request.
	 *
	 * @throws Refusal for invalid input, before anything of the run is sent
	 */
	completeRequest?: (this: IExecuteSingleFunctions, request: ServiceRequest) => void;
	/**
	 * The fields of the input item that are part of its output.
	 *
	 * @param isDry whether the item is only checked
	 * @throws Refusal for invalid input
	 */
	inputFields?: (this: IExecuteSingleFunctions, isDry: boolean) => IDataObject | undefined;
	/**
	 * Whether the item is only checked: its output is then `dryRun: true` and the body of its request.
	 *
	 * @throws Refusal for invalid input
	 */
	isDryRun?: (this: IExecuteSingleFunctions) => boolean;
	/**
	 * The limits of the run that an item asks for.
	 *
	 * @throws Refusal for invalid input
	 */
	limits?: (context: IExecuteSingleFunctions) => JobLimits;
	/** Called once per run, with its number of input items. */
	admission?: (total: number) => Admission;
	/**
	 * Makes the JSON of the output items; `ifSuccessful` does so of a response `{ success }`.
	 *
	 * @throws Failure for an undocumented response
	 */
	parse: (this: IExecuteSingleFunctions, response: ServiceResponse) => IDataObject[];
}

/**
 * Parses the response `{ success }` to a call that changes something (service interface, section 4, rules 3
 * and 5).
 *
 * @param output the JSON of the output items
 * @returns a `parse` that throws Failure when `success` is false, or missing
 */
export function ifSuccessful(
	...output: IDataObject[]
): (response: ServiceResponse) => IDataObject[] {
	return (response) => {
		const { success } = (response.body ?? {}) as IDataObject;
		if (success === true) return output;
		throw success === false
			? unsuccessfulResponse(response)
			: unexpectedResponse(response, '"success"');
	};
}
