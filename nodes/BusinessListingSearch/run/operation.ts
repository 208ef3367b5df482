import type { IDataObject, IHttpRequestMethods, INodeProperties } from 'n8n-workflow';

import {
	unexpectedResponse,
	unsuccessfulResponse,
	type ServiceResponse,
} from '../../shared/service/response';
import type { Item } from '../input/item';
import type { PathParameter } from './urlPath';
import type { Admission, Changes, Parse } from './task';

/** An operation on one endpoint: what is sent, and how the response becomes output. */
export interface Operation {
	method: IHttpRequestMethods;
	path: string;
	/** What fills in the placeholder `:name` of the path, if it has one. */
	pathParameter?: PathParameter;
	/** The fields of its form: those with `routing.send` make the body. */
	form?: INodeProperties[];
	/** What it creates, adds or deletes; undefined if it only reads. */
	changes?: Changes;
	/** The property of the body that names an item where its failure or its id is listed. */
	namedBy?: string;
	/**
	 * Checks the fields of an item.
	 *
	 * @param built what the fields give, by the service's names
	 * @returns the body to send
	 * @throws Failure for invalid input, before anything of the run is sent
	 */
	bodyOf?: (built: IDataObject, item: Item) => IDataObject;
	/**
	 * The fields of the input item that are part of its output, with "Include Input Fields".
	 *
	 * @param isDry whether the item is only checked
	 */
	inputFields?: (json: IDataObject, isDry: boolean) => IDataObject;
	/** Decides about all items together. */
	admit?: Admission;
	/**
	 * Makes the parser of an item's response; `ifSuccessful` makes one for `{ success }`. It is called before anything is
	 * sent, and reads the fields that the output depends on.
	 *
	 * @throws Failure for invalid input
	 */
	parserOf: (item: Item) => Parse;
}

/**
 * Parses the response `{ success }` to a call that changes something (service interface, section 4, rules 3
 * and 5).
 *
 * @param output the JSON of the output items
 * @returns a parser that throws Failure when `success` is false, or missing
 */
export function ifSuccessful(...output: IDataObject[]): Parse {
	return (response: ServiceResponse) => {
		const { success } = (response.body ?? {}) as IDataObject;
		if (success === true) return output;
		throw success === false
			? unsuccessfulResponse(response)
			: unexpectedResponse(response, '"success"');
	};
}
