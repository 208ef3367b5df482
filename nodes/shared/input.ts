import { Refusal } from './refusal';

/** Whether a parameter is left out of the request: nothing was entered, or an expression gave nothing. */
export function isUnset(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || value === '';
}

/**
 * Reads a parameter that is sent as text. A number or a boolean, as an expression may give it, is
 * taken as it reads.
 *
 * @param label of the parameter in the form
 * @throws Refusal for a list or an object
 */
export function readText(label: string, value: unknown): string {
	if (typeof value === 'object' && value !== null) {
		throw new Refusal(
			`"${label}" is ${Array.isArray(value) ? 'a list' : 'an object'} where a text is needed`,
			`Use an expression that gives one text for "${label}".`,
		);
	}
	return isUnset(value) ? '' : String(value);
}

/**
 * @param value a number, or a text that is one whole number: a sign, blanks around it and a trailing
 * `.0` do not matter
 * @returns undefined for anything else, and for numbers too large to be exact
 */
export function wholeNumberIn(value: unknown): number | undefined {
	const isNumber =
		typeof value === 'number' ||
		(typeof value === 'string' && /^[+-]?\d+(\.0+)?$/.test(value.trim()));
	const number = isNumber ? Number(value) : NaN;
	return Number.isSafeInteger(number) ? number : undefined;
}

/**
 * Reads a parameter that is sent as a whole number; text of digits, as an expression may give it,
 * becomes a number.
 *
 * @throws Refusal for anything else, and for numbers too large to be exact
 */
export function readWholeNumber(label: string, value: unknown): number {
	const number = wholeNumberIn(value);
	if (number === undefined) {
		throw new Refusal(
			`"${label}" is not a whole number: ${show(value)}`,
			`Enter a whole number for "${label}", e.g. 4, or remove it.`,
		);
	}
	return number;
}

/**
 * Reads a parameter that is sent as true or false; the texts "true" and "false", as an expression
 * may give them, become booleans.
 *
 * @throws Refusal for anything else
 */
export function readBoolean(label: string, value: unknown): boolean {
	const text = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw new Refusal(
		`"${label}" is neither true nor false: ${show(value)}`,
		`Use an expression that gives true or false for "${label}", or remove it.`,
	);
}

/** A value as it can be read in a sentence. */
export function show(value: unknown): string {
	const text = typeof value === 'string' ? value : serialized(value);
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** An expression can give what JSON cannot hold, such as a BigInt or an object that contains itself. */
function serialized(value: unknown): string {
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return String(value);
	}
}
