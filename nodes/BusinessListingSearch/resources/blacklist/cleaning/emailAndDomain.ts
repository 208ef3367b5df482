import { sharedSiteOf } from './sharedSites';
import type { Cleaned } from './itemTypes';

/** Letters of any language, and what else is common before the @. Much more is allowed, and rarely meant. */
const LOCAL_PART = /^[\p{L}\p{M}\p{Nd}!$%&'*+=^_`{|}~.-]+$/u;

/** Reads an email address: `Name@Example.com`. */
export function readEmail(text: string): Cleaned {
	const [name = '', host, another] = text.split('@');
	if (host === undefined) return { reason: 'has no @' };
	if (another !== undefined) return { reason: 'has more than one @' };
	if (/\s/.test(text)) return { reason: 'contains a space' };
	if (!LOCAL_PART.test(name)) return { reason: 'has no valid name before the @' };
	const domain = domainOf(host);
	if (domain === undefined) return { reason: 'has no valid domain after the @' };
	return { type: 'email', value: `${name.toLowerCase()}@${domain}` };
}

/** Scheme, host, port, and everything after that. */
const WEB_ADDRESS = /^(?:(?:(?:https?|ftp):)?\/\/)?([^/?#]*?)(?::\d{1,5})?([/?#].*)?$/i;

/** Reads the domain of a web address: without its scheme, `www.`, port and path. */
export function readDomain(text: string): Cleaned {
	if (/\s/.test(text)) return { reason: 'contains a space' };
	const [, host = '', rest = '/'] = WEB_ADDRESS.exec(text) ?? [];
	if (host.includes('@')) return { reason: 'contains an @, which is not allowed in a domain' };
	const name = domainOf(host);
	if (name === undefined) return { reason: 'is not a domain' };
	const site = rest === '/' ? undefined : sharedSiteOf(name);
	if (site !== undefined) {
		return {
			reason: `is a page on ${site}: the domain would exclude every business with a page there`,
		};
	}
	// Except for www.com, which is a domain itself.
	return { type: 'domain', value: name.replace(/^(?:www\.(?=[^.]+\.))+/, '') };
}

/** It ends in two letters or more, or in an international ending: IP addresses and versions do not. */
const DOMAIN =
	/^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{1,59})$/;

/** @returns a host name in ASCII, international names converted as in browsers; undefined if it is none */
function domainOf(host: string): string | undefined {
	// A URL can contain other characters, but would take them for letters, or for the end of the name.
	if (!/^[\p{L}\p{M}\p{Nd}.-]+$/u.test(host)) return undefined;
	const isAscii = /^[\0-\x7f]*$/.test(host);
	const address = `http://${host}/`;
	const international = !isAscii && URL.canParse(address) ? new URL(address).hostname : '';
	const name = isAscii ? host.toLowerCase() : international;
	return DOMAIN.test(name) ? name : undefined;
}
