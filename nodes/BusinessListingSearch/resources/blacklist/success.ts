import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../transport/answer';
import { unexpectedAnswer, unsuccessfulAnswer } from '../../transport/answer';

/**
 * Reads the answer of a call that changes a blacklist: `{ success }` (service interface, section 4,
 * rules 3 and 5).
 *
 * @throws Failure when `success` is false, or missing
 */
export function readSuccess(answer: Answer): void {
	const { success } = (answer.body ?? {}) as IDataObject;
	if (success === true) return;
	throw success === false ? unsuccessfulAnswer(answer) : unexpectedAnswer(answer, '"success"');
}
