import { urlDecoded } from '../../../shared/input';
import { LONGEST_PASTED, withoutJoiners, withoutWrapping } from './unwrap';
import { hasInvisible, KINDS, LONGEST_VALUE, type ItemType } from './values';

/** A value as the service accepts it, or why it is invalid, as the end of "The value …". */
export type Cleaned = { type: ItemType; value: string } | { reason: string };

/**
 * Cleans one pasted value: an address with a name, a web address, a Google Maps link. It never
 * guesses: an ambiguous value is invalid.
 *
 * @param type the type of the value, or `auto` to detect it
 * @returns the value as the service accepts it (service interface, section 2), or why it is invalid;
 * never throws
 */
export function cleanValue(type: ItemType | 'auto', value: string): Cleaned {
	const pasted = value.trim();
	if (pasted.length > LONGEST_PASTED) return { reason: 'is too long' };
	const text = withoutWrapping(pasted);
	if (text === '') return { reason: 'is empty' };
	if (text.length > LONGEST_VALUE) return { reason: 'is too long' };
	return CLEAN[type](text);
}

/**
 * Checks one value without cleaning it, apart from trimming. With `auto`, a value that cleaning would
 * change is invalid.
 *
 * @returns the value, or why it is invalid; never throws
 */
export function checkValue(type: ItemType | 'auto', value: string): Cleaned {
	const text = value.trim();
	if (text === '') return { reason: 'is empty' };
	if (text.length > LONGEST_VALUE) return { reason: 'is too long' };
	if (type !== 'auto') {
		const { name, isPossible, looksLike } = KINDS[type];
		if (hasInvisible(text)) return { reason: 'contains an invisible character' };
		if (isPossible(text)) return { type, value: text };
		return { reason: `is invalid for the type ${name}; expected ${looksLike}` };
	}
	const cleaned = cleanValue('auto', text);
	if ('reason' in cleaned || cleaned.value === text) return cleaned;
	return {
		reason: `needs cleaning to be of the type ${KINDS[cleaned.type].name}, but "Clean Values" is off`,
	};
}

// ---- The kinds

const CLEAN: Record<ItemType | 'auto', (text: string) => Cleaned> = {
	auto: recognise,
	cid: (text) => (isMapsLink(text) ? readMapsLink('cid', text) : readCid(text)),
	domain: readDomain,
	email: readEmail,
	place_id: (text) => (isMapsLink(text) ? readMapsLink('place_id', text) : readPlaceId(text)),
};

/** Phone numbers with a prefix, card numbers and times have fewer digits; most CIDs have 17 to 20. */
const CLEAR_CID = /^[1-9]\d{16,}$/;

function recognise(text: string): Cleaned {
	if (PLACE_ID_LABEL.test(text)) return readPlaceId(text);
	if (CID_LABEL.test(text)) return readCid(text);
	if (isMapsLink(text)) return recogniseMapsLink(text);
	if (HEX_PAIR.test(text)) return readCid(text);
	if (ROUNDED.test(text)) return readCid(text);
	if (/^\d+$/.test(text)) {
		if (CLEAR_CID.test(text)) return readCid(text);
		return { reason: 'is a short number, which could be a CID or a phone number: choose a type' };
	}
	if (/^ChIJ[\w-]{16,}$/.test(text)) return readPlaceId(text);
	if (MAILTO.test(text) || isWrittenLikeAnEmail(text)) return recogniseEmail(text);
	if (text.includes('.')) return readDomain(text);
	return { reason: 'is not clearly an email address, a domain, a place ID or a CID' };
}

// ---- E-mail addresses

const MAILTO = /^mailto:/i;

/** RFC 5322 allows these, some only in quotes; in practice they are not part of an address. */
const NOT_BEFORE_THE_AT = /[\p{Cc}\p{Cs}<>()[\]\\,;:"/?#]/u;

/**
 * Bullets, dashes, apostrophes of Word, commas of other scripts: pasted along, and not part of a name. Not
 * dots of other scripts, emoji, and the dots within Catalan and Japanese names.
 */
const FOREIGN_MARK =
	/(?![\0-\x7f。．｡\p{Emoji}])(?!(?<=l)·l)(?!(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー])・)[\p{P}\p{S}]/iu;

/** `tiktok.com/@name` and `https://name@example.com` are web addresses. */
function isWrittenLikeAnEmail(text: string): boolean {
	const at = text.indexOf('@');
	return at >= 0 && !text.slice(0, at).includes('/');
}

