/**
 * Bullets, dashes, apostrophes of Word, commas of other scripts: pasted along, and not part of a name. Not
 * dots of other scripts, emoji, and the dots within Catalan and Japanese names.
 */
export const FOREIGN_MARK =
	/(?![\0-\x7f。．｡\p{Emoji}])(?!(?<=l)·l)(?!(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー])・)[\p{P}\p{S}]/iu;

/** It has two letters or more, or is an international one. */
export const TOP_LEVEL_DOMAIN = /\.(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;

/** None of these is a top-level domain. */
export const FILE_ENDING =
	/\.(?:avif|bmp|csv|docx?|gif|heic|html?|ico|jpe?g|js|json|mp[34]|od[st]|pdf|php|png|pptx?|sql|svg|tiff|tsv|txt|vcf|wav|webp|xlsx?|xml|ya?ml)$/;

/** A user name and a password. Without a password, it is an email address: `http://ada@example.com`. */
const LOGIN = /^(?!mailto:)[^:]*:.*@/i;

/** @returns the parts of a web address, with or without a scheme */
export function readWebAddress(text: string): { host: string; rest: string } {
	const address = text.replace(/^(?:(?:https?|ftp):)?\/\//i, '');
	const hasScheme = address !== text;
	const end = address.search(/[/?#\\]|$/);
	const authority = address.slice(0, end);
	const server = hasScheme ? authority.replace(LOGIN, '') : authority;
	return { host: server.replace(/^([^:]*):\d{1,5}$/, '$1'), rest: address.slice(end) };
}

/** @returns a host name in ASCII, international names converted as in browsers, or why it is invalid */
export function readHost(host: string): { name: string } | { reason: string } {
	if (/^\[?[\da-f]*:[\da-f]*:[\da-f:.]*(?:\]|$)/i.test(host)) return IS_AN_IP_ADDRESS;
	if (/^\d+$/.test(host)) return { reason: 'is a number, not a domain' };
	// URL would treat these as the end of the name, decode them, or take them for letters.
	if (/[\s/\\?#@:%]/.test(host) || FOREIGN_MARK.test(host)) return { reason: 'is not a domain' };
	let name: string;
	try {
		name = new URL(`http://${host}/`).hostname;
	} catch {
		// Older versions of Node.js validate names that are already ASCII, newer ones do not. The
		// service decides whether the name exists.
		if (!/(^|\.)xn--/i.test(host)) return { reason: 'is not a domain' };
		name = host.toLowerCase();
	}
	name = name.replace(/\.$/, '');
	// URL expands numbers to IP addresses: 0x7f.1 is 127.0.0.1.
	if (/^[\d.]+$/.test(name)) return IS_AN_IP_ADDRESS;
	if (name.length > 253) return { reason: 'is too long for a domain' };
	if (!name.split('.').every(isLabel)) return { reason: 'is not a domain' };
	return { name };
}

const IS_AN_IP_ADDRESS = { reason: 'is an IP address, not a domain' };

function isLabel(label: string): boolean {
	return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label);
}
