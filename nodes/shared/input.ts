import { Refusal } from './errors/failure';

/** Whether a parameter is left out of the request: it is empty, or its expression returned nothing. */
export function isUnset(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || value === '';
}

/** Whether nothing in a text can be seen: it is empty, or has only spaces, some of no width. */
export function isBlank(text: string): boolean {
	return /^[\s\p{Cc}\p{Cf}\p{DI}\u2800]*$/u.test(text);
}

/**
 * Reads a parameter that is sent as text. Numbers, booleans and dates from expressions are converted.
 *
 * @param label of the parameter in the form
 * @throws Refusal for a list, an object, a number that is not exact, and a text that shows a mistake
 * in its expression
 */
export function readText(label: string, entered: unknown): string {
	const value = dateAsText(entered);
	if (typeof value === 'number' && !isExact(value)) {
		throw Number.isFinite(value)
			? new Refusal(
					`"${label}" is a rounded number: ${value}`,
					'A number this long is exact only as text. Use an expression that returns text.',
				)
			: new Refusal(
					`"${label}" is not a number: ${value}`,
					`Check the expression in "${label}": it calculates with something that is not a number.`,
				);
	}
	if (typeof value === 'object' && value !== null) {
		throw new Refusal(
			`"${label}" is ${Array.isArray(value) ? 'a list' : 'an object'}, but must be text`,
			`Use an expression that returns text for "${label}".`,
		);
	}
	const text = isUnset(value) ? '' : String(value);
	if (text.includes('[object Object]')) {
		throw new Refusal(
			`"${label}" contains "[object Object]"`,
			`The expression in "${label}" inserts an object into a text. Use one of its fields, e.g. {{ $json.city.name }}.`,
		);
	}
	// It would be sent as another character.
	if (/\p{Cs}/u.test(text)) {
		throw new Refusal(
			`"${label}" contains an incomplete character`,
			`Part of a character, such as an emoji, is missing. Enter "${label}" again.`,
		);
	}
	return text;
}

/** A date of JavaScript or Luxon as ISO text; anything else as it is. */
function dateAsText(value: unknown): unknown {
	const { toJSON } = (value ?? {}) as { toJSON?: () => unknown };
	const json = typeof value === 'object' && typeof toJSON === 'function' && toJSON.call(value);
	return typeof json === 'string' ? json : value;
}

function isExact(value: number): boolean {
	return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
}

/**
 * Reads a parameter that is sent as a whole number; a text with a whole number, from an expression,
 * becomes a number. A sign, surrounding spaces and a trailing `.0` are allowed.
 *
 * @param advice what to do about anything else
 * @throws Refusal for anything else, and for numbers too large to be exact
 */
export function readWholeNumber(
	label: string,
	value: unknown,
	advice = `Enter a whole number for "${label}", e.g. 4, or remove it.`,
): number {
	const isNumber =
		typeof value === 'number' ||
		(typeof value === 'string' && /^[+-]?\d+(\.0+)?$/.test(value.trim()));
	const number = isNumber ? Number(value) : NaN;
	if (!Number.isSafeInteger(number)) {
		throw new Refusal(`"${label}" is not a whole number: ${show(value)}`, advice);
	}
	return number;
}

/**
 * Reads a whole number that has a minimum.
 *
 * @param advice what to do about a lower number, or anything else
 * @throws Refusal as `readWholeNumber` does, and for a lower number
 */
export function readWholeNumberFrom(
	lowest: number,
	label: string,
	value: unknown,
	advice: string,
): number {
	const number = readWholeNumber(label, value, advice);
	if (number < lowest) throw new Refusal(`"${label}" is below ${lowest}: ${number}`, advice);
	return number;
}

/**
 * Reads a parameter that is sent as a boolean; the texts "true" and "false" from an expression become
 * booleans.
 *
 * @throws Refusal for anything else
 */
export function readBoolean(label: string, value: unknown): boolean {
	const text = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw new Refusal(
		`"${label}" is neither true nor false: ${show(value)}`,
		`Use an expression that returns true or false for "${label}", or remove it.`,
	);
}

/** Decodes a percent-encoded text; leaves one with invalid percent-encoding as it is. */
export function urlDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Formats a value for a message, shortened if it is long. */
export function show(value: unknown): string {
	const text = typeof value === 'object' && value !== null ? serialized(value) : String(value);
	return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Formats a text for a list, on one line; undefined for a blank one, and for anything but text. */
export function oneLine(value: unknown): string | undefined {
	if (typeof value !== 'string' || isBlank(value)) return undefined;
	return show(value.replace(/\s+/g, ' ').trim());
}

/** An expression can return what JSON cannot hold, such as a circular object. */
function serialized(value: object): string {
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return String(value);
	}
}