/** An address can end in something else, but is then more often a name: `CEO @ Acme`, `vue@3.2.x`. */
function recogniseEmail(text: string): Cleaned {
	const email = readEmail(text);
	const isClear = 'reason' in email || TOP_LEVEL_DOMAIN.test(email.value);
	return isClear ? email : { reason: 'is not clearly an email address: choose a type' };
}

function readEmail(text: string): Cleaned {
	const address = MAILTO.test(text) ? readMailto(text) : text;
	const at = address.indexOf('@');
	if (at < 0) return { reason: 'has no @' };
	if (address.includes('@', at + 1)) return { reason: 'has more than one @' };
	const local = withoutJoiners(address.slice(0, at).toLowerCase()).trim();
	const domain = address.slice(at + 1).trim();
	if (local === '') return { reason: 'has nothing before the @' };
	if (domain === '') return { reason: 'has nothing after the @' };
	if (/\s/.test(local + domain)) return { reason: 'contains a space' };
	if (NOT_BEFORE_THE_AT.test(local) || FOREIGN_MARK.test(local)) {
		return { reason: 'contains an invalid character before the @' };
	}
	const host = readHost(domain);
	if ('reason' in host) return { reason: 'has no valid domain after the @' };
	if (FILE_ENDING.test(host.name)) return { reason: 'is the name of a file, not an email address' };
	return { type: 'email', value: `${local}@${host.name}` };
}

/** `mailto:name%40example.com?subject=Hello` */
function readMailto(text: string): string {
	return withoutWrapping(urlDecoded(text.replace(MAILTO, '').replace(/\?.*/s, '')));
}

// ---- Domains

