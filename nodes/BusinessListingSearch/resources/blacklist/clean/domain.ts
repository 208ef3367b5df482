import type { Cleaned } from '../values';
import { readEmail } from './email';
import { FILE_ENDING, readHost, readWebAddress, TOP_LEVEL_DOMAIN } from './host';
import { isMapsLink } from './mapsLink';

/** Sites on which many businesses have a page in place of their website, and those that shorten links. */
const SHARED_SITE = new RegExp(
	[
		String.raw`(?:^|\.)(`,
		String.raw`(?:google|pinterest)\.[a-z]{2,3}(?:\.[a-z]{2})?`,
		String.raw`|(?:booking|etsy|facebook|fb|instagram|linkedin|messenger|reddit|snapchat|threads|tiktok`,
		String.raw`|tinyurl|tripadvisor|twitter|vk|weibo|whatsapp|x|xing|yelp|youtube)\.com`,
		String.raw`|bit\.ly|bsky\.app|fb\.me|fb\.watch|goo\.gl|instagr\.am|linktr\.ee|lnkd\.in|m\.me`,
		String.raw`|maps\.apple(?:\.com)?|ok\.ru|t\.co|t\.me|telegram\.me|threads\.net|wa\.me|youtu\.be`,
		String.raw`)$`,
	].join(''),
);

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
	const [, site] = SHARED_SITE.exec(name) ?? [];
	if (site !== undefined && isPage) {
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
