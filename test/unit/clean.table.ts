import type { ItemType } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/itemTypes';

/** The cleaned value for each type, and the detected type or why there is none. */
export type Outcome = Partial<Record<ItemType, string>> & { auto: string };

const email = (value: string): Outcome => ({ auto: 'email', email: value });
const domain = (value: string): Outcome => ({ auto: 'domain', domain: value });
const placeId = (value: string): Outcome => ({ auto: 'place_id', place_id: value });
const cid = (value: string): Outcome => ({ auto: 'cid', cid: value });
const own = (host: string): [string, Outcome] => [host, domain(host)];
const invalid = (reason: string): Outcome => ({ auto: reason });

const EIFFEL = 'ChIJLU7jZClu5kcR4PcOOO6p3I0';
const EIFFEL_LINK =
	'https://www.google.com/maps/place/Tour+Eiffel/@48.8583701,2.2919064,17z/data=!3m1!4b1!4m6!3m5';
const PAIR = '0x47e66e2964e34e2d:0x8ddca9ee380ef7e0';
const CID = '10222232094831998944';

const UNCLEAR = invalid('is not clearly an email address, a domain, a place ID or a CID');
const NO_PLACE = invalid('is a Google Maps link with no place ID or CID');
const SHORT_NUMBER = 'is a short number, which could be a CID or a phone number: choose a type';
const ROUNDED = invalid(
	'is probably a rounded number, because it ends in zeros: if it is right, use Add Item',
);
const AS_SHOWN_IN_SPREADSHEETS = invalid('is a rounded number, as spreadsheets show long numbers');
const MORE_THAN_ONE = 'is a Google Maps link with more than one place ID or CID';
const SHORT_LINK = 'is a short link: open it, and copy the address that it leads to';

export const belongsTo = (site: string) => `is on ${site}, a shared site`;
const onSite = (site: string) => invalid(belongsTo(site));
const OF_MAIL_PROVIDER = invalid('is the domain of a mail provider, which many businesses share');

const ofBrand = (ending: string): [string, Outcome] => [`gmx.${ending}`, OF_MAIL_PROVIDER];

const noDomainEndsIn = (ending: string) =>
	`has the ending .${ending}, which no domain has: if it is right, use Add Item`;
const noEnding = (ending: string) => invalid(noDomainEndsIn(ending));
const SUFFIX = invalid(
	'has no name in front of an ending like co.uk: if it is right, use Add Item',
);
const suffix = (host: string): [string, Outcome] => [host, SUFFIX];
const CODE = invalid('contains the code of a character, such as u003e or %20: remove it');
const KEY = invalid('is a key for crash reports, not an address');
const EXAMPLE = invalid('is an example from a form, not an address');
const PLACEHOLDER = invalid('is a placeholder, or belongs to who made the website');
const FILLER = invalid('is a placeholder of a form, not an address');
const MAILTO = invalid('has mailto or www. in front of the address: remove it');
const WWW_AFTER_AT = invalid('has www. after the @: remove it');
const TWO = invalid('is probably two values: separate them with a comma, or keep only one');
const GLUED = invalid('is two values without a space between them: separate them');
const MANY = invalid('has more than one @: separate several addresses with commas');
const NO_NAME = invalid('has no valid name before the @');
const OTHER_TEXT = invalid(
	'has other text before the address, such as Email: or a link: remove it',
);
const SPACE = invalid('contains a space');
const ONE_WORD = invalid('is www. and one word, without an ending like .com');

/** A place of its own: its ID contains the CID of the pair. */
const BAKERY = 'ChIJAVkDPzdOqEcR782rkHhWNBI';
const BAKERY_PAIR = '0x47a84e373f035901:0x1234567890abcdef';
const BAKERY_CID = '1311768467294899695';
const RESULT = `https://www.google.com/maps/place/Name/data=!4m7!3m6!1s${BAKERY_PAIR}`;
const ONE_PLACE = { ...placeId(BAKERY), cid: BAKERY_CID };

