import { urlDecoded } from '../../../../shared/input';
import { isEnding, isOnlyEnding } from './endings';
import { EXAMPLE_HOSTS, EXAMPLE_NAMES, NOT_OF_A_BUSINESS } from './exampleAddresses.data';
import type { Cleaned } from './itemTypes';
import { isMailProvider, sharedSiteOf } from './sharedSites';

const exampleNames = new Set(EXAMPLE_NAMES.split('\n'));
const exampleHosts = new Set(EXAMPLE_HOSTS.split('\n'));
const notOfABusiness = new Set(NOT_OF_A_BUSINESS.split('\n'));

/**
 * What JSON and links write for a character, such as `u003e` and `%20`. An account can be called u0012345.
 */
const LEFTOVER = /^u00(?!\d+[.@])[\da-f]{2}[^.@]|u003[ce]|%[\da-f]{2}/;

/** @returns the value, unless it leads nowhere: scrapers take such values from the code of web pages */
function checked(type: 'email' | 'domain', value: string, host: string): Cleaned {
	const ending = host.slice(host.lastIndexOf('.') + 1);
	if (!isEnding(ending)) {
		return {
			reason: `has the ending .${ending}, which no domain has: if it is right, use Add Item`,
		};
	}
	if (LEFTOVER.test(value)) {
		return { reason: 'contains the code of a character, such as u003e or %20: remove it' };
	}
	// example.orginfo@example.org, example.comwww.example.org
	const isGlued = value.startsWith(host) && USUAL_NAME.test(value.slice(host.length));
	if (isGlued || (host.includes('www.') && isEnding(/\.([^.]+)www\./.exec(host)?.[1] ?? '-'))) {
		return { reason: 'is two values without a space between them: separate them' };
	}
	return { type, value };
}

/** `acme.contact@acme.co` is an address, though it begins with its domain. */
const USUAL_NAME =
	/^\.?(?:info|office|e?mail|contact|kontakt|hello|hallo|sales|support|service|team)@/;

/** What scrapers take for an address in the code of many businesses' pages. */
const JUNK: Array<[pattern: RegExp, reason: string]> = [
	[/^(?:mailto|www\.)[^@]+@/, 'has mailto or www. in front of the address: remove it'],
	[/@www\.[^.]+\./, 'has www. after the @: remove it'],
	[/^([a-z])\1{9,}@/, 'is a placeholder of a form, not an address'],
	[/^[\da-f]{32}@/, 'is a key for crash reports, not an address'],
];

/**
 * Letters of any language, and what else is common before the @. Much more is allowed, but rare: with a `=` or
 * one of these signs at its start, it is more likely the end of a link.
 */
