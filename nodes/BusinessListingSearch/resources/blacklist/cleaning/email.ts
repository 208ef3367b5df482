import { EXAMPLE_HOSTS, EXAMPLE_NAMES, NOT_OF_A_BUSINESS } from './exampleAddresses.data';
import { domainOf, IS_NOT_ONE, problemOfHost } from './host';
import type { Found, Invalid } from './itemTypes';
import { isMailProvider } from './sharedSites';

/** What links and JSON write for a space and a `>` in front of an address. */
const CODE_BEFORE = /^(?:%20|\\?u003e)+/;

/** A label or the beginning of a link in front of the name: `Email:info@example.com`, `example.com?ref=info@…`. */
const OTHER_TEXT = /[:=?/][^:=?/]+$/;

const NO_NAME = 'has no valid name before the @';
const IS_EVERYBODY = 'has no name before the @: for everybody at it, choose the type Domain';
const HAS_OTHER_TEXT = 'has other text before the address, such as Email: or a link: remove it';

/** Reads an email address: `Name@Example.com`. */
export function readEmail(text: string): Found | Invalid {
	const at = text.indexOf('@');
	if (at === -1) return { reason: 'has no @' };
	if (at !== text.lastIndexOf('@'))
		return { reason: 'has more than one @: separate several addresses with commas' };
	if (/\s/.test(text)) return { reason: 'contains a space' };
	if (at === 0 && domainOf(text.slice(1)) !== undefined) return { reason: IS_EVERYBODY };
	const name = text.slice(0, at).toLowerCase().replace(CODE_BEFORE, '');
	if (!LOCAL_PART.test(name)) return { reason: OTHER_TEXT.test(name) ? HAS_OTHER_TEXT : NO_NAME };
	const domain = domainOf(text.slice(at + 1));
	if (domain === undefined) return { reason: 'has no valid domain after the @' };
	const reason = problemOfAddress(name, domain);
	return reason === undefined ? { type: 'email', value: `${name}@${domain}` } : { reason };
}

/**
 * Letters of any language, and what else is common before the @. Much more is allowed, but rare: with a `=` or
 * one of these signs at its start, it is more likely the end of a link.
 */
const LOCAL_PART = /^(?![&+.-])[\p{L}\p{M}\p{Nd}!$%&'+^_`{}~.-]+$/u;

const exampleNames = new Set(EXAMPLE_NAMES.split('\n'));
const exampleHosts = new Set(EXAMPLE_HOSTS.split('\n'));
const notOfABusiness = new Set(NOT_OF_A_BUSINESS.split('\n'));

/** `contact919-242-5581office@example.com`, `touch0455266544hello@example.com` */
const PHONE_NUMBER = /(?:\d{3}[.-]\d{4,}\p{L}|\p{L}\d{9,}\p{L})[^@]*@/u;

/** What scrapers take for an address in the code of many businesses' pages. */
const JUNK: Array<[pattern: RegExp, reason: string]> = [
	[/^(?:mailto|www\.)[^@]+@/, 'has mailto or www. in front of the address: remove it'],
	[/@www\.[^.]+\./, 'has www. after the @: remove it'],
	[/^([a-z])\1{9,}@/, 'is a placeholder of a form, not an address'],
	[/^[\da-f]{32}@/, 'is a key for crash reports, not an address'],
	[/\.[.@]/, 'has two dots in a row, or one right before the @: if it is right, use Add Item'],
	[PHONE_NUMBER, 'has a phone number before the @: if it is right, use Add Item'],
	// example.orginfo@example.org, and not acme.contact@acme.co
	[
		/^(.+)\.?(?:info|office|e?mail|contact|kontakt|hello|hallo|sales|support|service|team)@\1$/,
		IS_NOT_ONE,
	],
];

/** Forms show `youremail@gmail.com`, while `name@gmail.com` can be somebody's. */
const YOUR = /^(?:example|your)/;

/** @returns why an address leads to no business: the first reason that fits; undefined if there is none */
function problemOfAddress(name: string, domain: string): string | undefined {
	const isYours = YOUR.test(name) && isMailProvider(domain);
	const isExample = exampleNames.has(name) && (isYours || exampleHosts.has(domain));
	if (isExample) return 'is an example from a form, not an address';
	const value = `${name}@${domain}`;
	if (notOfABusiness.has(value) || notOfABusiness.has(name) || notOfABusiness.has(domain)) {
		return 'is a placeholder, or belongs to who made the website';
	}
	for (const [pattern, reason] of JUNK) if (pattern.test(value)) return reason;
	return problemOfHost(value);
}