/** What people paste, and what becomes of it. A type that is not listed rejects the value. */
export const PASTED: Array<[string, Outcome]> = [
	// Around any value: spaces, quotes, brackets, what comes along from a list or a web page
	['  info@example.com\t', email('info@example.com')],
	['\u00a0info@example.com\u00a0', email('info@example.com')],
	['„ada@example.com“', email('ada@example.com')],
	['<ada@example.com>', email('ada@example.com')],
	['(ada@example.com).', email('ada@example.com')],
	['ada@example.com,', email('ada@example.com')],
	[` "${EIFFEL}", `, placeId(EIFFEL)],
	[`'${CID}`, cid(CID)],
	['\ufeffada@example.com\u200b', email('ada@example.com')],
	['* ada@example.com', email('ada@example.com')],
	['**https://example.com/a', domain('example.com')],
	[`*${EIFFEL}`, placeId(EIFFEL)],
	['ada@exam\u00adple.com', invalid('contains an invisible character')],

	// Email addresses
	['Info@Example.COM', email('info@example.com')],
	["o'brien+x_1@mail.example.co.uk", email("o'brien+x_1@mail.example.co.uk")],
	['Kontakt@Müller-Bäckerei.de', email('kontakt@xn--mller-bckerei-hfb76a.de')],
	['mailto:info@example.com', email('info@example.com')],
	['MAILTO:info@example.com?subject=Hi&cc=x@example.org', email('info@example.com')],
	['mailto:max%2Btag%40example.com', email('max+tag@example.com')],
	['ada@example.com?Subject=Hi', email('ada@example.com')],
	['Ada <ada@example.com?body=a/b&subject=Hi>', email('ada@example.com')],
	['ada@example.com?cc=bob@example.com', MANY],
	['ada@example.com?subject=Hi&cc=bob', invalid('has no valid domain after the @')],
	['example.com/a@b?subject=Hi', domain('example.com')],
	['mailto:?to=ada@example.com', email('ada@example.com')],
	['mailto:?subject=Hi&to=ada%40example.com&body=Hi', email('ada@example.com')],
	['mailto:?subject=Hi', invalid('is empty')],
	['mailto:example.com', { auto: 'has no @', domain: 'example.com' }],
	['Ada <ADA@example.com>', email('ada@example.com')],
	['"Doe, Jane" <ada@example.com>', email('ada@example.com')],
	['ada@example.com <mailto:ada@example.com>', email('ada@example.com')],
	['Foo/Bar GmbH <info@foobar.de>;', email('info@foobar.de')],
	['Chef@Home <ada@example.com>', email('ada@example.com')],
	['ada @ example.com', invalid('contains a space')],
	// Another address must not be dropped silently.
	['A <a@example.com> B <b@example.com>', MANY],
	['a@example.com <b@example.com>', MANY],
	['a@example.com <aa@example.com>', MANY],
	['info@example.com <Ada>', invalid('contains a space')],
	['"ada@example.com" <bob@example.com>', MANY],
	['a@example.com b@example.com', MANY],
	['<ada@example.com> 42', invalid('contains a space')],
	['call me a@example.com', invalid('contains a space')],
	['info@exa mple.com', invalid('contains a space')],
	['a@b@c.com', MANY],
	['@example.com', invalid('has no valid name before the @')],
	['info@', invalid('has no valid domain after the @')],
	['a,b@example.com', invalid('has no valid name before the @')],
	['•info@example.com', invalid('has no valid name before the @')],
	['info@192.168.0.1', invalid('has no valid domain after the @')],
	['info@example.com/contact', invalid('has no valid domain after the @')],
	['info(at)example.com', invalid('is not a domain')],
	['CEO@Acme', invalid('has no valid domain after the @')],
	['vue@3.2.x', invalid('has no valid domain after the @')],

	// Domains
	['EXAMPLE.com.', domain('example.com')],
	['https://example.com./', domain('example.com')],
	['https://müller-bäckerei.example./a', domain('xn--mller-bckerei-hfb76a.example')],
	['https://example.com../', invalid('is not a domain')],
	['https://www.example.com/contact', domain('example.com')],
	['HTTP://WWW.Example.com:8080/a/b?c=d#e', domain('example.com')],
	['//cdn.example.com/x.js', domain('cdn.example.com')],
	['https://example.com/?mail=a@example.org', domain('example.com')],
	['Example <https://www.example.com>', domain('example.com')],
	['www.example.co.uk', domain('example.co.uk')],
	['www2.example.com', domain('www2.example.com')],
	['https://müller-bäckerei.example', domain('xn--mller-bckerei-hfb76a.example')],
	['пример.рф', domain('xn--e1afmkfd.xn--p1ai')],
	['例え.jp', domain('xn--r8jz45g.jp')],
	['XN--R8JZ45G.jp', domain('xn--r8jz45g.jp')],
	['https://m%C3%BCller-b%C3%A4ckerei.de/a', domain('xn--mller-bckerei-hfb76a.de')],
	['example.com example.org', invalid('contains a space')],
	['http://info@example.com', invalid('contains an @, which is not allowed in a domain')],
	['https://user:pass@example.com/', invalid('contains an @, which is not allowed in a domain')],
	['user:pass@example.com', OTHER_TEXT],
	['example.com\\nexample.org', invalid('is not a domain')],
	['*.example.com', invalid('is not a domain')],
	['foo_bar.com', invalid('is not a domain')],
	['exa%6dple.com', invalid('is not a domain')],
	[`${'a'.repeat(64)}.com`, invalid('is not a domain')],
	[`${'a.'.repeat(125)}com`, domain(`${'a.'.repeat(125)}com`)],
	[`${'a.'.repeat(126)}com`, invalid('is not a domain')],
	['z.B.', invalid('is not a domain')],
	['–example.com', invalid('is not a domain')],
	['例え。jp', UNCLEAR],
	['127.0.0.1', invalid('is not a domain')],
	['http://[2001:db8::1]:8080/a.b', invalid('is not a domain')],
	['localhost', UNCLEAR],

	// Shared sites, of which `links.test.ts` has the list
	['tiktok.com/@example', onSite('tiktok.com')],
	['https://www.google.co.uk/url?q=https://example.com', onSite('google.co.uk')],
	['info@btconnect.com', email('info@btconnect.com')],
	// Only the site itself: what is below it is its own.
	['tumblr.com', onSite('tumblr.com')],
	['example.tumblr.com', domain('example.tumblr.com')],
	['www.dipualba.es', onSite('dipualba.es')],
	['https://www.example.ddgi.es/', domain('example.ddgi.es')],
	['gov.br', onSite('gov.br')],
	['https://www.gob.mx/', onSite('gob.mx')],
	['example.sp.gov.br', domain('example.sp.gov.br')],
	['contact@gov.uk', email('contact@gov.uk')],
	// Mail providers, and addresses at them
	['gmail.com', OF_MAIL_PROVIDER],
	['web.de', OF_MAIL_PROVIDER],
	['WWW.ORANGE.FR', OF_MAIL_PROVIDER],
	['yahoo.co.in', OF_MAIL_PROVIDER],
	['bakery@gmail.com', email('bakery@gmail.com')],
	['bakery@t-online.de', email('bakery@t-online.de')],
	['http://bakery.free.fr/menu', domain('bakery.free.fr')],
	['gmail.com.example', domain('gmail.com.example')],
	['http://wp.pl', OF_MAIL_PROVIDER],
	['http://www.poczta.onet.pl/', OF_MAIL_PROVIDER],
	['optusnet.com.au', OF_MAIL_PROVIDER],
	...['com', 'com.au', 'co.uk', 'net.au', 'org.uk', 'net', 'de'].map(ofBrand),
	...['gmx.ac.jp', 'gmx.co.com', 'gmx.example.de'].map(own),
	['outlook.com.ar', OF_MAIL_PROVIDER],
	['jcom.home.ne.jp', OF_MAIL_PROVIDER],
	['bakery@jcom.home.ne.jp', email('bakery@jcom.home.ne.jp')],
	['bakery.eircom.net', domain('bakery.eircom.net')],
	['wp.pl.example.com', domain('wp.pl.example.com')],
	// In one of the packages only, or a place in both
	['mail2art.com', domain('mail2art.com')],
	['england.com', domain('england.com')],
	['chef.net', domain('chef.net')],
	// Firms in both packages
	...['clerk.com', 'indexa.fr', 'naseej.com', 'scientist.com', 'sp.nl', 'spacewar.com'].map(own),
	...['vinbazar.com', 'xoom.com'].map(own),
	// Sites whose names only end alike, or that are an ending
	['https://netflix.com/title', domain('netflix.com')],
	['https://notfacebook.com/example', domain('notfacebook.com')],
	['blog.google', domain('blog.google')],

	// What scrapers find in the code of web pages
	['logo@2x.png', noEnding('png')],
	['index.html', noEnding('html')],
	['https://contact.php?id=1', noEnding('php')],
	['example.zip', domain('example.zip')],
	['readme.md', domain('readme.md')],
	['ada@example.ai', email('ada@example.ai')],
	['https://example.mov/a.html', domain('example.mov')],
	['605A7BAEDE844D278B89DC95AE0A9123@sentry.wixpress.com', KEY],
	['605a7baede844d278b89dc95ae0a9123@o37417.ingest.us.sentry.io', KEY],
	['ada@sentry.io', email('ada@sentry.io')],
	['605a7baede844d278b89dc95ae0a912@sentry.io', email('605a7baede844d278b89dc95ae0a912@sentry.io')],
	['605a7baede844d278b89dc95ae0a9123@errors.example.com', KEY],
	[
		'605a7baede844d278b89dc95ae0a912x@example.com',
		email('605a7baede844d278b89dc95ae0a912x@example.com'),
	],
	['xxxxxxxxxxxx@example.com', FILLER],
	['aaaaaaaaaa@her-firm.example', FILLER],
	['aaaaaaaaa@her-firm.example', email('aaaaaaaaa@her-firm.example')],
	['settings@google.com', PLACEHOLDER],
	['jane.doe@google.com', email('jane.doe@google.com')],
	['info@zpos.co.uk', PLACEHOLDER],
	['orders@oddle.me', PLACEHOLDER],
	['you@company.com', EXAMPLE],
	['Your.Name <Your.Name@YourDomain.com>', EXAMPLE],
	['mailto:john.doe@example.com', EXAMPLE],
	['max.mustermann@beispiel.de', EXAMPLE],
	['example@gmail.com', EXAMPLE],
	['youremail@gmx.de', EXAMPLE],
	['jane@company.com', EXAMPLE],
	['Jane <jane@yourdomain.com>', EXAMPLE],
	['jane@her-firm.example', email('jane@her-firm.example')],
	['jane@gmail.com', email('jane@gmail.com')],
	['info@company.com', email('info@company.com')],
	['you@bakery.com', email('you@bakery.com')],
	['example@bakery.com', email('example@bakery.com')],
	['filler@godaddy.com', PLACEHOLDER],
	['Info@MySite.com', PLACEHOLDER],
	['ada@godaddy.com', email('ada@godaddy.com')],
	['ada@mysite.com', email('ada@mysite.com')],
	['info@demolink.org', PLACEHOLDER],
	['contact@000webhost.com', PLACEHOLDER],
	// The name that a CRM shows for an address, at any host
	['email_not_unlocked@domain.com', PLACEHOLDER],
	['Email_Not_Unlocked@her-firm.example', PLACEHOLDER],
	['email_unlocked@her-firm.example', email('email_unlocked@her-firm.example')],
	// In the style sheets of fonts: at a host of the author's, or the whole address at a provider
	['team@latofonts.com', PLACEHOLDER],
	['ada@latofonts.com', PLACEHOLDER],
	['info@indiantypefoundry.com', PLACEHOLDER],
	['Impallari@Gmail.com', PLACEHOLDER],
	['impallari@bakery.example', email('impallari@bakery.example')],
	['info@fonts-shop.example', email('info@fonts-shop.example')],
	['u003einfo@example.com', email('info@example.com')],
	['\\u003einfo@example.com', email('info@example.com')],
	['u003e@example.com', NO_NAME],
	['x3energy@example.com', email('x3energy@example.com')],
	['u003cu003einfo@example.com', CODE],
	['Adau003cinfo@example.com', CODE],
	['%20info@example.com', email('info@example.com')],
	['info%20a@example.com', CODE],
	['info%3Cbr@example.com', CODE],
	['u003eexample.com', CODE],
	['u0012345@example.com', email('u0012345@example.com')],
	['mailtoinfo@example.com', MAILTO],
	['mailto.info@example.com', MAILTO],
	['www.info@example.com', MAILTO],
	['mailto:www.info@example.com', MAILTO],
	['info@www.example.org', WWW_AFTER_AT],
	['mailto:info@www.example.org', WWW_AFTER_AT],
	['info@www.com', email('info@www.com')],
	['info@www2.example.org', email('info@www2.example.org')],
	// The end of a link, or a sign, in front of an address
	['&ssf=1&ssk=support@example.org', OTHER_TEXT],
	['&support@example.org', NO_NAME],
	['email=info@example.org', OTHER_TEXT],
	['?to=info@example.org', OTHER_TEXT],
	['Email:info@acme.example', OTHER_TEXT],
	['E-Mail: info@acme.example', SPACE],
	['www.acme.example?ref=info@acme.example', { ...OTHER_TEXT, domain: 'acme.example' }],
	['Email:@acme.example', NO_NAME],
	['r&d@example.org', email('r&d@example.org')],
	['//605a7baede844d278b89dc95ae0a9123@sentry.io', OTHER_TEXT],
	['//info@example.org', OTHER_TEXT],
	['mailto://info@example.org', OTHER_TEXT],
	['/contact/info@example.org', invalid('is not a domain')],
	['+info@example.org', NO_NAME],
	['.info@example.org', NO_NAME],
	['-info@example.org', NO_NAME],
	['_info@example.org', email('_info@example.org')],
	['ada+info@example.org', email('ada+info@example.org')],
	['a.-info@example.org', email('a.-info@example.org')],
	// Two columns without a separator
	['example.orginfo@example.org', GLUED],
	['example.orgkontakt@example.org', GLUED],
	['example.orghallo@example.org', GLUED],
	['acme.example:', domain('acme.example')],
	['acme.example!', domain('acme.example')],
	['info@acme.example?', email('info@acme.example')],
	['Example.ORG.info@Example.org', GLUED],
	['info@example.comwww.example.org', GLUED],
	['example.org@example.org', email('example.org@example.org')],
	['example.org@gmail.com', email('example.org@gmail.com')],
	['example.orginfo@example.com', email('example.orginfo@example.com')],
	['acme.contact@acme.co', email('acme.contact@acme.co')],
	['kaffee.delikat@kaffee.de', email('kaffee.delikat@kaffee.de')],
	['mailto@example.com', email('mailto@example.com')],
	['www@example.com', email('www@example.com')],
	['www.examplebuildersltd', ONE_WORD],
	['https://www.examplebuilders/contact', ONE_WORD],
	['www.com', ONE_WORD],
	['example.comwww.example.org', GLUED],
	['https://www.example.co.ukwww.example.org/contact', GLUED],
	['example.comwwwx.org', domain('example.comwwwx.org')],
	['example.awww.example.org', domain('example.awww.example.org')],
	['comwww.example.org', domain('comwww.example.org')],
	['www.example.org', domain('example.org')],
	// Spaces in a path or a query, and nothing after them that can be another value
	['https://www.example.org/parties/Parties and Functions.aspx', domain('example.org')],
	['http://example.org/?q=two words', domain('example.org')],
	['http://example.org?q=two words', domain('example.org')],
	['WWW.example.org#the end', domain('example.org')],
	['https://www.example.org/a (b) v1.2/c.html', domain('example.org')],
	['https://www.example.org/Menu de la Casa', domain('example.org')],
	['https://www.facebook.com/My Bakery', onSite('facebook.com')],
	['https://www.example.org a/b', SPACE],
	['www.example.org Berlin', SPACE],
	['xwww.example.org/a b', SPACE],
	['Dr.med/Dr. Doe', SPACE],
	['https://www.example.org/a\tb', SPACE],
	['https://www.example.org/a example.com', SPACE],
	['https://www.example.org/a example.de', SPACE],
	['https://www.example.org/a B.Example.co.uk/b', SPACE],
	['https://www.example.org/a (example.com)', SPACE],
	['https://www.example.org/a index.php/b.example.com', SPACE],
	['https://www.example.org/a info@localhost', SPACE],
	['https://www.example.org/a http://localhost/', SPACE],
	['https://www.example.org/a www.localhost', SPACE],
	['https://www.example.org/a пример.рф', SPACE],
	[`https://www.example.org/a ${CID}`, SPACE],
	[`https://www.example.org/a ${EIFFEL}`, SPACE],
	// A page on somebody else's host
	['https://uscmaps.example/acme-dental-chijab1', onSite('uscmaps.example')],
	['https://www.example.org/acme-ChIJ-_x/?x=1', onSite('example.org')],
	['https://www.example.org/dr-chijioke', domain('example.org')],
	['https://www.example.org/dr-chijindu/team', domain('example.org')],
	['https://www.example.org/?page=acme-chijab1', domain('example.org')],
	['example.edu/~doe', onSite('example.edu')],
	['https://www.example.edu:8080/~doe/menu.html', onSite('example.edu')],
	['http://example.edu//~doe', onSite('example.edu')],
	['http://example.edu/%7Edoe', onSite('example.edu')],
	['https://www.example.org/~/media/menu.pdf', domain('example.org')],
	['https://www.example.org/?a=/~doe', domain('example.org')],

	// Endings that do not exist
	['St.Pölten', noEnding('xn--plten-jua')],
	['Tel.nummer', noEnding('nummer')],
	['foo.local', noEnding('local')],
	['example.comhttps', noEnding('comhttps')],
	['https://example.comhttps/contact', noEnding('comhttps')],
	['info@gmail.comm', noEnding('comm')],
	['bakery.museum', domain('bakery.museum')],
	['bakery.vermögensberatung', domain('bakery.xn--vermgensberatung-pwb')],
	['ada@пример.рф', email('ada@xn--e1afmkfd.xn--p1ai')],
	['co.uk', SUFFIX],
	['https://www.com.au/', SUFFIX],
	...['com.pl', 'org.uk', 'net.nz', 'gov.pl', 'edu.au', 'ac.jp'].map(suffix),
	...['go.jp', 'or.at', 'gv.at', 'or.jp', 'adv.br', 'gouv.fr', 'me.uk', 'id.au', 'qc.ca'].map(
		suffix,
	),
	...['com.np', 'example.np', 'uk.com', 'com.de', 'eu.org', 'pp.ua', 'биз.рус'].map(suffix),
	...['shop.or.at', 'shop.com.np', 'example.uk.com', 'example.pp.ua'].map(own),
	// Of three parts; and a country that has names in place of its wildcard
	...['qld.gov.au', 'vic.gov.au', 'nsw.edu.au', 'leeds.sch.uk', 'k12.ca.us', 'lib.ny.us'].map(
		suffix,
	),
	...['com.bd', 'sch.bd', 'gov.kh'].map(suffix),
	...['health.qld.gov.au', 'school.leeds.sch.uk', 'lausd.k12.ca.us', 'ci.la.ca.us'].map(own),
	...['acme.bd', 'acme.kh', 'acme.com.bd', 'gov.ca.example'].map(own),
	// Of cities, which have websites of their own
	...['krakow.pl', 'gdansk.pl', 'vladimir.ru'].map(own),
	['co.com', domain('co.com')],
	['info@co.uk', email('info@co.uk')],
	['co.example', domain('co.example')],
	['example.co.uk', domain('example.co.uk')],

	// Typing errors that have one meaning
	['http//example.com/contact', domain('example.com')],
	['HTTPS//www.example.com', domain('example.com')],
	['http:www.example.com', domain('example.com')],
	['http:///example.com', domain('example.com')],
	['htt://example.com', domain('example.com')],
	['https://https://www.example.com/', domain('example.com')],
	['http://https//example.com', domain('example.com')],
	['https://example.com/ ?utm_source=maps', domain('example.com')],
	['example.com/ ?utm_source=maps', domain('example.com')],
	['https://example.com ?a=b', domain('example.com')],
	['http:example.com/about us', domain('example.com')],
	['wwww.example.com', domain('example.com')],
	['http://ww.example.com', domain('example.com')],
	['ww.com', domain('ww.com')],
	['ww.co.example.com', domain('co.example.com')],
	['ww.com.example', domain('com.example')],
	...['ww.co.uk', 'ww.com.au', 'ww.org.uk', 'ww.net.au'].map(own),
	['www.ww.example.com', domain('example.com')],
	['wwwwww.example.com', domain('wwwwww.example.com')],
	['http//info@example.com', invalid('contains an @, which is not allowed in a domain')],
	['http.example.com', domain('http.example.com')],
	['example.com http://example.org', invalid('contains a space')],
	// A second value after a space must not be dropped silently
	['https://www.example.org/a 0x47e66fdad6f1cc73:0x8ddc341b3f5aed0d', SPACE],
	['https://www.example.org/a place_id:GhIJQWDl0CIeQUARxks3icF8U8A', SPACE],
	['https://www.example.org/a GhIJQWDl0CIeQUARxks3icF8U8A', SPACE],
	['https://www.example.org/a cid: 12345678', SPACE],
	['https://www.example.org/a 1.02E+19', SPACE],
	['https://www.example.org/a xn--e1afmkfd.xn--p1ai', SPACE],
	// A second value in a path, or behind what separates two
	['https://www.example.org/info@example.org', TWO],
	[`https://www.example.org/(${EIFFEL})`, TWO],
	[`https://www.example.org/“${EIFFEL}”`, TWO],
	// With Type Email, what is beside the address is its name.
	[`"Acme (${EIFFEL})" <info@example.org>`, { auto: TWO.auto, email: 'info@example.org' }],
	['https://www.example.org/a/info@xn--e1afmkfd.xn--p1ai?x=1', TWO],
	['example.org/info@example.com/', TWO],
	['https://example.org/https://www.example.com/', TWO],
	['https://example.org/ahttp://example.com', TWO],
	['https://example.org/www.example.com', TWO],
	['https://example.org/?utm_source=gmbhttps://example.com', TWO],
	...['|', '•', '、', '<br>', '<br/>', '\\n'].map((between): [string, Outcome] => [
		`https://example.org/${between}https://example.com/`,
		TWO,
	]),
	['https://example.org/a|info@example.com', TWO],
	['https://example.org/a | example.com', SPACE],
	['https://example.org/|example.com', TWO],
	[`https://example.org/|${EIFFEL}`, TWO],
	[`https://www.example.org/${EIFFEL}`, TWO],
	[`https://www.example.org/?utm_source=gmb${EIFFEL}`, TWO],
	[`https://www.example.org/${CID}`, TWO],
	[`https://www.example.org/${PAIR}`, TWO],
	[`${EIFFEL}info@example.org`, TWO],
	[`${EIFFEL}${EIFFEL}`, TWO],
	[`${CID}info@example.org`, TWO],
	[`${CID}example.org`, TWO],
	// A phone number and an address; a number can be the name of an address
	['00436601234567info@example.org', TWO],
	['0043660123info@example.org', TWO],
	['15812345678abc@163.com', email('15812345678abc@163.com')],
	['004366012@example.org', email('004366012@example.org')],
	['007bond@example.org', email('007bond@example.org')],
	[`https://maps.google.com/?cid=${CID}&hl=enhttps://example.org/`, TWO],
	[`${EIFFEL_LINK}!1s${PAIR}!8m2/https://example.org/`, TWO],
	['https://example.org/ <info@example.com>', { auto: TWO.auto, email: 'info@example.com' }],
	['example.org <info@example.com>', { auto: TWO.auto, email: 'info@example.com' }],
	['See www.example.org <info@example.com>', { auto: TWO.auto, email: 'info@example.com' }],
	['https://example.org/a Ada <ada@example.com>', { auto: TWO.auto, email: 'ada@example.com' }],
	[`${EIFFEL} <ada@example.com>`, { auto: TWO.auto, email: 'ada@example.com' }],
	[`${EIFFEL} Ada <ada@example.com>`, { auto: TWO.auto, email: 'ada@example.com' }],
	[`${CID} <ada@example.com>`, { auto: TWO.auto, email: 'ada@example.com' }],
	// A website, a Maps link or an ID in front of a name; a domain can be the name itself
	...[
		'https://acme.example',
		'www.acme.example',
		'Web:https://acme.example',
		'(https://acme.example)',
		'acme.example',
		`https://maps.google.com/?cid=${BAKERY_CID}`,
		`place_id:${BAKERY}`,
		`cid: ${CID}`,
		PAIR,
	].map((other): [string, Outcome] => [
		`${other} ${other.startsWith('acme') ? '' : 'Bob'} <bob@her.example>`,
		{ auto: TWO.auto, email: 'bob@her.example' },
	]),
	['https://www.her.example/ Bob <bob@her.example>', email('bob@her.example')],
	['Dr.Med Anna Li <anna@her.example>', email('anna@her.example')],
	['bob@acme.de <bob@acme.de>', email('bob@acme.de')],
	['mailto:www.acme.example%20%3Cbob@her.example%3E', { auto: TWO.auto, email: 'bob@her.example' }],
	// In the subject of an address
	['bob@her.example?subject=Hi https://acme.example', { auto: TWO.auto, email: 'bob@her.example' }],
	['a|info@example.org', NO_NAME],
	// The same one again, and what is a part of a path, a query or a name
	['https://example.org/https://www.example.org/a', domain('example.org')],
	['https://example.org/?url=https://example.com', domain('example.org')],
	['https://example.org/?url=//www.example.com', domain('example.org')],
	['https://example.org/@ada?mail=info@example.com', domain('example.org')],
	['https://example.org/a?u=x%2Fwww.example.com', domain('example.org')],
	['https://example.org/logo@2x.png', domain('example.org')],
	['https://cdn.example.org/npm/vue@3.2.1/dist', domain('cdn.example.org')],
	['https://example.org/bed-@-breakfast-392.html', domain('example.org')],
	['https://example.org/@example.com', domain('example.org')],
	['https://example.org/#:~:text=info@example.com', domain('example.org')],
	['https://example.org/Acme|Home', domain('example.org')],
	['https://example.org/a/10222232094831998944.html', domain('example.org')],
	['www.example.com <info@example.com>', email('info@example.com')],
	['www.example.com <https://www.example.com/>', domain('example.com')],
	['https://web.archive.org/web/2010/http://example.com', onSite('web.archive.org')],
	[`https://www.google.com/maps/place/www.example.com/data=!4m2!1s${PAIR}`, cid(CID)],
	['http/example.com', invalid('is not a domain')],
	['http:8080', UNCLEAR],

	// Place IDs
	[EIFFEL, placeId(EIFFEL)],
	[`place_id:${EIFFEL}`, placeId(EIFFEL)],
	[`Place_ID: ${EIFFEL}`, placeId(EIFFEL)],
	[`"place_id": "${EIFFEL}",`, placeId(EIFFEL)],
	[`placeid=${EIFFEL}`, placeId(EIFFEL)],
	['place_id:GhIJQWDl0CIeQUARxks3icF8U8A', placeId('GhIJQWDl0CIeQUARxks3icF8U8A')],
	// The shortest that are accepted
	[`ChIJ${'a'.repeat(16)}`, placeId(`ChIJ${'a'.repeat(16)}`)],
	...[
		`(${EIFFEL})`,
		`[${EIFFEL}]`,
		`“${EIFFEL}”`,
		`„${EIFFEL}“`,
		`«${EIFFEL}»`,
		`\`${EIFFEL}\``,
		`\u200b${EIFFEL}`,
		`»${EIFFEL}«`,
		`”${EIFFEL}”`,
	].map((text): [string, Outcome] => [text, placeId(EIFFEL)]),
	[`ChIJ${'a'.repeat(15)}`, UNCLEAR],
	[`Gh${'a'.repeat(18)}`, { ...UNCLEAR, place_id: `Gh${'a'.repeat(18)}` }],
	['ChIJabcdef', UNCLEAR],
	// What a wrong column has
	...['2024-05-17', '+43-1-234-5678', '2024-05-17-2024-05-18', '1-800-555-0199-0199-01'].map(
		(value): [string, Outcome] => [value, UNCLEAR],
	),
	...['3f2504e0-4f89-11d3-9a0c-0305e82c3301', '3F2504E04F8911D39A0C0305E82C3301'].map(
		(uuid): [string, Outcome] => [uuid, UNCLEAR],
	),
	['GhIJQWDl0CIeQUARxks3icF8U8A', { ...UNCLEAR, place_id: 'GhIJQWDl0CIeQUARxks3icF8U8A' }],
	[`https://www.google.com/maps/place/?q=place_id:${EIFFEL}`, placeId(EIFFEL)],
	[`google.com/maps/place/?q=place_id%3A${EIFFEL}`, placeId(EIFFEL)],
	[`https://www.google.com/maps/search/?api=1&query=A&query_place_id=${EIFFEL}`, placeId(EIFFEL)],
	[`https://search.google.com/local/writereview?placeid=${EIFFEL}`, placeId(EIFFEL)],
	[`${EIFFEL_LINK}!1s${EIFFEL}!8m2!3d48.8`, placeId(EIFFEL)],
	[`https://www.google.com/maps/dir/data=!1s${EIFFEL}!1s${EIFFEL}`, placeId(EIFFEL)],
	[`https://www.google.com/maps/dir/data=!1s${EIFFEL}!1s${EIFFEL}A`, invalid(MORE_THAN_ONE)],
	// The whole field is the ID, but for a slash at its end.
	[`https://www.google.com/maps/place/?q=place_id:${EIFFEL}/`, placeId(EIFFEL)],
	[`https://www.google.com/maps/place/?q=place_id:x:${EIFFEL}`, invalid('is not a place ID')],
	[
		`https://www.google.com/maps/place/?q=place_id:${EIFFEL}/example.com`,
		invalid('is not a place ID'),
	],
	[`https://maps.google.com/?cid=${CID}/example.com`, invalid('is not a CID')],
	[`${EIFFEL}==`, UNCLEAR],
	['place_id: 10222232094831998944', invalid('is a number, not a place ID')],
	[`https://example.com/?place_id=${EIFFEL}`, domain('example.com')],

	// CIDs
	[CID, cid(CID)],
	[`cid: ${CID}`, cid(CID)],
	['"cid": "42"', cid('42')],
	[`ludocid=${CID}`, cid(CID)],
	[`cid: ${EIFFEL}`, invalid('is not a CID')],
	[PAIR, cid(CID)],
	[PAIR.toUpperCase(), cid(CID)],
	['0x47:0x1f', cid('31')],
	['0x8ddca9ee380ef7e0', cid(CID)],
	['cid: 0X8DDCA9EE380EF7E0', cid(CID)],
	['0x1f', cid('31')],
	['0x0', invalid('is not a CID')],
	['0x8ddca9ee380ef7e00', UNCLEAR],
	[`https://maps.google.com/?cid=${CID}`, cid(CID)],
	[`maps.google.co.uk/maps?hl=en&cid=${CID}&gl=gb`, cid(CID)],
	[`https://www.google.de/search?q=x&ludocid=${CID}&hl=de`, cid(CID)],
	[`https://www.google.com/search?q=x#lrd=${PAIR},1,,,`, cid(CID)],
	[`https://maps.google.com/?q=Tour&ftid=${PAIR.replace(':', '%3A')}&hl=fr`, cid(CID)],
	[`${EIFFEL_LINK}!1s${PAIR}!8m2!3d48.8!16zL20vMDJqODE?entry=ttu`, cid(CID)],
	[`${EIFFEL_LINK}!1s${PAIR}!16z?cid=${CID}`, cid(CID)],
	// The place ID and the CID of one place, as in the list of results
	[`${EIFFEL_LINK}!1s${PAIR}!8m2!16z!19s${EIFFEL}?hl=en`, { ...placeId(EIFFEL), cid: CID }],
	[`${RESULT}!8m2!3d52.5!4d13.4!16s%2Fg%2F11abc!19s${BAKERY}?authuser=0&hl=en`, ONE_PLACE],
	[`${RESULT}!16s%2Fg%2F11abc!19s${BAKERY}`, ONE_PLACE],
	[`https://maps.google.com/?cid=${BAKERY_CID}&query_place_id=${BAKERY}`, ONE_PLACE],
	[`${RESULT}!5s0x47a84e373f0:0x1!8m2!16s%2Fg%2F11abc!19s${BAKERY}`, ONE_PLACE],
	// The building of a place
	[`${RESULT}!5s0x47a84e373f0:0x1!8m2!16z`, cid(BAKERY_CID)],
	[`${RESULT}!3s0x47a84e373f0:0x1!8m2!16z`, cid(BAKERY_CID)],
	[`${EIFFEL_LINK}!1s${PAIR}%215s0x1%3A0x2!8m2`, cid(CID)],
	// Of two places
	[`${RESULT}!8m2!16z!19s${EIFFEL}`, { auto: MORE_THAN_ONE, place_id: EIFFEL, cid: BAKERY_CID }],
	[`${RESULT}!1s${PAIR}!19s${BAKERY}`, { auto: MORE_THAN_ONE, place_id: BAKERY }],
	[`https://www.google.com/maps/dir/data=!1s${PAIR}!1s${BAKERY_PAIR}`, invalid(MORE_THAN_ONE)],
	// As HTML writes it
	[`https://maps.google.com/?q=A&amp;cid=${CID}&amp;hl=en`, cid(CID)],
	[`https://www.google.com/maps/search/?api=1&#38;query_place_id=${EIFFEL}`, placeId(EIFFEL)],
	[`https://www.google.com/maps/place/A&amp;B,C/data=!1s${PAIR}!8m2`, cid(CID)],
	[`https://maps.google.com/?cid=${CID}&ludocid=1`, invalid(MORE_THAN_ONE)],
	['https://maps.google.com/?cid=1 https://maps.google.com/?cid=2', invalid('contains a space')],
	[`https://maps.google.com.example/?cid=${CID}`, domain('maps.google.com.example')],
	// The largest 64-bit number, and one more
	['18446744073709551615', cid('18446744073709551615')],
	['18446744073709551616', invalid('is not a CID')],
	['0x0:0x0', invalid('is not a CID')],
	// From 17 digits on it is clearly a CID, and no phone number.
	['12345678901234567', cid('12345678901234567')],
	['4111111111111111', { auto: SHORT_NUMBER, cid: '4111111111111111' }],
	// A column of other numbers would cost a request for each row.
	['004915123456789', invalid(SHORT_NUMBER)],
	['42', invalid(SHORT_NUMBER)],
	['1234567890123', invalid(SHORT_NUMBER)],
	['12345678901234', { auto: SHORT_NUMBER, cid: '12345678901234' }],
	['https://maps.google.com/?cid=42', cid('42')],
	// A leading zero is that of a phone number.
	['01234567890123456789', { auto: SHORT_NUMBER, cid: '01234567890123456789' }],
	['1234567890123456', { auto: SHORT_NUMBER, cid: '1234567890123456' }],

	// CIDs that lost digits: 15 are kept by a spreadsheet, about 17 by an expression
	['12345678901234500', ROUNDED],
	['1234567890123450000', ROUNDED],
	['1234567890123450', { auto: SHORT_NUMBER }],
	['12345678901234560', cid('12345678901234560')],
	// 2345678901234567890 as JavaScript rounds it
	['2345678901234567700', ROUNDED],
	['2345678901234567890', cid('2345678901234567890')],
	['https://maps.google.com/?cid=2345678901234567700', ROUNDED],
	['https://maps.google.com/?cid=2345678901234567700&g_mp=Cidnb29nbGU', cid('2345678901234567700')],
	['https://maps.google.com/?cid=23456789012345677000&g_mp=Cidnb29nbGU', invalid('is not a CID')],
	// The same number in hexadecimal, which nothing has rounded
	['0x0:0x208d868861370a14', cid('2345678901234567700')],
	['1.02222E+19', AS_SHOWN_IN_SPREADSHEETS],
	['1,02222E+19', AS_SHOWN_IN_SPREADSHEETS],
	['1E+19', AS_SHOWN_IN_SPREADSHEETS],
	[
		'12,345,678',
		invalid(
			'is one number with thousands separators, or several CIDs: separate CIDs with semicolons',
		),
	],

	// Links that name no place, and links that must be opened first
	['https://www.google.com/maps/place/Tour+Eiffel/@48.8583701,2.2919064,17z', NO_PLACE],
	['https://www.google.com/maps/place/x/data=!3m8!1e2!1sAF1QipN4bmWc1MiCq8YdZvzkJSRcBBk', NO_PLACE],
	[`https://www.google.com/maps/dir/?destination_place_id=${EIFFEL}`, NO_PLACE],
	['https://maps.app.goo.gl/abcDEF123', invalid(SHORT_LINK)],
	['https://goo.gl/maps/abcDEF123', invalid(SHORT_LINK)],
	['https://g.page/example-bakery', invalid(SHORT_LINK)],
	['https://share.google/abcDEF123', invalid(SHORT_LINK)],
	[`https://g.page/example-bakery?cid=${CID}`, cid(CID)],

	// No value at all
	['', invalid('is empty')],
	['"" ...', invalid('is empty')],
	['n/a', UNCLEAR],
	['[object Object]', UNCLEAR],
	['+49 30 123456', UNCLEAR],
	['555.123.4567', invalid('is not a domain')],
	['Bäckerei Müller', UNCLEAR],
	['Bakery St. Example', invalid('contains a space')],
	['Restaurant', UNCLEAR],
	['a'.repeat(20_000), invalid('is too long')],
];

