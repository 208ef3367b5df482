import { hasAnother } from './secondValue';
import { INVISIBLE, LONGEST_VALUE, type Cleaned, type ItemType } from './itemTypes';
import { EVERYBODY, readValue } from './readValue';
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
	const entry = pasted.replace(MARK, '').replace(BOLD, '$1$3$4').replace(BY_PROGRAM, '$2');
	const unwrapped = unwrap(entry);
	const { text, query } = unwrapped;
	if (text === '') return { reason: 'is empty' };
	if (INVISIBLE.test(text)) return { reason: 'contains an invisible character' };
	if (MASK.test(entry)) return { reason: 'hides letters behind *: use the whole address' };
	// Without the `*`, it can be somebody's name on a social network: @cafe.wien
	const isOfAll = EVERYBODY.test(text) && (text.startsWith('.') || entry.includes('*@'));
	const detected = isOfAll ? 'domain' : query === undefined ? type : 'email';
	const found = readValue(type === 'auto' ? detected : type, text);
	if ('reason' in found) return text.includes('\t') ? { reason: 'contains a tab' } : found;
	if (!hasAnother(type, found, unwrapped)) return { type: found.type, value: found.value };
	return { reason: 'is probably two values: put each on its own line, or keep only one' };
}

/** The mark of a list: `- ada@example.com`, `1. ada@example.com`. Word puts a tab behind it. */
const MARK = /^\s*(?:[-*•·–]|\d{1,3}[.)])[ \t\u00a0]+/;

/** Bold in Markdown: `**ada@example.com**`, also in quotes or brackets. */
const BOLD = /^([^\p{L}\d*]*)(\*{2,})([^*]+)\2([^\p{L}\d*]*)$/u;

/** As programs write a text: `b'ada@example.com'`, `[u"ada@example.com"]`, and not `'N'Diaye@example.com'`. */
const BY_PROGRAM = /^(?:[\s\p{Ps}<"]|'(?=\w"))*[burN](["'])([^]*)\1[^\p{L}\d@]{0,9}$/u;

/** `a***@example.com`, `a*a@example.com`, `**a@example.com`, `**.example.com`. One `*` in front is that of a list. */
const MASK = /(?:^|<)[^/?@<]*(?:[\p{L}\d*+._-]\*[^\s/?*@<]*@|\*\*\.[\p{L}\d])/u;
