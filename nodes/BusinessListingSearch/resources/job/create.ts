import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { ENDPOINTS } from '../../../shared/service/endpoints';
import { unexpectedResponse, type ServiceResponse } from '../../../shared/service/response';
import {
	emptyText,
	expressionIn,
	isUnset,
	isExpression,
	JOINTS,
	readBoolean,
	readChoice,
	readText,
	readWholeNumber,
	type Form,
} from '../../../shared/readField';
import { isBlank, quote } from '../../../shared/text';
import { collection } from '../../options/collection';
import { dryRunOption } from '../../options/dryRun';
import { Failure } from '../../../shared/errors/failure';
import { concurrencyOption } from '../../options/concurrency';
import { sentFields, type SentField } from '../../input/item';
import type { Operation } from '../../run/operation';
import { limitJobs, maxJobsOption, minRemainingOption } from './limits';

const includeInputFieldsOption: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: true,
	description: 'Whether to return the fields of each input item beside its job_id',
	displayOptions: { hide: { '@tool': [true] } },
};

export const createJobForm: INodeProperties[] = [
	{
		displayName: 'Keyword',
		name: 'keyword',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. dentist in Vienna',
		description: 'The phrase to search for. Input items that ask for the same share one job.',
		routing: { send: { type: 'body', property: 'keyword' } },
	},
	{
		displayName: 'Group Name',
		name: 'groupName',
		type: 'string',
		default: 'API',
		description:
			'The group in which the service creates the job. If empty, the service uses "API".',
		routing: { send: { type: 'body', property: 'group_name' } },
	},
	collection('Filters', 'filters', 'Add Filter', [
		{
			displayName: 'Has Phone',
			name: 'hasPhone',
			type: 'boolean',
			default: true,
			description:
				'Whether to search only for businesses with a phone number. To find all businesses, remove this filter. The service does not say what it does when it is off.',
			routing: { send: { type: 'body', property: 'has_phone' } },
		},
		{
			displayName: 'Has Website',
			name: 'hasWebsite',
			type: 'boolean',
			default: true,
			description:
				'Whether to search only for businesses with a website. To find all businesses, remove this filter. The service does not say what it does when it is off.',
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
			description: 'The minimum rating of a listing',
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
	]),
	collection('Sort', 'sort', 'Add Sorting', [
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
				'The result field to sort by. For another field, select Expression, and type its name.',
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
	]),
	collection('Options', 'options', 'Add Option', [
		concurrencyOption,
		dryRunOption,
		includeInputFieldsOption,
		maxJobsOption,
		minRemainingOption,
	]),
];

/**
 * The fields of an input item that can stand beside the output.
 *
 * Without a field named `error`: n8n takes a node whose first output item has one for failed. Nor the `message` that
 * an error output writes with it: the new job would seem to have failed. And what a dry run shows must be of this run.
 */
function fieldsBeside(json: IDataObject, isDry: boolean): IDataObject {
	const { error, ...fields } = json;
	if (error && typeof error === 'string' && typeof fields.message === 'string')
		delete fields.message;
	const own = isDry ? ['job_id', ...SENT_FIELDS.map(({ property }) => property)] : ['dryRun'];
	for (const name of ['__proto__', ...own]) delete fields[name];
	return fields;
}

const SENT_FIELDS = sentFields(createJobForm);
const KEYWORD = SENT_FIELDS.find(({ property }) => property === 'keyword')!;

/** Create Job (service interface, sections 2 and 4). */
export const createJob: Operation = {
	...ENDPOINTS.createJob,
	changes: 'jobs',
	form: createJobForm,
	namedBy: 'keyword',
	admit: limitJobs,
	inputFields: fieldsBeside,
	bodyOf: (built, item) => jobBody(built, item, Object.keys(item.json ?? {}).length === 0),
	parserOf: () => parseCreatedJob,
};

/**
 * Checks the body of Create Job and converts its values by the types of their fields (service interface, section 2).
 *
 * @param built the body that n8n made of the fields, by the service's field names
 * @param isEmpty whether the input item has no field
 * @returns the body to send, without what is not set
 * @throws Failure that names the parameter
 */
export function jobBody(built: IDataObject, form: Form, isEmpty = false): IDataObject {
	const job: IDataObject = {};
	for (const field of SENT_FIELDS) {
		const value = built[field.property];
		const converted = isUnset(value) ? undefined : convert(field, value, form);
		if (converted !== undefined) job[field.property] = converted;
	}
	const { keyword, min_reviews: fewest, max_reviews: most, sort_order: order } = job;
	const isEntered = isExpression(KEYWORD, form);
	if (keyword === undefined || (JOINTS.test(String(keyword)) && isEntered)) {
		throw emptyText(KEYWORD, form, 'Enter the phrase to search for.');
	}
	if (hasOnlyItsWords(String(keyword), form, isEmpty)) {
		throw new Failure(
			`"Keyword" has only its own words: "${quote(keyword)}"`,
			'The fields in it are empty in this row. Check their names, and "Always Output Data" of the node before.',
		);
	}
	const line = String(keyword).trim();
	if (isCode(line)) {
		throw new Failure(
			`"Keyword" is JSON or code, not a phrase: "${quote(line)}"`,
			'Take the phrases out of it first. "Split Out" makes an item of each.',
		);
	}
	if (/[\r\n]/.test(line)) {
		throw new Failure(
			`"Keyword" has several lines: "${quote(line.replace(/[\r\n]+/g, '⏎'))}"`,
			'One keyword is one job: make a list of it, {{ $json.keyword.split("\\n") }}, and use Split Out before this node. If it is one phrase, use {{ $json.keyword.replace(/\\s+/g, " ") }}.',
		);
	}
	if (/[\r\n]/.test(String(keyword))) job.keyword = line;
	if (String(keyword).includes('\uFFFD') && isEntered) {
		throw new Failure(
			`"Keyword" contains characters that cannot be read: ${quote(keyword)}`,
			'The file was read with the wrong encoding. Save it as UTF-8, or set "Encoding" in "Extract from File".',
		);
	}
	if (fewest !== undefined && most !== undefined && Number(fewest) > Number(most)) {
		throw new Failure(
			`"Minimum Reviews" (${fewest}) is above "Maximum Reviews" (${most})`,
			'No listing can match both. Lower "Minimum Reviews" or raise "Maximum Reviews".',
		);
	}
	if (order !== undefined) readChoice('Sort Order', order, ['asc', 'desc']);
	return job;
}

/** Whether a text is a list or an object in JSON, or a fenced block: what a model writes around its answer. */
function isCode(text: string): boolean {
	if (text.startsWith('```')) return true;
	try {
		return /^[[{]/.test(text) && typeof JSON.parse(text) === 'object';
	} catch {
		return false;
	}
}

/**
 * Whether a keyword is just what an expression has between its fields, such as " in " of `{{ $json.trade }} in
 * {{ $json.city }}`. One that begins or ends with a word can have optional fields, unless it reads an item without any.
 */
function hasOnlyItsWords(keyword: string, form: Form, isEmpty: boolean): boolean {
	const expression = expressionIn(KEYWORD, form);
	// As n8n reads it, to the first `}}`.
	const words = expression?.slice(1).split(/\{\{[^]*?\}\}/) ?? [];
	const readsEmpty = isEmpty && /\$(?:json|input)\b/.test(String(expression));
	const ends = [words[0] ?? '', words.at(-1) ?? ''];
	const visible = (text: string) => text.replace(/[\s\p{Cc}\p{Cf}\p{DI}\u2800]/gu, '');
	return (
		words.length > 1 &&
		ends.every((end) => readsEmpty || JOINTS.test(end)) &&
		visible(words.join('')) === visible(keyword)
	);
}

/** @returns undefined for a blank text */
function convert(field: SentField, value: unknown, form: Form) {
	if (field.type === 'number') return readWholeNumber(field.label, value);
	if (field.type === 'boolean') return readBoolean(field.label, value);
	const text = readText(field, value, form);
	return isBlank(text) ? undefined : text;
}

/**
 * Parses the response to Create Job: `{ job_id }`.
 *
 * @throws Failure when it has no `job_id`
 */
export function parseCreatedJob(response: ServiceResponse): IDataObject[] {
	const { job_id: jobId } = (response.body ?? {}) as IDataObject;
	// Documented as a text. A number is passed on if it is exact: it identifies a paid job.
	if ((typeof jobId === 'string' && jobId.trim() !== '') || Number.isSafeInteger(jobId)) {
		return [{ job_id: jobId }];
	}
	throw unexpectedResponse(response, 'a "job_id"');
}