/** It has two letters or more, or is an international one. */
const TOP_LEVEL_DOMAIN = /\.(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;

/** None of these is a top-level domain. */
const FILE_ENDING =
	/\.(?:avif|bmp|csv|docx?|gif|heic|html?|ico|jpe?g|js|json|mp[34]|od[st]|pdf|php|png|pptx?|sql|svg|tiff|tsv|txt|vcf|wav|webp|xlsx?|xml|ya?ml)$/;

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

function readDomain(text: string): Cleaned {
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

/** A user name and a password. Without a password, it is an email address: `http://ada@example.com`. */
const LOGIN = /^(?!mailto:)[^:]*:.*@/i;

/** The parts of a web address, with or without a scheme. */
function readWebAddress(text: string): { host: string; rest: string } {
	const address = text.replace(/^(?:(?:https?|ftp):)?\/\//i, '');
	const hasScheme = address !== text;
	const end = address.search(/[/?#\\]|$/);
	const authority = address.slice(0, end);
	const server = hasScheme ? authority.replace(LOGIN, '') : authority;
	return { host: server.replace(/^([^:]*):\d{1,5}$/, '$1'), rest: address.slice(end) };
}

/** A host name in ASCII; international names are converted as in browsers. */
function readHost(host: string): { name: string } | { reason: string } {
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

/** Except for www.com, which is a domain itself. */
function withoutWww(name: string): string {
	return name.replace(/^(?:www\.(?=[^.]+\.))+/, '');
}

// ---- Place IDs and CIDs

/** `place_id:ChIJ…` and the like, copied from a link or from JSON. */
const PLACE_ID_LABEL = /^(?:query_)?place_?id["'\s]*[:=]["'\s]*/i;
const CID_LABEL = /^(?:ludo)?cid["'\s]*[:=]["'\s]*/i;

/** Google guarantees neither length nor prefix; the shortest known have 27 characters. */
function readPlaceId(text: string): Cleaned {
	const value = text.replace(PLACE_ID_LABEL, '');
	if (/^(?:\d+|0x[\da-f]+)$/i.test(value)) return { reason: 'is a number, not a place ID' };
	if (!/^[\w-]{10,}$/.test(value)) return { reason: 'is not a place ID' };
	return { type: 'place_id', value };
}

/** Google's feature ID of a place: two numbers, the second of which is the CID. */
const HEX_PAIR = /^0x[\da-f]{1,16}:0x[\da-f]{1,16}$/i;

function secondNumber(pair: string): string {
	return BigInt(pair.slice(pair.indexOf(':') + 1)).toString();
}

/** `1.02E+19`, and with a comma where numbers are written so. */
const ROUNDED = /^\d[.,\d]*e\+?\d+$/i;

const LARGEST_CID = 2n ** 64n - 1n;

/**
 * Whether a CID lost its last digits: spreadsheets keep 15 digits of a number, expressions about 17, and
 * both put zeros in place of the others. Two in a thousand CIDs look like this by chance.
 */
function looksRounded(cid: string): boolean {
	const kept = cid.replace(/0+$/, '').length;
	const bySpreadsheet = cid.length > 15 && kept <= 15;
	const byExpression = cid.length >= 18 && String(Number(cid)) === cid;
	return bySpreadsheet || byExpression;
}

function readCid(text: string): Cleaned {
	const value = text.replace(CID_LABEL, '');
	if (HEX_PAIR.test(value)) return exactCid(secondNumber(value));
	if (ROUNDED.test(value)) {
		return { reason: 'is a rounded number, as spreadsheets show long numbers' };
	}
	if (!/^\d+$/.test(value)) return { reason: 'is not a CID' };
	if (value.length > 20 || BigInt(value) > LARGEST_CID) return { reason: 'is too large for a CID' };
	if (looksRounded(value)) {
		return {
			reason:
				'is probably a rounded number, because it ends in zeros: if it is right, use Add Item',
		};
	}
	return exactCid(value);
}

/** A place without a CID has a pair with 0. */
function exactCid(value: string): Cleaned {
	return /^0+$/.test(value) ? { reason: 'is not a CID' } : { type: 'cid', value };
}

// ---- Google Maps links

/** Links to a place or to a search for places, as host and path. */
const MAPS_LINK = new RegExp(
	[
		String.raw`^(?:`,
		String.raw`(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?/(?:maps|search|local)`,
		String.raw`|(?:maps|search|local|consent)\.google\.[a-z]{2,3}(?:\.[a-z]{2})?`,
		String.raw`|(?:maps|places)\.googleapis\.com|maps\.app\.goo\.gl|goo\.gl/maps`,
		String.raw`|g\.page|g\.co/kgs|share\.google`,
		String.raw`)(?:[/?#]|$)`,
	].join(''),
	'i',
);

/** In a parameter, or in the path's data, where `!1s` marks other texts as well. */
const PLACE_ID_IN_LINK =
	/(?<=[?&#](?:(?:query_)?place_?id=|q(?:uery)?=place_id:)|!\d{1,2}s(?=ChIJ))[\w-]+(?=[!?&#/]|$)/g;
const CID_IN_LINK = /(?<=[?&#](?:ludo)?cid=)\d+(?=[&#]|$)/g;
const HEX_PAIR_IN_LINK = /0x[\da-f]{1,16}:0x[\da-f]{1,16}(?![\da-f])/gi;

/** Whether a text is a link to Google Maps, or to Google's search for places. */
export function isMapsLink(text: string): boolean {
	const { host, rest } = readWebAddress(text);
	return MAPS_LINK.test(host + rest);
}

function recogniseMapsLink(link: string): Cleaned {
	const hasPlaceId = findInLink('place_id', link).length > 0;
	const hasCid = findInLink('cid', link).length > 0;
	if (hasPlaceId && hasCid) {
		return { reason: 'is a Google Maps link with both a place ID and a CID: choose a type' };
	}
	if (hasPlaceId) return readMapsLink('place_id', link);
	if (hasCid) return readMapsLink('cid', link);
	return { reason: 'is a Google Maps link with neither a place ID nor a CID' };
}

/** A link with directions can name several places, which makes it ambiguous. */
function readMapsLink(type: 'place_id' | 'cid', link: string): Cleaned {
	// A second value may follow, and must not be dropped silently.
	if (/\s/.test(link)) return { reason: 'contains a space' };
	const [found, another] = findInLink(type, link);
	if (found === undefined) return { reason: `is a Google Maps link with no ${KINDS[type].name}` };
	if (another !== undefined) {
		return { reason: `is a Google Maps link with more than one ${KINDS[type].name}` };
	}
	return type === 'cid' ? readCid(found) : readPlaceId(found);
}

/** The distinct identifiers of a kind in a link. */
function findInLink(type: 'place_id' | 'cid', link: string): string[] {
	const text = urlDecoded(link);
	if (type === 'place_id') return unique(text.match(PLACE_ID_IN_LINK) ?? []);
	const fromPairs = (text.match(HEX_PAIR_IN_LINK) ?? []).map(secondNumber);
	return unique([...(text.match(CID_IN_LINK) ?? []), ...fromPairs]);
}

function unique(texts: string[]): string[] {
	return [...new Set(texts)];
}
