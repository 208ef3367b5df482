import { MAIL_PROVIDERS } from './mailProviders.data';
import { SHARED_SITES } from './sharedSites.data';

/** The hosts of a list, in which a line is one, or an ending with the names in front of it. */
function hostsOf(list: string): Set<string> {
	const hosts = list.split('\n').flatMap((line) => {
		const [ending = '', ...names] = line.split(' ');
		// A heading gives texts with a #, which no host has.
		return names.length === 0 ? ending : names.map((name) => `${name}${ending}`);
	});
	return new Set(hosts);
}

const sharedSites = hostsOf(SHARED_SITES);

/** A column of websites has these domains, because programs derive a website from an email address. */
const mailProviders = hostsOf(MAIL_PROVIDERS);

/** @returns the shared site that a host is or belongs to: `yelp.de` for `m.yelp.de` */
export function sharedSiteOf(host: string): string | undefined {
	// The list marks with = a site whose subdomains belong to one business each: =tumblr.com
	if (sharedSites.has(`=${host}`)) return host;
	let site = host;
	for (let dot = site.indexOf('.'); dot !== -1; dot = site.indexOf('.')) {
		if (isListed(sharedSites, site)) return site;
		site = site.slice(dot + 1);
	}
	return undefined;
}

/**
 * Whether a host is that of a mail or access provider: `gmx.de`, and not what is below it, which can be a
 * business's own: `name.free.fr`.
 */
export function isMailProvider(host: string): boolean {
	return isListed(mailProviders, host);
}

/** A brand is listed without these endings, because it has sites in many countries: `com`, `de`, `co.uk`. */
const ENDING = /^(?:[^.]+|(?:com?|net|org)\.[a-z]{2})$/;

/** Whether a list has a site or its brand. */
function isListed(list: Set<string>, site: string): boolean {
	const dot = site.indexOf('.');
	return list.has(site) || (list.has(site.slice(0, dot)) && ENDING.test(site.slice(dot + 1)));
}
