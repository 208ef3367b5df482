import { cleanValue } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/clean';
import { belongsTo } from './clean.table';

/**
 * Links as they are in the website column of a CRM or a Maps export, and the shared site they belong to: some of each
 * kind of site. `data.test.ts` checks the list itself.
 */
const ON_SHARED_SITES = [
	['https://www.yelp.de/biz/foo', 'yelp.de'],
	['https://m.yelp.co.uk/biz/foo', 'yelp.co.uk'],
	['https://de.trustpilot.com/review/example.com', 'trustpilot.com'],
	['https://www.yellowpages.com.au/nsw/foo', 'yellowpages.com.au'],
	['https://www.facebook.com/example', 'facebook.com'],
	['https://de-de.facebook.com/pages/Foo/1', 'facebook.com'],
	['http://fb.com/example', 'fb.com'],
	['facebook.com/profile.php?id=1', 'facebook.com'],
	['https://www.facebook.com?id=1', 'facebook.com'],
	['https://instagram.com/example?igshid=1', 'instagram.com'],
	['https://at.linkedin.com/in/example', 'linkedin.com'],
	['https://twitter.com/example', 'twitter.com'],
	['https://x.com/example', 'x.com'],
	['https://www.youtube.com/channel/UC1', 'youtube.com'],
	['https://wa.me/491701234567', 'wa.me'],
	['https://api.whatsapp.com/send?phone=49170', 'whatsapp.com'],
	['https://www.booking.com/hotel/de/foo.de.html', 'booking.com'],
	['https://www.just-eat.co.uk/restaurants-foo', 'just-eat.co.uk'],
	['https://stores.ebay.com/foo', 'ebay.com'],
	['https://www.amazon.com.br/s?me=1', 'amazon.com.br'],
	['https://linktr.ee/example', 'linktr.ee'],
	['https://bit.ly/3abc', 'bit.ly'],
	['https://sites.google.com/view/foo', 'google.com'],
	['https://maps.apple.com/?q=foo', 'apple.com'],
	['https://www.tumblr.com/example', 'tumblr.com'],
	['https://www.wix.com/foo', 'wix.com'],
	['https://ueni.com/foo', 'ueni.com'],
	['https://www.freeindex.co.uk/profile(foo)_1.htm', 'freeindex.co.uk'],
	['https://web.archive.org/web/2010/http://foo.example', 'web.archive.org'],
	['http://homepage.ntlworld.com/foo', 'ntlworld.com'],
	['https://www.gov.uk/foo', 'gov.uk'],
	['https://www.doctoralia.com.br/foo', 'doctoralia.com.br'],
	['https://tel.search.ch/bern/foo', 'search.ch'],
	['https://eur01.safelinks.protection.outlook.com/?url=foo', 'safelinks.protection.outlook.com'],
	['https://www.yelp.de/', 'yelp.de'],
	['facebook.com', 'facebook.com'],
	['amazon.de', 'amazon.de'],
	['bit.ly', 'bit.ly'],
	['linktr.ee/', 'linktr.ee'],
	['https://www.immobilienscout24.de/anbieter/foo', 'immobilienscout24.de'],
	['https://www.businesslist.pk/company/1/foo', 'businesslist.pk'],
	['http://local.yp.com/foo', 'yp.com'],
	['https://concessionari.automobile.it/foo', 'automobile.it'],
	['https://it.wikipedia.org/wiki/Foo', 'wikipedia.org'],
	['https://www.cars.com/dealers/1/foo', 'cars.com'],
	// What is left if somebody takes the last two parts of a builder's subdomain.
	['wixsite.com', 'wixsite.com'],
	['https://business.site/', 'business.site'],
	['https://www.mystrikingly.com/', 'mystrikingly.com'],
	['webnode.page', 'webnode.page'],
	['netlify.app', 'netlify.app'],
	// A chain, a franchise, or agents with a page each
	['https://www.marriott.com/en-us/hotels/foo/overview/', 'marriott.com'],
	['https://www.mcdonalds.co.uk/restaurants/foo', 'mcdonalds.co.uk'],
	['https://restaurants.subway.com/foo', 'subway.com'],
	['https://scontent-ams2-1.cdninstagram.com/foo.jpg', 'cdninstagram.com'],
	['https://us.chinesemenu.com/foo', 'us.chinesemenu.com'],
	['https://sitelift.website/foo', 'sitelift.website'],
	['https://w3w.co/foo', 'w3w.co'],
	['https://example-com.translate.goog/foo', 'translate.goog'],
	['http://homepage.mac.com/foo', 'homepage.mac.com'],
	['https://www.remax.de/makler/foo', 'remax.de'],
	['https://www.century21.fr/agence/foo', 'century21.fr'],
	['https://www.groupon.co.uk/biz/foo', 'groupon.co.uk'],
	['https://bookings.gettimely.com/foo/book', 'bookings.gettimely.com'],
	['https://jobs.lever.co/foo', 'jobs.lever.co'],
	['https://portal.edu.gva.es/foo', 'portal.edu.gva.es'],
	['https://lh5.googleusercontent.com/p/foo', 'googleusercontent.com'],
	['https://foo.buff.ly/bar', 'buff.ly'],
	// Where the suppliers have subdomains: the site, and its languages and mobile site
	['https://www.alibaba.com/product-detail/foo', 'alibaba.com'],
	['https://spanish.alibaba.com/g/foo.html', 'spanish.alibaba.com'],
	['https://m.alibaba.com/company/foo', 'm.alibaba.com'],
	['en.alibaba.com', 'en.alibaba.com'],
];

