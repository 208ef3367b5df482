import { UserError } from 'n8n-workflow';

import { PATH_OF_SERVICE, takesBareKey } from './endpoints';

const QUOTES = '"\'`“”„‟‘’‚‛«»‹›';
/** What people paste around the address: spaces, also of no width, quotes, a comma, and `https://` before the address's own. */
const AROUND_ADDRESS = new RegExp(
	`^(?:[\\s\\p{Cf}${QUOTES}]|https?://(?=https?://))+|[\\s\\p{Cf}${QUOTES},;]+$`,
	'giu',
);

/**
 * An address without user info, query and fragment. It is matched with the raw text, because URL drops a lone "@", "?"
 * or "#".
 */
const ADDRESS = /^https?:\/\/(?![/\\]*[^/\\]*@)[^?#]*$/i;

/**
 * Normalizes the "Base URL" field.
 *
 * @param value what the credential holds; what is pasted around it, and trailing slashes, do not matter
 * @returns the address without trailing slashes, and without one path of the service at its end; a path
 * prefix is kept
 * @throws UserError when it is not an http or https address, or has user info, a query or a fragment
 */
export function readBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.replace(AROUND_ADDRESS, '') : (value ?? '');
	if (text === '') throw emptyField('Base URL');
	if (typeof text !== 'string' || !ADDRESS.test(text) || !URL.canParse(text)) {
		throw new UserError('"Base URL" in the credential is invalid', {
			description:
				'Enter only the address of the service, with https:// or http://, e.g. https://service.example.com; it can end in a path, and has no user name, no "?" and no "#"',
		});
	}
	const { origin, pathname } = new URL(text);
	return origin + pathname.replace(/\/+$/, '').replace(PATH_OF_SERVICE, '');
}

/** What people paste with the key, in any order: spaces, quotes, the name of a header and a scheme. */
const BEFORE_KEY = new RegExp(
	`^(?:[\\s\\p{Cf}${QUOTES}<]|(?:x-api-key|Authorization)[\\s${QUOTES}]*:|(?:Token|Bearer)(?=[\\s${QUOTES}<]|$))+`,
	'iu',
);
const AFTER_KEY = new RegExp(`[\\s\\p{Cf}${QUOTES},>]+$`, 'u');

/**
 * Normalizes the "API Key" field.
 *
 * @param value what the credential holds, also with `Token`, `Bearer`, `x-api-key:`, quotes or spaces around it
 * @returns the bare key
 * @throws UserError when it is empty, not text, or not valid in a header (a control character could
 * inject headers)
 */
export function readApiKey(value: unknown): string {
	// An expression can turn digits into a number.
	const entered = Number.isSafeInteger(value) ? String(value) : (value ?? '');
	const key =
		typeof entered === 'string' ? entered.replace(BEFORE_KEY, '').replace(AFTER_KEY, '') : entered;
	if (key === '') throw emptyField('API Key');
	// Only what a header carries unchanged: visible ASCII, spaces and Latin-1 letters.
	if (typeof key !== 'string' || !/^[\x20-\x7e\xa0-\xff]+$/.test(key)) {
		throw new UserError('"API Key" in the credential is invalid', {
			description:
				'It is not text, or contains a line break or another character that is not allowed in a key. Copy the key again, and paste only the key.',
		});
	}
	return key;
}

function emptyField(label: string): UserError {
	return new UserError(`"${label}" in the credential is empty`, {
		description: 'Enter it, or check the field or the name that its expression looks up.',
	});
}

/**
 * The value of the header `x-api-key` (service interface, section 5): the examples of the service
 * send `Token <API_KEY>` on job and blacklist calls and the bare key on the Usage call.
 *
 * @param key the bare key
 * @param keyFormat "API Key Format" of the credential
 * @param path the path of the request, including a prefix
 */
export function apiKeyHeader(key: string, keyFormat: unknown, path: string): string {
	const asDocumented = takesBareKey(path) ? 'bare' : 'token';
	const format = keyFormat === 'token' || keyFormat === 'bare' ? keyFormat : asDocumented;
	return format === 'bare' ? key : `Token ${key}`;
}
