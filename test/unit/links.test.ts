import { cleanValue } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/clean';
import { belongsTo } from './clean.table';

/**
 * Links as they are in the website column of a CRM or a Maps export, and the shared site they belong to: some of each
 * kind of site. `data.test.ts` checks the list itself.
 */
const ON_SHARED_SITES = [
	['https://www.yelp.de/biz/foo', 'yelp.de'],
	['https://www.facebook.com/example', 'facebook.com'],
	['https://de-de.facebook.com/pages/Foo/1', 'facebook.com'],
	['https://www.facebook.com?id=1', 'facebook.com'],
	['https://www.booking.com/hotel/de/foo.de.html', 'booking.com'],
	['https://www.just-eat.co.uk/restaurants-foo', 'just-eat.co.uk'],
	['https://sites.google.com/view/foo', 'google.com'],
	['http://homepage.ntlworld.com/foo', 'ntlworld.com'],
	['https://www.gov.uk/foo', 'gov.uk'],
	['https://eur01.safelinks.protection.outlook.com/?url=foo', 'safelinks.protection.outlook.com'],
	['https://www.yelp.de/', 'yelp.de'],
	['facebook.com', 'facebook.com'],
	['bit.ly', 'bit.ly'],
	// What is left if somebody takes the last two parts of a builder's subdomain.
	['wixsite.com', 'wixsite.com'],
	['https://www.mystrikingly.com/', 'mystrikingly.com'],
	// A chain, a franchise, or agents with a page each
	['https://www.marriott.com/en-us/hotels/foo/overview/', 'marriott.com'],
	['https://scontent-ams2-1.cdninstagram.com/foo.jpg', 'cdninstagram.com'],
	['https://example-com.translate.goog/foo', 'translate.goog'],
	['https://www.remax.de/makler/foo', 'remax.de'],
	['https://www.thrivent.com/find-an-advisor/foo', 'thrivent.com'],
	['https://bookings.gettimely.com/foo/book', 'bookings.gettimely.com'],
	['https://portal.edu.gva.es/foo', 'portal.edu.gva.es'],
	['https://www.hertz.com/us/en/location/foo', 'hertz.com'],
	['https://www.hertz.co.nz/rentacar/location/foo', 'hertz.co.nz'],
	['https://map.bp.com/en-NZ/NZ/petrol-station/foo', 'map.bp.com'],
	['https://www.wotif.com/foo.Hotel-Information', 'wotif.com'],
	['https://www.wotif.co.nz/foo.Hotel-Information', 'wotif.co.nz'],
	// What reserves, takes orders or recommends for many, and a guide to a country
	['https://www.book-secure.com/index.php?s=results&property=foo', 'book-secure.com'],
	['https://bookings.goldenchain.com.au/foo', 'bookings.goldenchain.com.au'],
	['https://clienthub.getjobber.com/client_hubs/foo', 'clienthub.getjobber.com'],
	['https://bopple.app/foo/menu', 'bopple.app'],
	['https://www.order.store/store/foo', 'order.store'],
	['https://sonata.hotel-detail-check.com/foo', 'sonata.hotel-detail-check.com'],
	['https://jack-recommends.com/foo', 'jack-recommends.com'],
	['https://www.nz.com/foo', 'nz.com'],
	['https://www.dentist.co.nz/foo', 'dentist.co.nz'],
	// Where the suppliers have subdomains: the site, and its languages and mobile site
	['https://www.alibaba.com/product-detail/foo', 'alibaba.com'],
	['https://spanish.alibaba.com/g/foo.html', 'spanish.alibaba.com'],
	['en.alibaba.com', 'en.alibaba.com'],
];

/** A website of its own, and the domain that is sent. */
const WEBSITES = [
	['https://www.example.com/contact', 'example.com'],
	['https://shop.example.co.uk/cart?id=1#top', 'shop.example.co.uk'],
	['https://foo.business.site/', 'foo.business.site'],
	['https://www.yelp-immobilien.de/kontakt', 'yelp-immobilien.de'],
	['https://www.booking.example/hotel', 'booking.example'],
	['https://instagram.bmw.de/x', 'instagram.bmw.de'],
	['https://foo.wix.com/website', 'foo.wix.com'],
	['https://www.foo.gov.uk/contact', 'foo.gov.uk'],
	['https://foo.en.alibaba.com/company_profile.html', 'foo.en.alibaba.com'],
	['https://foo.remax.de/', 'foo.remax.de'],
	// A firm that is only itself
	['https://www.hotel-ami.com/', 'hotel-ami.com'],
	['https://habit.ly/', 'habit.ly'],
	// A name that is not only a chain's
	['https://www.ihop.org/', 'ihop.org'],
	['https://foo.sitelift.website/', 'foo.sitelift.website'],
	// Names like those of shared sites
	['https://www.hertz-foo.de/', 'hertz-foo.de'],
	['https://www.wotifoo.com/', 'wotifoo.com'],
	['https://www.bp.com/', 'bp.com'],
	['https://www.getjobber.com/', 'getjobber.com'],
	['https://www.dentistnz.com/', 'dentistnz.com'],
	['https://www.foodentist.co.nz/', 'foodentist.co.nz'],
];

describe.each(['domain', 'auto'] as const)('a link with the type %s', (type) => {
	it.each(ON_SHARED_SITES)('%s excludes nobody else on %s', (link, site) => {
		expect(cleanValue(type, link)).toEqual({ reason: belongsTo(site!), sharedSite: site });
	});

	it.each(WEBSITES)('%s is the domain %s', (link, domain) => {
		expect(cleanValue(type, link)).toEqual({ type: 'domain', value: domain });
	});
});
