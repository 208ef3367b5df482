import { Failure } from './failure';

/** A response of the service, without the key. */
export interface ServiceResponse {
	statusCode: number;
	/** Header names in lower case. */
	headers: Record<string, string | undefined>;
	/** The parsed JSON, or else the text. */
	body: unknown;
	/** Whether `body` was JSON. */
	isJson: boolean;
}

/** The longest quotation of the service in a message, in characters. */
const LONGEST_QUOTE = 300;

/** The same for a success, which may contain the id of a paid job anywhere. */
const LONGEST_QUOTE_OF_SUCCESS = 2_000;

/** Usual names for the message; the document does not specify error bodies. */
const MESSAGE_FIELDS = ['message', 'error', 'detail', 'description', 'reason', 'title'];

/** How deep in a body to search for a message. */
const DEEPEST_MESSAGE = 5;

const WEB_PAGE = /<(?:!doctype|html|head|title|body|center|h1)\b/i;

/** Which part of a quotation the message may take if the service says more. */
const PART_BESIDE_OTHERS = 2 / 3;

/**
 * Finds the service's own message in a response, and what else it says: the field with the reason, or
 * the id of a paid job, may have any name.
 *
 * @returns the message on one line, or undefined when there is none (an empty body or a web page)
 */
export function serviceMessage(response: ServiceResponse): string | undefined {
	const { body, isJson, statusCode } = response;
	if (!isJson) return isWebPage(response) ? undefined : quote(String(body), statusCode);
	const found = findMessage(body, statusCode);
	if (!found) return quote(JSON.stringify(body), statusCode);
	const { message, others } = found;
	if (Object.keys(others).length === 0) return message;
	const beginning = message.slice(0, PART_BESIDE_OTHERS * longestQuote(statusCode));
	return quote(`${beginning} ${JSON.stringify(others)}`, statusCode);
}

/** A message may contain tags, or be XML, but a part of a page says little. */
function isWebPage({ headers, body }: ServiceResponse): boolean {
	const isHtml = /html/i.test(headers['content-type'] ?? '');
	return WEB_PAGE.test(String(body)) || (isHtml && /<\/\w/.test(String(body)));
}

interface Found {
	message: string;
	/** The fields beside it and around it that say more. */
	others: Record<string, unknown>;
}

function findMessage(body: unknown, statusCode: number, depth = 0): Found | undefined {
	if (typeof body === 'string') {
		const message = quote(body, statusCode);
		return message === undefined ? undefined : { message, others: {} };
	}
	if (typeof body !== 'object' || body === null || depth > DEEPEST_MESSAGE) return undefined;
	for (const field of MESSAGE_FIELDS) {
		const found = findMessage((body as Record<string, unknown>)[field], statusCode, depth + 1);
		if (!found) continue;
		const beside = Object.entries(body).filter(
			([name, value]) => name !== field && saysMore(name, value, statusCode),
		);
		const others: Record<string, unknown> = Object.fromEntries(beside);
		for (const [name, value] of Object.entries(found.others)) {
			let free = name;
			while (free in others) free = `${field}.${free}`;
			others[free] = value;
		}
		return { ...found, others };
	}
	return undefined;
}

function saysMore(field: string, value: unknown, statusCode: number): boolean {
	if (field === 'status' || (value === statusCode && /status|code/i.test(field))) return false;
	if (typeof value === 'object') return Object.keys(value ?? {}).length > 0;
	return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

/**
 * Quotes a response.
 *
 * @returns the beginning of a text on one line; undefined when it says nothing
 */
export function quote(text: string, statusCode: number): string | undefined {
	const longest = longestQuote(statusCode);
	const start = text.slice(0, 2 * longest);
	const line = start.replace(/\s+/g, ' ').trim().replace(/\.+$/, '');
	if (line === '' || line === '{}' || line === '[]' || line === 'null') return undefined;
	return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

function longestQuote(statusCode: number): number {
	return statusCode < 300 ? LONGEST_QUOTE_OF_SUCCESS : LONGEST_QUOTE;
}

/**
 * The failure for a success status with undocumented content.
 *
 * @param expected what the document specifies, as the object of a sentence
 */
export function unexpectedResponse(response: ServiceResponse, expected: string): Failure {
	return new Failure({
		kind: 'shape',
		statusCode: response.statusCode,
		expected,
		received: receivedIn(response),
		serviceMessage: serviceMessage(response),
	});
}

/** A location is named, too: it can end in the id of a paid job. */
function receivedIn(response: ServiceResponse): string {
	const { location } = response.headers;
	const content = contentIn(response);
	return location ? `${content}, with the location ${location.slice(0, LONGEST_QUOTE)}` : content;
}

function contentIn({ headers, body, isJson }: ServiceResponse): string {
	const contentType = headers['content-type'];
	if (isJson) return `${contentType ?? 'JSON'} without it`;
	if (String(body).trim() === '') return 'an empty response';
	if (contentType === undefined) return 'a response without a content type';
	return /json/i.test(contentType) ? `${contentType} that is not valid JSON` : contentType;
}

/** The failure for the documented response `success: false` (service interface, section 7). */
export function unsuccessfulResponse(response: ServiceResponse): Failure {
	const { success, ...rest } = response.body as Record<string, unknown>;
	return new Failure({
		kind: 'unsuccessful',
		statusCode: response.statusCode,
		serviceMessage: serviceMessage({ ...response, body: rest }),
	});
}
