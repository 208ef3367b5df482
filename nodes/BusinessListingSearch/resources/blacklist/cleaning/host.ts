import { urlDecoded } from '../../../../shared/input';
import { isEnding } from './endings';

/** It ends in two letters or more, or in an international ending: IP addresses and versions do not. */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{1,59})$/;

const isDomain = (host: string) => host.length <= 253 && DOMAIN.test(host);

/**
 * @returns a host name in ASCII, international names converted as in browsers, also from percent code;
 * undefined if it is none
 */
export function domainOf(host: string): string | undefined {
	const name = host.toLowerCase();
	if (isDomain(name)) return name;
	// The URL parser would take other characters for letters, or for the end of the name.
	const text = urlDecoded(host);
	if (/^[\0-\x7f]*$/.test(text) || !/^[\p{L}\p{M}\p{Nd}.-]+$/u.test(text)) return undefined;
	const address = `http://${text}/`;
	const international = URL.canParse(address) ? new URL(address).hostname : '';
	return isDomain(international) ? international : undefined;
}

/**
 * What JSON and links write for a character, such as `u003e` and `%20`. An account can be called u0012345.
 */
export const CODE_OF_CHARACTER = /^u00(?!\d+[.@])[\da-f]{2}[^.@]|u003[ce]|%[\da-f]{2}/;

export const HAS_CODE = 'contains the code of a character, such as u003e or %20: remove it';

export const IS_GLUED = 'is two values without a space between them: separate them';

/**
 * @param domain a host name
 * @returns why nobody has it, as the end of "The value …": scrapers take such values from the code of web
 * pages; undefined if somebody can have it
 */
export function problemOfHost(domain: string): string | undefined {
	const ending = domain.slice(domain.lastIndexOf('.') + 1);
	if (!isEnding(ending)) {
		return `has the ending .${ending}, which no domain has: if it is right, use Add Item`;
	}
	if (CODE_OF_CHARACTER.test(domain)) return HAS_CODE;
	// example.comwww.example.org
	const [, glued] = (domain.includes('www.') && /\.([^.]+)www\./.exec(domain)) || [];
	return glued !== undefined && isEnding(glued) ? IS_GLUED : undefined;
}
