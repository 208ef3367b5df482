import { isTopLevelDomain, isPublicSuffix } from './publicSuffixes';
import { domainOf, problemOfHost } from './host';
import type { Found, Invalid, WebAddress } from './itemTypes';
import { isMailProvider, sharedSiteOf } from './sharedSites';

/** People mistype a scheme so that it can mean nothing else: `http//`, `http:www.`, `https://https://`. */
const WEB_ADDRESS = /^((?:(?:https?|htt|ftp)(?::\/*|\/\/+))*)(?:\/\/)?([^/?#]*)(([^?#]*)[^]*)$/i;

/** The dot and the port at the end of a host: `example.com.:8080`. */
const PORT = /\.?:\d{1,5}$|\.$/;

/** Takes a text apart as a web address, whether it is one or not. A space in front of the `?` is left out. */
export function webAddressOf(text: string): WebAddress {
	const link = text.includes(' ?') ? text.replace(' ?', '?') : text;
	const [, scheme = '', host = '', rest = '', path = ''] = WEB_ADDRESS.exec(link) ?? [];
	return { scheme, host: PORT.test(host) ? host.replace(PORT, '') : host, rest, path };
}

/**
 * A page on somebody else's host: of one of its users, `example.edu/~name`, while some sites have files under
 * `/~/`; in a directory made from Google Maps, `/acme-chijab1`, with a part of the place ID at its end.
 */
const PAGE_OF_OTHERS = /^\/+(?:~|%7e)[^/]|-chij[\w-]{3}\/?$/i;

const IS_MAIL_PROVIDER = 'is the domain of a mail provider, which many businesses share';

/** Reads the domain of a web address: without its scheme, `www.`, port and path. */
export function readDomain(address: WebAddress): Found | Invalid {
	const { host, path } = address;
	if (hasAnotherAfterSpace(address)) return { reason: 'contains a space' };
	if (host.includes('@')) return { reason: 'contains an @, which is not allowed in a domain' };
	const name = domainOf(host);
	if (name === undefined) return { reason: 'is not a domain' };
	const domain = name.replace(/^(www\.)+/, '');
	if (!domain.includes('.')) return { reason: 'is www. and one word, without an ending like .com' };
	const site = sharedSiteOf(domain) ?? (PAGE_OF_OTHERS.test(path) ? domain : undefined);
	if (site !== undefined) return { reason: `is on ${site}, a shared site`, sharedSite: site };
	if (isMailProvider(domain)) return { reason: IS_MAIL_PROVIDER, sharedSite: domain };
	if (isPublicSuffix(domain))
		return { reason: 'has no name in front of an ending like co.uk: if it is right, use Add Item' };
	const reason = problemOfHost(domain);
	return reason === undefined ? { type: 'domain', value: domain, address } : { reason };
}

/** These signs show another value: an address, a link, an ID, a rounded number. */
const ANOTHER = /[^\S ]|[@:]|\/\/|www\.|\d{17}|[cg]hij|\d\.\d+e\+|\.[^\0-\x7f]/;

/** What can be the ending of a domain: `.com`. */
const ENDINGS = /\.([a-z][a-z\d-]*[a-z\d])/g;

/** Whether there is a space in front of the path, or one behind which another value can follow. */
function hasAnotherAfterSpace({ scheme, host, rest }: WebAddress): boolean {
	const space = rest.search(/\s/);
	if (space === -1 || /\s/.test(host)) return /\s/.test(host);
	// Names have dots and slashes, too: Dr.med/Dr. Doe
	if (scheme === '' && !/^www\./i.test(host)) return true;
	const after = rest.slice(space).toLowerCase();
	return (
		ANOTHER.test(after) || [...after.matchAll(ENDINGS)].some(([, name]) => isTopLevelDomain(name!))
	);
}
