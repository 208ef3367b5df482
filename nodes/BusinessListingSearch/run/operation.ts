import type { IDataObject, IExecuteSingleFunctions, IHttpRequestMethods } from 'n8n-workflow';

import type { Advice } from '../../shared/explain';
import type { ServiceRequest } from '../../shared/http/exchange';
import type { ServiceResponse } from '../../shared/http/response';
import type { Precondition } from './run';

/** An operation on one endpoint, as data: what is sent, and what is made of the answer. */
export interface Operation {
	method: IHttpRequestMethods;
	/** A placeholder such as `:name` is filled in by `prepare`. */
	path: string;
	/** Whether it creates jobs: how many of them at once get through is tried out more carefully. */
	createsJobs?: boolean;
	/** The field of the output that must not be lost when the run ends early. */
	keeps?: string;
	/** Fields of the answer whose texts are passed on as they are, see `Secret`. */
	documented?: readonly string[];
	/** What to do about failures, in the terms of the form. */
	advice?: Advice;
	/**
	 * Checks the input of an item, and completes its request.
	 *
	 * @throws Refusal for invalid input, before anything of the run is sent
	 */
	prepare?: (this: IExecuteSingleFunctions, request: ServiceRequest) => void;
	/** Makes, once for each run, what reads an item's precondition; throws Refusal for invalid input. */
	preconditions?: () => (this: IExecuteSingleFunctions) => Precondition;
	/**
	 * Makes the JSON of the output items.
	 *
	 * @throws Failure for an undocumented answer
	 */
	read: (this: IExecuteSingleFunctions, response: ServiceResponse) => IDataObject[];
}
