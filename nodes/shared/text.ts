/** Whether a text shows nothing: it is empty, or has only spaces and invisible characters. */
export function isBlank(text: string): boolean {
	return /^[\s\p{Cc}\p{Cf}\p{DI}\u2800]*$/u.test(text);
}

/** A text as a regular expression that matches just this. */
export function escaped(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Decodes a percent-encoded text; leaves one with invalid percent-encoding as it is. */
export function urlDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Shortens a text to this length, without leaving half a character. */
export function shorten(text: string, longest: number): string {
	return text.length > longest ? `${text.slice(0, longest - 1).replace(/\p{Cs}$/u, '')}…` : text;
}

/**
 * Formats a value for a message, shortened if it is long, without control characters. A list or an object is not shown:
 * a row can hold the key of its account.
 */
export function quote(value: unknown): string {
	if (typeof value === 'object' && value !== null)
		return Array.isArray(value) ? 'a list' : 'an object';
	return shorten(String(value), 80).replace(/\p{Cc}+/gu, ' ');
}

/** Formats a text for a list, on one line; undefined for a blank one, and for anything but text. */
export function oneLine(value: unknown): string | undefined {
	if (typeof value !== 'string' || isBlank(value)) return undefined;
	return quote(value.replace(/[\s\p{Cc}]+/gu, ' ').trim());
}

/** As JSON; an expression can return what JSON cannot hold, such as a circular object. */
export function serialized(value: unknown): string {
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return String(value);
	}
}