const LOCAL_PART = /^(?![&+.-])[\p{L}\p{M}\p{Nd}!$%&'*+^_`{}~.-]+$/u;

/** What links and JSON write for a space and a `>` in front of an address. */
const CODE_BEFORE = /^(?:%20|\\?u003e)+/;

/** Reads an email address: `Name@Example.com`. */
export function readEmail(text: string): Cleaned {
	const at = text.indexOf('@');
	if (at === -1) return { reason: 'has no @' };
	if (at !== text.lastIndexOf('@')) return { reason: 'has more than one @' };
	if (/\s/.test(text)) return { reason: 'contains a space' };
	const name = text.slice(0, at).toLowerCase().replace(CODE_BEFORE, '');
	if (!LOCAL_PART.test(name)) return { reason: 'has no valid name before the @' };
	const domain = domainOf(text.slice(at + 1));
	if (domain === undefined) return { reason: 'has no valid domain after the @' };
	if (isExample(name, domain)) return { reason: 'is an example from a form, not an address' };
	const value = `${name}@${domain}`;
	if (notOfABusiness.has(value) || notOfABusiness.has(name) || notOfABusiness.has(domain)) {
		return { reason: 'is a placeholder, or belongs to who made the website' };
	}
	for (const [pattern, reason] of JUNK) if (pattern.test(value)) return { reason };
	return checked('email', value, domain);
}

function isExample(name: string, host: string): boolean {
	if (!exampleNames.has(name)) return false;
	return exampleHosts.has(host) || (/^(?:example|your)/.test(name) && isMailProvider(host));
}

/**
 * Scheme, host, port, and everything after that; also mistyped so that it can mean nothing else: `http//`,
 * `http:www.`, `https://https://`, a space before the `?`.
 */
const WEB_ADDRESS =
	/^(?:(?:https?|htt|ftp)(?::|(?=\/\/))\/*)*(?:\/\/)?([^/?#]*?)\.?(?::\d{1,5})?(\s?[/?#].*)?$/i;

/**
 * A page on somebody else's host: of one of its users, `example.edu/~name`, while some sites have files under
 * `/~/`; in a directory made from Google Maps, `/acme-chijab1`, with a part of the place ID at its end.
 */
const PAGE_OF_OTHERS = /^\/+(?:~|%7e)[^/]|-chij[\w-]{3}\/?(?=[?#]|$)(?<!\?.*)/i;

/** Also mistyped, if there still is a domain without it: `ww.example.com`, and not `ww.com` or `ww.co.uk`. */
const WWW = /^(?:www\.|w{2,4}\.(?=[^.]+\.)(?!(?:com?|org|net)\.[a-z]{2}$))+/;

/** Reads the domain of a web address: without its scheme, `www.`, port and path. */
export function readDomain(text: string): Cleaned {
	if (/\s(?!\?)/.test(text) && !isOneAddress(text)) return { reason: 'contains a space' };
	const [, host = '', path = ''] = WEB_ADDRESS.exec(text) ?? [];
	if (host.includes('@')) return { reason: 'contains an @, which is not allowed in a domain' };
	const name = domainOf(host);
	if (name === undefined) return { reason: 'is not a domain' };
	const domain = name.replace(WWW, '');
	if (!domain.includes('.')) return { reason: 'is www. and one word, without an ending like .com' };
	const site = sharedSiteOf(domain) ?? (PAGE_OF_OTHERS.test(path) ? domain : undefined);
	if (site !== undefined) {
		return {
			reason: `is on ${site}, a shared site`,
			sharedSite: site,
		};
	}
	if (isMailProvider(domain)) {
		return {
			reason: 'is the domain of a mail provider, which many businesses share',
			sharedSite: domain,
		};
	}
	if (isOnlyEnding(domain)) return { reason: 'has no name in front of an ending like co.uk' };
	return checked('domain', domain, domain);
}

/** Whether spaces are in a path or a query. A second value after one must not be dropped silently. */
function isOneAddress(text: string): boolean {
	if (!/^(?:https?:\/\/|www\.)[^\s/?#]+[/?#]/i.test(text)) return false;
	const rest = text.slice(text.search(/\s/)).toLowerCase();
	if (/[^\S ]|[@:]|\/\/|www\.|\d{17}|[cg]hij|\d\.\d+e\+|\.[^\0-\x7f]/.test(rest)) return false;
	const names = rest.match(/(?<=\.)[a-z][a-z\d-]*[a-z\d]/g) ?? [];
	return !names.some(isEnding);
}

/** It ends in two letters or more, or in an international ending: IP addresses and versions do not. */
const DOMAIN =
	/^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{1,59})$/;

/**
 * @returns a host name in ASCII, international names converted as in browsers, also from percent code;
 * undefined if it is none
 */
function domainOf(host: string): string | undefined {
	const name = host.toLowerCase();
	if (DOMAIN.test(name)) return name;
	// The URL parser would take other characters for letters, or for the end of the name.
	const text = urlDecoded(host);
	if (/^[\0-\x7f]*$/.test(text) || !/^[\p{L}\p{M}\p{Nd}.-]+$/u.test(text)) return undefined;
	const address = `http://${text}/`;
	const international = URL.canParse(address) ? new URL(address).hostname : '';
	return DOMAIN.test(international) ? international : undefined;
}
