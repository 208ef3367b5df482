import { Failure } from './failure';

/** What the service answered, read and free of the key. */
export interface Answer {
	statusCode: number;
	/** Header names in lower case. */
	headers: Record<string, string | undefined>;
	/** The parsed JSON, or the text where it is none. */
	body: unknown;
	/** Whether `body` was JSON. */
	isJson: boolean;
}

/** Longest quotation of what the service sent in a message to a person, in characters. */
const LONGEST_QUOTE = 300;

/** Where services put their message; the document does not show the shape of an error body. */
const MESSAGE_FIELDS = ['message', 'error', 'detail', 'description', 'reason', 'title'];

/**
 * Finds the service's own message in an answer.
 *
 * @returns the message on one line, or undefined when there is none (an empty body or a web page)
 */
export function serviceMessage(answer: Answer): string | undefined {
	if (!answer.isJson) {
		const text = String(answer.body);
		return /<\w|<!/.test(text) ? undefined : quote(text);
	}
	return findMessage(answer.body) ?? quote(JSON.stringify(answer.body));
}

function findMessage(body: unknown): string | undefined {
	if (typeof body === 'string') return quote(body);
	if (typeof body !== 'object' || body === null) return undefined;
	for (const field of MESSAGE_FIELDS) {
		const found = findMessage((body as Record<string, unknown>)[field]);
		if (found !== undefined) return found;
	}
	return undefined;
}

function quote(text: string): string | undefined {
	const line = text.replace(/\s+/g, ' ').trim().replace(/\.+$/, '');
	if (line === '' || line === '{}' || line === '[]' || line === 'null') return undefined;
	return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line;
}

/**
 * The failure for a success by status whose content is not the documented one.
 *
 * @param expected what the document promises, as the object of a sentence
 */
export function unexpectedAnswer(answer: Answer, expected: string): Failure {
	const contentType = answer.headers['content-type'] ?? 'an answer without a content type';
	return new Failure({
		kind: 'shape',
		statusCode: answer.statusCode,
		expected,
		received: answer.isJson ? `${contentType} without it` : contentType,
		serviceMessage: serviceMessage(answer),
	});
}

/** The failure for the documented answer `success: false` (service interface, section 7). */
export function unsuccessfulAnswer(answer: Answer): Failure {
	const { success, ...rest } = answer.body as Record<string, unknown>;
	return new Failure({
		kind: 'unsuccessful',
		statusCode: answer.statusCode,
		serviceMessage: serviceMessage({ ...answer, body: rest }),
	});
}
