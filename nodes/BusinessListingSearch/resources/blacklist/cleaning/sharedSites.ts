/**
 * Sites on which many businesses have a page in place of their website, and those that shorten links. A
 * name without a dot is a brand, whatever the ending: `yelp.com`, `yelp.de`, `yelp.co.uk`. Sites that
 * only give each business a subdomain of its own need no entry.
 */
const SHARED_SITES = new Set(
	[
		// Social networks and messengers
		'bsky.app discord.gg facebook fb.com fb.me fb.watch instagr.am instagram line.me linkedin',
		'lnkd.in m.me medium.com messenger.com nextdoor ok.ru patreon pinterest quora reddit',
		'snapchat t.me telegram.me threads.com threads.net tiktok tumblr.com twitch.tv twitter vimeo vk.com',
		'wa.me weibo whatsapp x.com xing youtu.be youtube',
		// Maps and search
		'apple.com bing.com foursquare g.co g.page google goo.gl googleapis.com here.com maps.apple mapquest',
		'share.google waze yandex',
		// Reviews and directories
		'11880 angi.com bbb.org checkatrade clutch.co crunchbase cylex doctolib g2.com',
		'gelbeseiten glassdoor goldenpages healthgrades herold.at homeadvisor houzz jameda',
		'justdial local.ch manta.com paginegialle pagesjaunes provenexpert sulekha superpages',
		'tabelog thumbtack tripadvisor trustedshops trustpilot psychologytoday avvo.com weddingwire yell.com yellowpages',
		'yelp zocdoc',
		// Booking
		'acuityscheduling agoda airbnb booking.com booksy calendly expedia fresha getyourguide holidaycheck',
		'hostelworld hotels.com lafourchette planity mindbodyonline opentable quandoo resy.com setmore',
		'styleseat thefork treatwell trip.com trivago vagaro viator vrbo',
		// Delivery
		'chownow deliveroo doordash foodora foodpanda glovoapp grubhub ifood just-eat justeat',
		'lieferando menulog order.online postmates rappi seamless.com skipthedishes swiggy takeaway.com',
		'thuisbezorgd toasttab ubereats wolt.com zomato',
		// Marketplaces
		'alibaba aliexpress allegro.pl amazon bol.com craigslist depop ebay etsy flipkart gumtree',
		'kleinanzeigen lazada leboncoin marktplaats mercadolibre mercadolivre mobile.de olx',
		'poshmark rakuten realtor.com rightmove shopee squareup vinted walmart willhaben zillow',
		'zoopla',
		// Links in a profile
		'about.me allmylinks beacons.ai bio.link bio.site campsite.bio hoo.be linkin.bio linkpop',
		'linktr.ee lnk.bio many.link milkshake.app msha.ke solo.to stan.store taplink withkoji',
		// Short links
		'adobe.ly amzn.to bit.ly buff.ly cutt.ly dlvr.it forms.gle is.gd ow.ly qrco.de rb.gy',
		'rebrand.ly s.id shorturl.at spoti.fi t.co t.ly tiny.cc tinyurl trib.al v.gd',
		// Pages under the address of what builds them
		'canva.com eventbrite github.com gofundme issuu.com jotform meetup.com notion.so',
		'spotify.com typeform wix.com',
	].flatMap((names) => names.split(' ')),
);

/** @returns the shared site that a host is or belongs to: `yelp.de` for `m.yelp.de` */
export function sharedSiteOf(host: string): string | undefined {
	const labels = host.split('.');
	for (let start = 0; start < labels.length - 1; start++) {
		const [brand = '', ...ending] = labels.slice(start);
		const site = labels.slice(start).join('.');
		if (SHARED_SITES.has(site)) return site;
		if (SHARED_SITES.has(brand) && isEnding(ending)) return site;
	}
	return undefined;
}

/** Such as `com`, `de`, `co.uk` and `com.au`. */
function isEnding(labels: string[]): boolean {
	return labels.length === 1 || /^(?:com?|net|org)\.[a-z]{2}$/.test(labels.join('.'));
}
