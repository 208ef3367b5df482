import { Failure } from './errors/failure';
import { quote } from './text';

/** Whether a parameter is left out of the request: it is empty, or its expression returned nothing. */
export function isUnset(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || value === '';
}

/** A parameter that is sent as text. */
export interface TextParameter {
	label: string;
	/** Its name in the node, such as `sort.sortBy`. */
	name: string;
	/** Whether it is used exactly as it is given. */
	isExact?: boolean;
}

/** How the node was filled in. */
export interface Form {
	/** What was entered in the parameter of this name: an expression as it is, with a `=` before it. */
	entered: (name: string) => unknown;
}

/**
 * A gap: what JavaScript and Luxon write for a field that is missing, or not a date, and what a sheet shows where a
 * formula does not work, in any language: `#N/A`, `#NV`, `#REF!`, `#¡VALOR!`. As a word, with no letter or digit beside it.
 */
const GAP =
	/(?:^|[^\p{L}\p{N}])(undefined|null|NaN|Invalid Date(?:Time)?|#(?:\p{Lu}\/\p{Lu}|NV|[¡¿]?\p{Lu}[\p{Lu}\d/]*[!?])|Loading\.\.\.)(?![\p{L}\p{N}])/u;

/** A text of nothing but what joins fields: ", ", " | ". */
export const JOINTS = /^[\s\p{P}\p{Sm}\p{Sk}\p{Cf}\p{DI}\u2800]*$/u;

/** What is left in a text of an expression that nobody has turned on: a `{{` and behind it a `}}`. */
const TEMPLATE = /\{\{[^]*?\}\}/;

/** What JavaScript writes for an object, and the code it writes for a function, minified or not. */
const NOT_TEXT = /\[object [\w ]+\]|\)\s*(?:\{|=>)|=>\s*\{/;

/**
 * Reads a parameter that is sent as text. Numbers and dates from expressions are converted. A
 * typed text is returned as it is.
 *
 * @throws Failure for a list, an object, a boolean, a number that is not exact, an invalid date, and a text that shows
 * a mistake in its expression or a gap in its row
 */
export function readText(parameter: TextParameter, given: unknown, form: Form): string {
	const { label } = parameter;
	const value = dateAsText(given);
	const isNoNumber = typeof value === 'number' && !Number.isFinite(value);
	// An invalid date is one, too: it has become null.
	const isObject = typeof value === 'object' && given !== null;
	if (isObject || isNoNumber || typeof value === 'boolean') {
		const advice =
			typeof value === 'boolean'
				? '. For the word, write it as text: {{ String($json.x) }}'
				: ': it must return text';
		throw new Failure(
			`"${label}" is not text: ${value === null ? 'an invalid date' : quote(value)}`,
			`Check the expression in "${label}"${advice}.`,
		);
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw new Failure(
			`"${label}" has lost its last digits: ${quote(value)}`,
			'They were lost where it was read: make the column a text there, and read it again.',
		);
	}
	const text = isUnset(value) ? '' : String(value);
	const [inserted] = NOT_TEXT.exec(text) ?? [];
	if (inserted !== undefined && isExpression(parameter, form)) {
		throw new Failure(
			`"${label}" contains an object or a function: ${quote(inserted)}`,
			`Use one of its fields, e.g. {{ $json.city.name }}, or call it, e.g. {{ $json.city.trim() }}.`,
		);
	}
	if (!parameter.isExact && isTemplate(text)) {
		throw new Failure(
			`"${label}" contains an expression that was not evaluated: ${quote(text)}`,
			`Turn "${label}" into an expression, or remove the {{ }}.`,
		);
	}
	const gap = findGap(parameter, text, form);
	if (gap) throw new Failure(`"${label}" contains "${gap.word}"`, `${gap.advice}.`);
	return text;
}

/** Finds a gap in what an expression gives. @returns its word, and what to do; undefined for a typed text */
export function findGap(parameter: TextParameter, text: string, form: Form) {
	const [, word] = GAP.exec(text) ?? [];
	if (word === undefined || !isExpression(parameter, form)) return undefined;
	const other = word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
	const advice = /^[#L]/.test(word)
		? 'A formula in the sheet does not work: correct this cell'
		: `A field is probably missing: check the expression in "${parameter.label}", or, if you mean the word, spell it differently, e.g. ${other}`;
	return { word, advice };
}

/** Whether a text contains an expression that was not evaluated. */
export function isTemplate(text: string): boolean {
	return TEMPLATE.test(text);
}

/** The expression that was entered in a parameter; undefined if a value was. */
export function expressionIn(
	{ name }: Pick<TextParameter, 'name'>,
	form: Form,
): string | undefined {
	const entered = form.entered(name);
	// A resource locator has it as its value.
	const { value = entered } = (entered ?? {}) as { value?: unknown };
	return typeof value === 'string' && value.startsWith('=') ? value : undefined;
}

/** Whether a parameter was entered as an expression. */
export function isExpression(parameter: Pick<TextParameter, 'name'>, form: Form): boolean {
	return expressionIn(parameter, form) !== undefined;
}

/**
 * Refuses a required text that is empty.
 *
 * @param advice what to do unless an expression gives it, and for a model
 */
export function emptyText(parameter: TextParameter, form: Form, advice: string): Failure {
	const { label } = parameter;
	return new Failure(
		`"${label}" is empty`,
		isExpression(parameter, form)
			? `This row gives no text. Check the expression in "${label}".`
			: advice,
	);
}

/** A date of JavaScript or Luxon as ISO text, an invalid one as null; anything else as it is. */
function dateAsText(value: unknown): unknown {
	const { toJSON } = (value ?? {}) as { toJSON?: () => unknown };
	const json = typeof value === 'object' && typeof toJSON === 'function' && toJSON.call(value);
	return typeof json === 'string' || json === null ? json : value;
}

/**
 * Reads a parameter that is sent as a whole number; a text with a whole number, from an expression,
 * becomes a number. A sign, surrounding spaces and a trailing `.0` or `.00` are allowed: sheets write them.
 *
 * @param range the lowest and the highest number allowed
 * @param what to enter, with the unit
 * @throws Failure for anything else, for numbers too large to be exact
 */
export function readWholeNumber(
	label: string,
	value: unknown,
	[lowest, highest]: [lowest?: number, highest?: number] = [],
	what = 'a whole number',
): number {
	const isNumber =
		typeof value === 'number' ||
		(typeof value === 'string' && /^[+-]?\d+(\.00?)?$/.test(value.trim()));
	const number = isNumber ? Number(value) : NaN;
	const isTooLarge = Math.abs(number) > Number.MAX_SAFE_INTEGER;
	const why =
		(isTooLarge && 'is too large') ||
		(!Number.isInteger(number) && 'is not a whole number') ||
		(lowest !== undefined && number < lowest && `is below ${lowest}`) ||
		(highest !== undefined && number > highest && `is above ${highest}`);
	if (!why) return number;
	const least = lowest === undefined ? ', e.g. 4' : ` of ${lowest} or more`;
	const range = highest === undefined ? least : ` from ${lowest} to ${highest}`;
	throw new Failure(`"${label}" ${why}: ${quote(value)}`, `Enter ${what}${range}.`);
}

/** @throws Failure for anything but one of the choices */
export function readChoice<Choice extends string>(
	label: string,
	value: unknown,
	choices: readonly Choice[],
): Choice {
	const chosen = choices.find((choice) => choice === value);
	if (chosen !== undefined) return chosen;
	throw new Failure(
		`"${label}" is none of its choices: ${quote(value)}`,
		`Choose one from the list, or use an expression that returns one of ${choices.join(', ')}.`,
	);
}

/**
 * Reads a parameter that is sent as a boolean; the texts "true" and "false" from an expression become
 * booleans.
 *
 * @throws Failure for anything else
 */
export function readBoolean(label: string, value: unknown): boolean {
	const text = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw new Failure(
		`"${label}" is neither true nor false: ${quote(value)}`,
		`Use an expression that returns true or false for "${label}", or remove it.`,
	);
}
