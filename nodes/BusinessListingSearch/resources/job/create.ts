import { updateDisplayOptions, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { unexpectedResponse, type ServiceResponse } from '../../../shared/http/response';
import {
	isBlank,
	isUnset,
	readBoolean,
	readText,
	readWholeNumber,
	show,
} from '../../../shared/input';
import { outputOf } from '../../../shared/output';
import { Refusal } from '../../../shared/refusal';
import { concurrencyOption, TOO_MANY_REQUESTS } from '../../run/concurrency';
import { routingOf } from '../../run/itemRun';
import { TIMED_OUT } from '../../run/requestOptions';
import { guardJobs, maxJobsOption, minRemainingOption } from './guard';

/** Create Job (service interface, sections 2 and 4). */
export const createJobRouting = routingOf({
	method: 'POST',
	path: '/api/v1/jobs',
	createsJobs: true,
	keeps: 'job_id',
	advice: { ...TOO_MANY_REQUESTS, ...TIMED_OUT },
	guard: guardJobs,
	prepare(request) {
		request.body = readJob(request.body as IDataObject);
	},
	read: readCreatedJob,
});

export const createJobOutput = outputOf({
	job_id: {
		type: 'string',
		description: 'The identifier of the new job. No operation of this node reads its results.',
	},
});

const displayOptions = { show: { resource: ['job'], operation: ['create'] } };

export const createJobFields: INodeProperties[] = updateDisplayOptions(displayOptions, [
	{
		displayName: 'Keyword',
		name: 'keyword',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. dentist in Vienna',
		description: 'The phrase to search for',
		builderHint: {
			propertyHint:
				'One phrase. For many phrases, pass one input item per phrase and use an expression here: each input item creates a job, with a separate request.',
		},
		routing: { send: { type: 'body', property: 'keyword' } },
	},
	{
		displayName: 'Group Name',
		name: 'groupName',
		type: 'string',
		default: 'API',
		description: 'The group to create the job in. If empty, the service uses "API".',
		routing: { send: { type: 'body', property: 'group_name' } },
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Has Phone',
				name: 'hasPhone',
				type: 'boolean',
				default: true,
				description: 'Whether to search only for businesses with a phone number',
				routing: { send: { type: 'body', property: 'has_phone' } },
			},
			{
				displayName: 'Has Website',
				name: 'hasWebsite',
				type: 'boolean',
				default: true,
				description: 'Whether to search only for businesses with a website',
				routing: { send: { type: 'body', property: 'has_website' } },
			},
			{
				displayName: 'Maximum Reviews',
				name: 'maxReviews',
				type: 'number',
				default: 100,
				description: 'The maximum number of reviews of a listing, as a whole number',
				routing: { send: { type: 'body', property: 'max_reviews' } },
			},
			{
				displayName: 'Minimum Rating',
				name: 'minRating',
				type: 'number',
				default: 4,
				description: 'The minimum rating of a listing, as a whole number',
				hint: 'A whole number, e.g. 4',
				routing: { send: { type: 'body', property: 'min_rating' } },
			},
			{
				displayName: 'Minimum Reviews',
				name: 'minReviews',
				type: 'number',
				default: 10,
				description: 'The minimum number of reviews of a listing, as a whole number',
				routing: { send: { type: 'body', property: 'min_reviews' } },
			},
		],
	},
	{
		displayName: 'Sort',
		name: 'sort',
		type: 'collection',
		placeholder: 'Add Sorting',
		default: {},
		options: [
			{
				displayName: 'Sort By',
				name: 'sortBy',
				type: 'options',
				allowArbitraryValues: true,
				options: [
					{ name: 'Main Category', value: 'main_category' },
					{ name: 'Rating', value: 'rating' },
					{ name: 'Reviews', value: 'reviews' },
					{ name: 'Title', value: 'title' },
				],
				default: 'reviews',
				description:
					'The result field to sort by. To use another field, enter its name with an expression.',
				routing: { send: { type: 'body', property: 'sort_by' } },
			},
			{
				displayName: 'Sort Order',
				name: 'sortOrder',
				type: 'options',
				options: [
					{ name: 'Ascending', value: 'asc' },
					{ name: 'Descending', value: 'desc' },
				],
				default: 'desc',
				description: 'The direction to sort in',
				routing: { send: { type: 'body', property: 'sort_order' } },
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [concurrencyOption, maxJobsOption, minRemainingOption],
	},
]);

const WHOLE_NUMBERS = {
	min_rating: 'Minimum Rating',
	min_reviews: 'Minimum Reviews',
	max_reviews: 'Maximum Reviews',
};
const BOOLEANS = { has_phone: 'Has Phone', has_website: 'Has Website' };

/**
 * Checks the body of Create Job and converts its values (service interface, section 2).
 *
 * @param entered the parameters, by the service's field names
 * @returns the body to send, without what was not set
 * @throws Refusal that names the parameter
 */
export function readJob(entered: IDataObject): IDataObject {
	const keyword = readText('Keyword', entered.keyword);
	if (isBlank(keyword)) {
		throw new Refusal('"Keyword" is empty', 'Enter the phrase to search for.');
	}
	const job: IDataObject = { keyword };

	const groupName = readText('Group Name', entered.group_name);
	if (!isBlank(groupName)) job.group_name = groupName;

	for (const [field, label] of Object.entries(WHOLE_NUMBERS)) {
		if (!isUnset(entered[field])) job[field] = readWholeNumber(label, entered[field]);
	}
	const { min_reviews: fewest, max_reviews: most } = job;
	if (fewest !== undefined && most !== undefined && Number(fewest) > Number(most)) {
		throw new Refusal(
			`"Minimum Reviews" (${fewest}) is above "Maximum Reviews" (${most})`,
			'No listing can match both. Lower "Minimum Reviews" or raise "Maximum Reviews".',
		);
	}

	for (const [field, label] of Object.entries(BOOLEANS)) {
		if (!isUnset(entered[field])) job[field] = readBoolean(label, entered[field]);
	}

	const sortBy = readText('Sort By', entered.sort_by);
	if (!isBlank(sortBy)) job.sort_by = sortBy;

	if (!isUnset(entered.sort_order)) {
		if (entered.sort_order !== 'asc' && entered.sort_order !== 'desc') {
			throw new Refusal(
				`"Sort Order" is neither asc nor desc: ${show(entered.sort_order)}`,
				'Choose "Ascending" or "Descending", or use an expression that returns asc or desc.',
			);
		}
		job.sort_order = entered.sort_order;
	}
	return job;
}

/**
 * Reads the response to Create Job: `{ job_id }`.
 *
 * @throws Failure when it has no `job_id`
 */
export function readCreatedJob(response: ServiceResponse): IDataObject[] {
	const { job_id: jobId } = (response.body ?? {}) as IDataObject;
	// Documented as a text. A number is passed on too: it identifies a paid job.
	if ((typeof jobId === 'string' && jobId.trim() !== '') || Number.isFinite(jobId)) {
		return [{ job_id: jobId }];
	}
	throw unexpectedResponse(response, 'a "job_id"');
}
