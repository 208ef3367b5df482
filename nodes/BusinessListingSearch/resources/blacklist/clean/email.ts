import { urlDecoded } from '../../../../shared/input';
import { withoutJoiners, withoutWrapping } from '../unwrap';
import type { Cleaned } from '../values';
import { FILE_ENDING, FOREIGN_MARK, readHost, TOP_LEVEL_DOMAIN } from './host';

/** The scheme of a link to an email address. */
export const MAILTO = /^mailto:/i;

/** RFC 5322 allows these, some only in quotes; in practice they are not part of an address. */
const NOT_BEFORE_THE_AT = /[\p{Cc}\p{Cs}<>()[\]\\,;:"/?#]/u;

/** Whether the @ is where an address has it: `tiktok.com/@name` and `https://name@example.com` are links. */
export function isWrittenLikeAnEmail(text: string): boolean {
	const at = text.indexOf('@');
	return at >= 0 && !text.slice(0, at).includes('/');
}

/** As `readEmail`, for a value of any type: `CEO @ Acme` and `vue@3.2.x` could be addresses, but rarely are. */
export function recognizeEmail(text: string): Cleaned {
	const email = readEmail(text);
	const isClear = 'reason' in email || TOP_LEVEL_DOMAIN.test(email.value);
	return isClear ? email : { reason: 'is not clearly an email address: choose a type' };
}

/** Reads an email address, also as a link: `mailto:name@example.com?subject=Hello`. */
export function readEmail(text: string): Cleaned {
	const address = MAILTO.test(text) ? readMailto(text) : text;
	const at = address.indexOf('@');
	if (at < 0) return { reason: 'has no @' };
	if (address.includes('@', at + 1)) return { reason: 'has more than one @' };
	const local = withoutJoiners(address.slice(0, at).toLowerCase()).trim();
	const domain = address.slice(at + 1).trim();
	if (local === '') return { reason: 'has nothing before the @' };
	if (domain === '') return { reason: 'has nothing after the @' };
	if (/\s/.test(local + domain)) return { reason: 'contains a space' };
	if (NOT_BEFORE_THE_AT.test(local) || FOREIGN_MARK.test(local)) {
		return { reason: 'contains an invalid character before the @' };
	}
	const host = readHost(domain);
	if ('reason' in host) return { reason: 'has no valid domain after the @' };
	if (FILE_ENDING.test(host.name)) return { reason: 'is the name of a file, not an email address' };
	return { type: 'email', value: `${local}@${host.name}` };
}

/** `mailto:name%40example.com?subject=Hello` */
function readMailto(text: string): string {
	return withoutWrapping(urlDecoded(text.replace(MAILTO, '').replace(/\?.*/, '')));
}
