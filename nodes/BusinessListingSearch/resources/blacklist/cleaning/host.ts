import { urlDecoded } from '../../../../shared/text';
import { isTopLevelDomain } from './publicSuffixes';

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
 * What JSON and links write for a character, such as `u003e` and `%20`, where an account can be called u0012345; and
 * a second value: `example.comwww.example.org`.
 */
const NOT_ONE = /(?:^|@)u00(?!\d+[.@])[\da-f]{2}[^.@]|u003[ce]|%[\da-f]{2}|\.[^.@]{2,}www\./;

export const IS_NOT_ONE = 'contains a code such as u003e or %20, or a second value: remove it';

/**
 * @param value a host name, or an email address
 * @returns why nobody has it, as the end of "The value …": scrapers take such values from the code of web
 * pages; undefined if somebody can have it
 */
export function problemOfHost(value: string): string | undefined {
	const ending = value.slice(value.lastIndexOf('.') + 1);
	if (isTopLevelDomain(ending)) return NOT_ONE.test(value) ? IS_NOT_ONE : undefined;
	return `has the ending .${ending}, which no domain has: if it is right, use Add Item`;
}