/** A website of its own, and the domain that is sent. */
const WEBSITES = [
	['https://www.example.com/contact', 'example.com'],
	['http://example.com/de/impressum.html', 'example.com'],
	['https://shop.example.co.uk/cart?id=1#top', 'shop.example.co.uk'],
	['www.example.de', 'example.de'],
	['example.com/', 'example.com'],
	['HTTPS://EXAMPLE.COM', 'example.com'],
	['https://example.com:8443/path', 'example.com'],
	['https://foo.business.site/', 'foo.business.site'],
	['https://foo.wixsite.com/website', 'foo.wixsite.com'],
	['https://foo.myshopify.com/products/1', 'foo.myshopify.com'],
	['https://foo.wordpress.com/about', 'foo.wordpress.com'],
	['https://www.yelp-immobilien.de/kontakt', 'yelp-immobilien.de'],
	['https://notyelp.com/biz', 'notyelp.com'],
	['https://yelp.example.com/biz', 'yelp.example.com'],
	['https://www.threads-boutique.de/shop', 'threads-boutique.de'],
	['https://www.booking.example/hotel', 'booking.example'],
	['https://instagram.bmw.de/x', 'instagram.bmw.de'],
	['https://foo.wix.com/website', 'foo.wix.com'],
	['https://foo.freeindex.co.uk/', 'foo.freeindex.co.uk'],
	['https://www.foo.dipualba.es/', 'foo.dipualba.es'],
	['https://www.foo.gov.uk/contact', 'foo.gov.uk'],
	['https://foo.en.alibaba.com/company_profile.html', 'foo.en.alibaba.com'],
	['https://foo.notion.site/', 'foo.notion.site'],
	['https://foo.webnode.page/kontakt/', 'foo.webnode.page'],
	['https://foo.remax.de/', 'foo.remax.de'],
	// A firm that is only itself
	['https://www.uber.com/de/de/', 'uber.com'],
	['https://fever.com/', 'fever.com'],
	['https://www.hotel-ami.com/', 'hotel-ami.com'],
	['https://habit.ly/', 'habit.ly'],
	// A name that is not only a chain's
	['https://www.meineke.de/', 'meineke.de'],
	['https://www.ihop.org/', 'ihop.org'],
	['https://foo.sitelift.website/', 'foo.sitelift.website'],
];

describe.each(['domain', 'auto'] as const)('a link with the type %s', (type) => {
	it.each(ON_SHARED_SITES)('%s excludes nobody else on %s', (link, site) => {
		expect(cleanValue(type, link)).toEqual({ reason: belongsTo(site!), sharedSite: site });
	});

	it.each(WEBSITES)('%s is the domain %s', (link, domain) => {
		expect(cleanValue(type, link)).toEqual({ type: 'domain', value: domain });
	});
});
