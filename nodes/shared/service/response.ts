import type { Failure } from '../errors/failure';
import { requestFailure } from '../errors/requestFailure';
import { shorten } from '../text';
import type { Secret } from './redact';

/** A response of the service, without the key. */
export interface ServiceResponse {
	/** Of its request. */
	method: string;
	statusCode: number;
	contentType?: string;
	/** The target of a redirect. */
	location?: string;
	/** The parsed JSON, or else the text. */
	body: unknown;
	isJson: boolean;
}

/** The longest quotation of a response, in characters: it may contain the id of a paid job. */
const LONGEST_QUOTE = 1_000;

/** Where the message usually is: the service's document does not specify the body of an error. */
const MESSAGE_FIELDS = ['message', 'error', 'detail', 'description', 'reason', 'title'];

/** Parses a body, and removes the key from it. JSON that is nested too deeply is left as text. */
export function parseBody(
	received: string,
	secret: Secret,
): Pick<ServiceResponse, 'body' | 'isJson'> {
	const text = secret.removeFrom(received);
	// Again in each value: JSON can escape any letter of the key, which only its parser undoes.
	const cleaned = (_name: string, value: unknown) =>
		typeof value === 'string' ? secret.removeFrom(value) : value;
	try {
		return { body: JSON.parse(text, cleaned), isJson: true };
	} catch {
		return { body: text, isJson: false };
	}
}

/**
 * What the service says in a response: its message and what is beside it, or all of it.
 *
 * @returns its beginning on one line; undefined when it says nothing, or is a web page
 */
export function serviceMessage({ body, isJson }: ServiceResponse): string | undefined {
	const text = isJson ? messageIn(body) : String(body);
	if (!isJson && /<(?:!doctype|html)\b/i.test(text)) return undefined;
	const line = shorten(text, 2 * LONGEST_QUOTE)
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim()
		.replace(/\.+$/, '');
	if (['', '{}', '[]', 'null'].includes(line)) return undefined;
	return shorten(line, LONGEST_QUOTE);
}

function messageIn(body: unknown): string {
	if (typeof body === 'string') return body;
	const fields = { ...(body as Record<string, unknown> | null) };
	const field = MESSAGE_FIELDS.find((name) => typeof fields[name] === 'string' && fields[name]);
	if (field === undefined) return JSON.stringify(body);
	const { [field]: message, ...others } = fields;
	return [String(message), JSON.stringify(others)].filter((part) => part !== '{}').join(' ');
}

/**
 * The failure for a success status with undocumented content.
 *
 * @param expected what the document specifies, as the object of a sentence
 */
export function unexpectedResponse(response: ServiceResponse, expected: string): Failure {
	const { method, statusCode, isJson } = response;
	const { contentType: received = '' } = response;
	const contentType = isJson || /json/i.test(received) ? undefined : response.contentType;
	const answer = { statusCode, expected, contentType, serviceMessage: serviceMessage(response) };
	return requestFailure('unexpectedResponse', method, answer);
}

/** The failure for the documented response `success: false` (service interface, section 7). */
export function unsuccessfulResponse(response: ServiceResponse): Failure {
	const rest = { ...(response.body as Record<string, unknown>) };
	delete rest.success;
	const { method, statusCode } = response;
	const answer = { statusCode, serviceMessage: serviceMessage({ ...response, body: rest }) };
	return requestFailure('unsuccessful', method, answer);
}
