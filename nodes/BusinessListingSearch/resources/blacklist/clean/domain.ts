import type { Cleaned } from '../values';
import { readEmail } from './email';
import { FILE_ENDING, readHost, readWebAddress, TOP_LEVEL_DOMAIN } from './host';
import { isMapsLink } from './mapsLink';
import { sharedSiteOf } from './sharedSites';

/** Reads the domain of a web address: without its scheme, `www.`, port and path. */
export function readDomain(text: string): Cleaned {
	if (/\s/.test(text)) return { reason: 'contains a space' };
	const { host, rest } = readWebAddress(text);
	if (host.includes('@')) {
		if ('reason' in readEmail(text))
			return { reason: 'contains an @, which is not allowed in a domain' };
		return { reason: 'is an email address, not a domain' };
	}
	// Not a path: two domains with a line break that was written as \n, or an escaped character.
	if (rest.startsWith('\\')) return { reason: 'contains a backslash' };
	const isPage = !/^\/?$/.test(rest);
	if (isMapsLink(text) && isPage) {
		return { reason: 'is a Google Maps link, not a domain' };
	}
	const ascii = readHost(host);
	if ('reason' in ascii) return ascii;
	const name = withoutWww(ascii.name);
	if (!name.includes('.')) return { reason: 'has no dot, so it is not a domain' };
	const site = isPage ? sharedSiteOf(name) : undefined;
	if (site !== undefined) {
		return {
			reason: `is a page on ${site}: the domain would exclude every business with a page there`,
		};
	}
	if (FILE_ENDING.test(name)) return { reason: 'is the name of a file, not a domain' };
	if (!TOP_LEVEL_DOMAIN.test(name)) return { reason: 'does not end like a domain' };
	return { type: 'domain', value: name };
}

/** Except for www.com, which is a domain itself. */
function withoutWww(name: string): string {
	return name.replace(/^(?:www\.(?=[^.]+\.))+/, '');
}
