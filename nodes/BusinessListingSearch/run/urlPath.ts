import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/errors/failure';
import {
	emptyText,
	isExpression,
	readText,
	type Form,
	type TextParameter,
} from '../../shared/readField';
import { isBlank } from '../../shared/text';
import type { Item } from '../input/item';

/** A parameter that becomes a segment of a path. */
export interface PathParameter extends TextParameter {
	/** What to do if it is empty. */
	advice: string;
}

/**
 * Whether a URL can carry a text: not blank, not half an emoji, and not `.` or `..`, which resolve even
 * percent-encoded.
 */
export function canBeSegment(text: string): boolean {
	return !isBlank(text) && !/^\.{1,2}$|\p{Cs}/u.test(text);
}

/**
 * Evaluates a parameter that becomes a single path segment (service interface, section 4, rule 1).
 *
 * @throws Failure as `readText` does, and for what no URL can carry
 */
export function readSegment(parameter: PathParameter, item: Item): string {
	const { label, name, advice } = parameter;
	const given = item.parameter(label, name, '', { extractValue: true });
	// n8n extracts nothing from a locator without a mode.
	const isLocator = typeof given === 'object' && given !== null && '__rl' in given;
	const value = isLocator ? (given as IDataObject).value : given;
	// A name that was chosen from the list can have blanks at its ends.
	const isExact = parameter.isExact || isChosen(parameter, item);
	const read = readText({ ...parameter, isExact }, value, item);
	const text = isExact ? read : read.trim();
	if (canBeSegment(text)) return text;
	throw isBlank(text)
		? emptyText(parameter, item, advice)
		: new Failure(
				`"${label}" cannot be "${text}"`,
				'A URL cannot contain this. Choose or enter another one.',
			);
}

/** Whether a value was chosen from a list, not given by an expression. */
function isChosen(parameter: PathParameter, form: Form): boolean {
	const { mode } = (form.entered(parameter.name) ?? {}) as { mode?: unknown };
	return mode === 'list' && !isExpression(parameter, form);
}

/**
 * Fills in a path. No field declares it in `routing`: n8n's own errors would replace those that are thrown here.
 *
 * @throws Failure that names the parameter
 */
export function pathOf(path: string, parameter: PathParameter | undefined, item: Item): string {
	return path.replace(':name', () => encodeURIComponent(readSegment(parameter!, item)));
}
