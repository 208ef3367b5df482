import { hasAnother } from './secondValue';
import { INVISIBLE, LONGEST_VALUE, type Cleaned, type ItemType } from './itemTypes';
import { readValue } from './readValue';
import { unwrap } from './unwrap';

/**
 * Cleans one pasted value: an address with a name, a web address, a Google Maps link. It never
 * guesses: an ambiguous value is invalid.
 *
 * @param type the type of the value, or `auto` to detect it
 * @returns the value as the service accepts it (service interface, section 2), or why it is invalid;
 * never throws
 */
export function cleanValue(type: ItemType | 'auto', pasted: string): Cleaned {
	if (pasted.length > LONGEST_VALUE) return { reason: 'is too long' };
	const unwrapped = unwrap(pasted);
	const { text, query } = unwrapped;
	if (text === '') return { reason: 'is empty' };
	if (INVISIBLE.test(text)) return { reason: 'contains an invisible character' };
	const found = readValue(type === 'auto' && query !== undefined ? 'email' : type, text);
	if ('reason' in found) return found;
	if (!hasAnother(type, found, unwrapped)) return { type: found.type, value: found.value };
	return { reason: 'is probably two values: put each on its own line, or keep only one' };
}