/** Why a value is invalid for a type that it does not have, where Auto-Detect says something else. */
export const REFUSED: Array<[ItemType, string, reason: string, sharedSite?: string]> = [
	['email', 'info', 'has no @'],
	['domain', 'info@example.com', 'contains an @, which is not allowed in a domain'],
	['domain', 'https://maps.google.com/?cid=1', belongsTo('google.com'), 'google.com'],
	['domain', 'https://share.google/abcDEF123', belongsTo('share.google'), 'share.google'],
	['domain', 'https://maps.app.goo.gl/x', belongsTo('goo.gl'), 'goo.gl'],
	[
		'domain',
		'https://www.gmx.de/',
		'is the domain of a mail provider, which many businesses share',
		'gmx.de',
	],
	['domain', 'logo@2x.png', 'contains an @, which is not allowed in a domain'],
	['domain', '1', 'is not a domain'],
	['domain', 'localhost', 'is not a domain'],
	['place_id', '1234567890123', 'is a number, not a place ID'],
	['place_id', 'short', 'is not a place ID'],
	['place_id', 'https://maps.google.com/?cid=1', 'is a Google Maps link with no Place ID'],
	['cid', 'https://maps.app.goo.gl/x', SHORT_LINK],
	['place_id', 'https://g.page/example-bakery', SHORT_LINK],
	['email', 'logo@2x.png', noDomainEndsIn('png')],
	[
		'cid',
		'https://maps.google.com/?cid=1&ludocid=2',
		'is a Google Maps link with more than one CID',
	],
	['cid', 'x', 'is not a CID'],
	['cid', '57', 'has fewer than 14 digits, which a CID rarely has: if it is right, use Add Item'],
	['cid', '123456789012345678901', 'is not a CID'],
	['cid', '0', 'is not a CID'],
];
