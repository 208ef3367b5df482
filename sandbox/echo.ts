import type { EchoForm } from './faults';

/**
 * The body of an answer that repeats the key. It is JSON written by hand: `JSON.stringify` would
 * not write the escapes that the form asks for.
 * @param header the received `x-api-key`
 */
export function echoBody(header: string, form: EchoForm): string {
	const write = writers[form];
	const bare = header.replace(/^Token /, '');
	return `{"message":"Sandbox fault for x-api-key \\"${write(header)}\\" (${write(bare)})"}`;
}

/** An address with the key in its query, for a redirect; its escapes are in lower case. */
export function echoLocation(header: string): string {
	const key = encodeURIComponent(header).replace(/%../g, (escape) => escape.toLowerCase());
	return `/login?key=${key}`;
}

/** The key as it stands between the quotes of a JSON string. */
const writers: Record<EchoForm, (key: string) => string> = {
	plain: (key) => JSON.stringify(key).slice(1, -1),
	slashes: (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
	unicode: (key) => key.replace(/[^]/g, (unit) => `\\u${hex(unit).padStart(4, '0')}`),
};

function hex(unit: string): string {
	return unit.charCodeAt(0).toString(16);
}
