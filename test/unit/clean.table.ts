import type { ItemType } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/itemTypes';

/** The cleaned value for each type, and the detected type or why there is none. */
export type Outcome = Partial<Record<ItemType, string>> & { auto: string };

const email = (value: string): Outcome => ({ auto: 'email', email: value });
const domain = (value: string): Outcome => ({ auto: 'domain', domain: value });
const placeId = (value: string): Outcome => ({ auto: 'place_id', place_id: value });
const cid = (value: string): Outcome => ({ auto: 'cid', cid: value });
const own = (host: string): [string, Outcome] => [host, domain(host)];
const kept = (address: string): [string, Outcome] => [address, email(address)];
const all = (outcome: Outcome, ...pasted: string[]) =>
	pasted.map((each): [string, Outcome] => [each, outcome]);
const behind = (beginning: string, outcome: Outcome, ...ends: string[]) =>
	all(outcome, ...ends.map((end) => beginning + end));
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
const NOT_ONE = invalid('contains a code such as u003e or %20, or a second value: remove it');
const KEY = invalid('is a key for crash reports, not an address');
const EXAMPLE = invalid('is an example from a form, not an address');
const PLACEHOLDER = invalid('is a placeholder, or belongs to who made the website');
const FILLER = invalid('is a placeholder of a form, not an address');
const MAILTO = invalid('has mailto or www. in front of the address: remove it');
const WWW_AFTER_AT = invalid('has www. after the @: remove it');
const TWO = invalid('is probably two values: put each on its own line, or keep only one');
const besides = (address: string) => ({ auto: TWO.auto, email: address });
const MANY = invalid('has more than one @: separate several addresses with commas');
const NO_NAME = invalid('has no valid name before the @');
const OTHER_TEXT = invalid(
	'has other text before the address, such as Email: or a link: remove it',
);
const SPACE = invalid('contains a space');
const TAB = invalid('contains a tab');
const MASKED = invalid('hides letters behind *: use the whole address');
const OF_ALL = 'has no name before the @: for everybody at it, choose the type Domain';
const DOTS = invalid(
	'has two dots in a row, or one right before the @: if it is right, use Add Item',
);
const PHONE = invalid('has a phone number before the @: if it is right, use Add Item');
const ONE_WORD = invalid('is www. and one word, without an ending like .com');

const LINK = 'https://www.example.org/a ';
/** A place of its own: its ID contains the CID of the pair. */
const BAKERY = 'ChIJAVkDPzdOqEcR782rkHhWNBI';
const BAKERY_PAIR = '0x47a84e373f035901:0x1234567890abcdef';
const BAKERY_CID = '1311768467294899695';
const RESULT = `https://www.google.com/maps/place/Name/data=!4m7!3m6!1s${BAKERY_PAIR}`;
const ONE_PLACE = { ...placeId(BAKERY), cid: BAKERY_CID };

/** What people paste, and what becomes of it. A type that is not listed rejects the value. */
export const PASTED: Array<[string, Outcome]> = [
	// Around any value: spaces, quotes, brackets, what comes along from a list or a web page
	...all(email('info@example.com'), '  info@example.com\t', '\u00a0info@example.com\u00a0'),
	...all(email('ada@example.com'), '„ada@example.com“', '<ada@example.com>', '(ada@example.com).'),
	...all(email('ada@example.com'), 'ada@example.com,', '\ufeffada@example.com\u200b'),
	['* ada@example.com', email('ada@example.com')],
	...all(placeId(EIFFEL), ` "${EIFFEL}", `, `*${EIFFEL}`),
	[`'${CID}`, cid(CID)],
	['ada@exam\u00adple.com', invalid('contains an invisible character')],

	// The mark of a list; a number is none if nothing is behind it
	...['- ', '* ', '• ', '•\t', '·\u00a0', '–  ', '1. ', '23.\t', '999) '].flatMap((mark) => [
		...all(email('ada@example.com'), `${mark}ada@example.com`, `${mark}Ada <ada@example.com>`),
		...all(domain('example.com'), `${mark}https://www.example.com/menu`, `${mark}.example.com`),
		...all(placeId(EIFFEL), mark + EIFFEL, `${mark}"${EIFFEL}"`),
		...all(cid(CID), mark + CID, `${mark}cid:\t${CID}`),
	]),
	...all(cid(CID), `${CID}.`, `${CID})`),
	...['1.example.com', '1-example.com'].map(own),
	...['1.ada@example.com', '1-ada@example.com', '1-@example.com'].map(kept),
	...all(NO_NAME, '-ada@example.com', '1)ada@example.com'),
	...all(
		SPACE,
		'1000. ada@example.com',
		'. example.com',
		'1. 2. ada@example.com',
		'1 ada@example.com',
	),
	['1. ada@example.com bob@example.com', MANY],
	// Two columns
	...all(TAB, 'Ada\tada@example.com', 'ada@example.com\tbob@example.com', '- Ada\tAcme'),
	...all(TAB, 'https://www.example.org/a\tb', `${EIFFEL}\t${CID}`, 'https://a.com\tb.com'),
	['Ada\tLee <ada@example.com>', email('ada@example.com')],

	// As a program writes a text
	...["b'", "u'", "r'", "N'", 'b"', 'u"', 'r"', 'N"'].flatMap((start) => {
		const quoted = (value: string) => start + value + start.charAt(1);
		return [
			...all(email('ada@example.com'), quoted('ada@example.com'), quoted('Ada <ada@example.com>')),
			...all(
				email('ada@example.com'),
				`[${quoted('ada@example.com')}`,
				`(${quoted('ada@example.com')},)`,
			),
			...all(
				domain('example.com'),
				quoted('https://www.example.com/menu'),
				`- ${quoted('*@example.com')}`,
			),
			...all(placeId(EIFFEL), quoted(EIFFEL), `${quoted(EIFFEL)}]`),
			...all(cid(CID), quoted(CID), quoted(` ${CID} `)),
		];
	}),
	...all(
		email('ada@example.com'),
		`"b'ada@example.com'"`,
		`'b"ada@example.com"'`,
		`**u'ada@example.com'**`,
	),
	// Only where both quotes stand, and none that is around the value itself
	[`b'ada@example.com`, email("b'ada@example.com")],
	[`'N'Diaye@example.com'`, email("n'diaye@example.com")],
	["d'arcy@example.com'", email("d'arcy@example.com")],
	...["n'diaye@example.com", "b'elanna@example.com", "d'arcy@example.com"].map(kept),
	[`b'ada@example.com' b'bob@example.com'`, MANY],
	[`b'ada@example.com' b'example.com'`, SPACE],

	// Everybody at a company, in block lists
	...all(
		domain('example.com'),
		'*@example.com',
		'*.example.com',
		'.example.com',
		'"*@Example.com"',
	),
	...all(domain('example.co.uk'), '*@example.co.uk', '<*.example.co.uk>', '.www.example.co.uk.'),
	['*@müller-bäckerei.de', domain('xn--mller-bckerei-hfb76a.de')],
	...all({ auto: OF_ALL, domain: 'cafe.wien' }, '@cafe.wien', '* @cafe.wien', '"@Cafe.wien"'),
	...all({ auto: OF_ALL, domain: 'example.com' }, 'Ada <@example.com>', '**@example.com**'),
	...all(OF_MAIL_PROVIDER, '*@gmail.com', '*.gmx.de', '.web.de'),
	['@gmail.com', invalid(OF_ALL)],
	...all(onSite('facebook.com'), '*@facebook.com', '*.facebook.com', '.m.facebook.com'),
	...all(SUFFIX, '*.co.uk', '.com.au'),
	...all(noEnding('gz'), '.tar.gz', '*.tar.gz'),
	...all(
		invalid('is not a domain'),
		'../www.example.com',
		'..example.com',
		'./example.com',
		'.com',
	),
	...all(invalid('is not a domain'), '.example.com/menu', '*.example.com:8080', '.1.5'),
	...all(NO_NAME, '.ada@example.com', '@ada', '*@example', '@localhost'),
	...all(invalid('has no valid domain after the @'), 'ada@.example.com', 'ada@*.example.com'),

	// Masks; one * in front is that of a list, and bold has as many at the end
	...all(MASKED, 'j***@example.com', 'j*n@example.com', 'J*@example.com', 'j.*@example.com'),
	...all(MASKED, '**fo@example.com', '***@example.com', '- **fo@example.com', '* **fo@example.com'),
	...all(MASKED, '"**fo@example.com"', 'Ada <**fo@example.com>', 'mailto:j***@example.com'),
	...all(
		MASKED,
		'**fo@example.com*',
		'***fo@example.com**',
		'**j*n@example.com**',
		'**.example.com',
	),
	...all(MASKED, 'Chef@Home <**fo@example.com>', 'Foo/Bar GmbH <**fo@example.com>'),
	...all(NO_NAME, 'j&*@example.com'),
	...all(email('ada@example.com'), '*ada@example.com', '** ada@example.com', '*"ada@example.com"'),
	...all(email('ada@example.com'), '**ada@example.com**', '"***ada@example.com***".'),
	['* **ada@example.com**', email('ada@example.com')],
	...all(email('ada@example.com'), '- **Ada <ada@example.com>**', 'Inn*** <ada@example.com>'),
	...all(domain('example.com'), '**example.com**', '**https://www.example.com/**', '**example.com'),
	['https://example.com/a**b@c', domain('example.com')],
	[`https://www.google.com/maps/place/A**B@C/data=!1s${PAIR}`, cid(CID)],
	...all(invalid('has no valid domain after the @'), '*ada@example.com*', 'ada@ex***le.com'),

	// Dots that few addresses have
	...all(DOTS, 'j...@example.com', 'ada..lee@example.com', 'ada.@example.com'),
	...['a.d.a@example.com', 'ada._lee@example.com', 'ada-.lee@example.com'].map(kept),
	// A phone number that is glued to an address; in the domain it is one of its own
	...all(PHONE, 'contact919-242-5581office@example.com', 'touch0455266544hello@example.com'),
	...all(PHONE, '242.5581office@example.com', 'a123456789b@example.com', 'é123456789é@example.com'),
	...['15812345678abc@163.com', 'a123456789@example.com', 'a12345678b@example.com'].map(kept),
	...['919-242-5581@example.com', '123-456abc@example.com', '12-3456abc@example.com'].map(kept),
	...['ada@a123456789b.com', 'ada@123-4567abc.com', 'ada.123-4567@123-4567abc.com'].map(kept),
	...['a123456789b.com', '123-4567abc.com'].map(own),

	// Email addresses
	...all(email('info@example.com'), 'Info@Example.COM', 'mailto:info@example.com'),
	['MAILTO:info@example.com?subject=Hi&cc=x@example.org', email('info@example.com')],
	["o'brien+x_1@mail.example.co.uk", email("o'brien+x_1@mail.example.co.uk")],
	['Kontakt@Müller-Bäckerei.de', email('kontakt@xn--mller-bckerei-hfb76a.de')],
	['mailto:max%2Btag%40example.com', email('max+tag@example.com')],
	['ada@example.com?Subject=Hi', email('ada@example.com')],
	['Ada <ada@example.com?body=a/b&subject=Hi>', email('ada@example.com')],
	['mailto:?subject=Hi&to=ada%40example.com&body=Hi', email('ada@example.com')],
	...all(email('ada@example.com'), 'Ada <ADA@example.com>', '"Doe, Jane" <ada@example.com>'),
	['ada@example.com <mailto:ada@example.com>', email('ada@example.com')],
	['Chef@Home <ada@example.com>', email('ada@example.com')],
	['ada@example.com?cc=bob@example.com', MANY],
	['ada@example.com?subject=Hi&cc=bob', invalid('has no valid domain after the @')],
	['example.com/a@b?subject=Hi', domain('example.com')],
	['mailto:?subject=Hi', invalid('is empty')],
	['mailto:example.com', { auto: 'has no @', domain: 'example.com' }],
	['Foo/Bar GmbH <info@foobar.de>;', email('info@foobar.de')],
	// Another address must not be dropped silently.
	...all(MANY, 'A <a@example.com> B <b@example.com>', 'a@example.com <b@example.com>'),
	...all(MANY, 'a@example.com <aa@example.com>', '"ada@example.com" <bob@example.com>'),
	...all(MANY, 'a@example.com b@example.com', 'a@b@c.com'),
	...all(invalid('contains a space'), 'info@example.com <Ada>', '<ada@example.com> 42'),
	...all(invalid('contains a space'), 'call me a@example.com', 'info@exa mple.com'),
	['a,b@example.com', invalid('has no valid name before the @')],
	...all(invalid('has no valid domain after the @'), 'info@', 'info@192.168.0.1'),
	...all(invalid('has no valid domain after the @'), 'info@example.com/contact', 'CEO@Acme'),
	['info(at)example.com', invalid('is not a domain')],

	// Domains
	...all(domain('example.com'), 'EXAMPLE.com.', 'https://example.com./'),
	['https://www.example.com/contact', domain('example.com')],
	['HTTP://WWW.Example.com:8080/a/b?c=d#e', domain('example.com')],
	['https://example.com/?mail=a@example.org', domain('example.com')],
	['Example <https://www.example.com>', domain('example.com')],
	['https://müller-bäckerei.example./a', domain('xn--mller-bckerei-hfb76a.example')],
	...all(invalid('is not a domain'), 'https://example.com../', 'example.com\\nexample.org'),
	...all(invalid('is not a domain'), 'foo_bar.com', 'exa%6dple.com'),
	...all(invalid('is not a domain'), `${'a'.repeat(64)}.com`, `${'a.'.repeat(126)}com`, 'z.B.'),
	...all(invalid('is not a domain'), '–example.com', '127.0.0.1', 'http://[2001:db8::1]:8080/a.b'),
	['//cdn.example.com/x.js', domain('cdn.example.com')],
	...['www2.example.com', `${'a.'.repeat(125)}com`].map(own),
	['пример.рф', domain('xn--e1afmkfd.xn--p1ai')],
	...all(domain('xn--r8jz45g.jp'), '例え.jp', 'XN--R8JZ45G.jp'),
	['https://m%C3%BCller-b%C3%A4ckerei.de/a', domain('xn--mller-bckerei-hfb76a.de')],
	['http://info@example.com', invalid('contains an @, which is not allowed in a domain')],
	['https://user:pass@example.com/', invalid('contains an @, which is not allowed in a domain')],
	['user:pass@example.com', OTHER_TEXT],
	...all(UNCLEAR, '例え。jp', 'localhost'),

	// Shared sites, of which `links.test.ts` has the list
	['tiktok.com/@example', onSite('tiktok.com')],
	['https://www.google.co.uk/url?q=https://example.com', onSite('google.co.uk')],
	// Only the site itself: what is below it is its own.
	['tumblr.com', onSite('tumblr.com')],
	...['example.tumblr.com', 'example.sp.gov.br'].map(own),
	['gov.br', onSite('gov.br')],
	['https://www.gob.mx/', onSite('gob.mx')],
	['contact@gov.uk', email('contact@gov.uk')],
	// Mail providers, and addresses at them
	...all(OF_MAIL_PROVIDER, 'gmail.com', 'web.de', 'WWW.ORANGE.FR', 'yahoo.co.in', 'http://wp.pl'),
	['jcom.home.ne.jp', OF_MAIL_PROVIDER],
	...['bakery@gmail.com', 'bakery@t-online.de', 'bakery@jcom.home.ne.jp'].map(kept),
	['http://bakery.free.fr/menu', domain('bakery.free.fr')],
	...['gmail.com.example', 'bakery.eircom.net', 'wp.pl.example.com'].map(own),
	...['com', 'com.au', 'co.uk', 'net.au', 'org.uk', 'net', 'de'].map(ofBrand),
	...['gmx.ac.jp', 'gmx.co.com', 'gmx.example.de'].map(own),
	// In one of the packages only, or a place in both
	...['mail2art.com', 'england.com', 'chef.net'].map(own),
	// Firms in both packages
	...['clerk.com', 'indexa.fr', 'naseej.com', 'scientist.com', 'sp.nl', 'spacewar.com'].map(own),
	// Sites whose names only end alike, or that are an ending
	['https://notfacebook.com/example', domain('notfacebook.com')],
	['blog.google', domain('blog.google')],

	// What scrapers find in the code of web pages
	['logo@2x.png', noEnding('png')],
	['https://contact.php?id=1', noEnding('php')],
	...['example.zip', 'readme.md'].map(own),
	...['ada@example.ai', 'ada@sentry.io', '605a7baede844d278b89dc95ae0a912@sentry.io'].map(kept),
	...['aaaaaaaaa@her-firm.example', 'jane.doe@google.com', 'jane@her-firm.example'].map(kept),
	...['jane@gmail.com', 'info@company.com', 'you@bakery.com', 'example@bakery.com'].map(kept),
	...['ada@godaddy.com', 'ada@mysite.com'].map(kept),
	['605A7BAEDE844D278B89DC95AE0A9123@sentry.wixpress.com', KEY],
	['605a7baede844d278b89dc95ae0a9123@errors.example.com', KEY],
	[
		'605a7baede844d278b89dc95ae0a912x@example.com',
		email('605a7baede844d278b89dc95ae0a912x@example.com'),
	],
	...all(FILLER, 'xxxxxxxxxxxx@example.com', 'aaaaaaaaaa@her-firm.example'),
	...all(PLACEHOLDER, 'settings@google.com', 'info@zpos.co.uk', 'orders@oddle.me'),
	...all(PLACEHOLDER, 'filler@godaddy.com', 'Info@MySite.com', 'info@demolink.org'),
	...all(EXAMPLE, 'you@company.com', 'Your.Name <Your.Name@YourDomain.com>'),
	...all(EXAMPLE, 'mailto:john.doe@example.com', 'max.mustermann@beispiel.de', 'example@gmail.com'),
	...all(EXAMPLE, 'youremail@gmx.de', 'jane@company.com', 'Jane <jane@yourdomain.com>'),
	// The name that a CRM shows for an address, at any host
	...all(PLACEHOLDER, 'email_not_unlocked@domain.com', 'Email_Not_Unlocked@her-firm.example'),
	['email_unlocked@her-firm.example', email('email_unlocked@her-firm.example')],
	// In the style sheets of fonts: at a host of the author's, or the whole address at a provider
	...all(PLACEHOLDER, 'team@latofonts.com', 'ada@latofonts.com', 'info@indiantypefoundry.com'),
	['Impallari@Gmail.com', PLACEHOLDER],
	...['impallari@bakery.example', 'info@fonts-shop.example', 'x3energy@example.com'].map(kept),
	...['u0012345@example.com', 'info@www.com', 'info@www2.example.org'].map(kept),
	...all(email('info@example.com'), 'u003einfo@example.com', '\\u003einfo@example.com'),
	['%20info@example.com', email('info@example.com')],
	['u003e@example.com', NO_NAME],
	...all(NOT_ONE, 'u003cu003einfo@example.com', 'Adau003cinfo@example.com', 'info%20a@example.com'),
	...all(MAILTO, 'mailtoinfo@example.com', 'mailto.info@example.com', 'www.info@example.com'),
	...all(WWW_AFTER_AT, 'info@www.example.org', 'mailto:info@www.example.org'),
	// The end of a link, or a sign, in front of an address
	...all(OTHER_TEXT, '&ssf=1&ssk=support@example.org', 'email=info@example.org'),
	...all(OTHER_TEXT, '?to=info@example.org', 'Email:info@acme.example'),
	...all(OTHER_TEXT, '//605a7baede844d278b89dc95ae0a9123@sentry.io', '//info@example.org'),
	...all(NO_NAME, '&support@example.org', 'Email:@acme.example', '+info@example.org'),
	['www.acme.example?ref=info@acme.example', { ...OTHER_TEXT, domain: 'acme.example' }],
	...['r&d@example.org', '_info@example.org', 'ada+info@example.org'].map(kept),
	['/contact/info@example.org', invalid('is not a domain')],
	// Two columns without a separator
	...all(NOT_ONE, 'example.orginfo@example.org', 'example.orgkontakt@example.org'),
	...all(NOT_ONE, 'info@example.comwww.example.org', 'example.comwww.example.org'),
	['https://www.example.co.ukwww.example.org/contact', NOT_ONE],
	...all(domain('acme.example'), 'acme.example:', 'acme.example!'),
	['info@acme.example?', email('info@acme.example')],
	...['example.org@example.org', 'example.org@gmail.com', 'example.orginfo@example.com'].map(kept),
	...['acme.contact@acme.co', 'kaffee.delikat@kaffee.de', 'mailto@example.com'].map(kept),
	['www@example.com', email('www@example.com')],
	...all(ONE_WORD, 'www.examplebuildersltd', 'https://www.examplebuilders/contact', 'www.com'),
	...['example.comwwwx.org', 'example.awww.example.org', 'comwww.example.org'].map(own),
	// Spaces in a path or a query, and nothing after them that can be another value
	['https://www.example.org/parties/Parties and Functions.aspx', domain('example.org')],
	...all(domain('example.org'), 'http://example.org?q=two words', 'WWW.example.org#the end'),
	['https://www.example.org/a (b) v1.2/c.html', domain('example.org')],
	['https://www.facebook.com/My Bakery', onSite('facebook.com')],
	...all(SPACE, 'https://www.example.org a/b', 'www.example.org Berlin', 'xwww.example.org/a b'),
	['Dr.med/Dr. Doe', SPACE],
	...behind(LINK, SPACE, 'example.com', 'example.de', 'B.Example.co.uk/b', '(example.com)'),
	...behind(LINK, SPACE, 'index.php/b.example.com', 'info@localhost', 'http://localhost/'),
	...behind(LINK, SPACE, 'www.localhost', 'пример.рф', CID, EIFFEL),
	// A page on somebody else's host
	['https://uscmaps.example/acme-dental-chijab1', onSite('uscmaps.example')],
	['https://www.example.org/acme-ChIJ-_x/?x=1', onSite('example.org')],
	['https://www.example.org/dr-chijioke', domain('example.org')],
	['https://www.example.org/?page=acme-chijab1', domain('example.org')],
	['https://www.example.org/~/media/menu.pdf', domain('example.org')],
	...all(onSite('example.edu'), 'example.edu/~doe', 'https://www.example.edu:8080/~doe/menu.html'),
	...all(onSite('example.edu'), 'http://example.edu//~doe', 'http://example.edu/%7Edoe'),

	// Endings that do not exist
	['St.Pölten', noEnding('xn--plten-jua')],
	['foo.local', noEnding('local')],
	...all(noEnding('comhttps'), 'example.comhttps', 'https://example.comhttps/contact'),
	['info@gmail.comm', noEnding('comm')],
	['bakery.vermögensberatung', domain('bakery.xn--vermgensberatung-pwb')],
	['ada@пример.рф', email('ada@xn--e1afmkfd.xn--p1ai')],
	// Of two parts; all of them: data.test.ts
	...all(SUFFIX, 'co.uk', 'https://www.com.au/'),
	// Of three parts; and a country that has names in place of its wildcard
	...['qld.gov.au', 'vic.gov.au', 'nsw.edu.au', 'leeds.sch.uk', 'k12.ca.us', 'lib.ny.us'].map(
		suffix,
	),
	...['com.bd', 'sch.bd', 'gov.kh'].map(suffix),
	...['health.qld.gov.au', 'school.leeds.sch.uk', 'lausd.k12.ca.us', 'ci.la.ca.us'].map(own),
	...['acme.bd', 'acme.kh', 'acme.com.bd', 'gov.ca.example'].map(own),
	// Of cities, which have websites of their own
	...['krakow.pl', 'gdansk.pl', 'vladimir.ru'].map(own),
	...['co.com', 'co.example', 'example.co.uk'].map(own),
	['info@co.uk', email('info@co.uk')],

	// Typing errors that have one meaning
	...all(domain('example.com'), 'http//example.com/contact', 'HTTPS//www.example.com'),
	...all(domain('example.com'), 'http:www.example.com', 'http:///example.com', 'htt://example.com'),
	...all(domain('example.com'), 'https://https://www.example.com/', 'http://https//example.com'),
	['https://example.com/ ?utm_source=maps', domain('example.com')],
	...all(domain('example.com'), 'example.com/ ?utm_source=maps', 'https://example.com ?a=b'),
	...['wwww.example.com', 'ww.example.com', 'http.example.com', 'ww.com', 'ww.co.uk'].map(own),
	['www.ww.example.com', domain('ww.example.com')],
	['www.www.example.com', domain('example.com')],
	// A second value after a space must not be dropped silently
	...behind(LINK, SPACE, '0x47e66fdad6f1cc73:0x8ddc341b3f5aed0d', 'cid: 12345678', '1.02E+19'),
	...behind(LINK, SPACE, 'place_id:GhIJQWDl0CIeQUARxks3icF8U8A', 'GhIJQWDl0CIeQUARxks3icF8U8A'),
	// A second value in a path, or behind what separates two
	...all(TWO, 'https://www.example.org/info@example.org', `https://www.example.org/(${EIFFEL})`),
	// With Type Email, what is beside the address is its name.
	[`"Acme (${EIFFEL})" <info@example.org>`, besides('info@example.org')],
	...all(TWO, 'example.org/info@example.com/', 'https://example.org/https://www.example.com/'),
	...all(TWO, 'https://example.org/ahttp://example.com', 'https://example.org/www.example.com'),
	...all(TWO, 'https://example.org/a|info@example.com', 'https://example.org/|example.com'),
	...all(TWO, `https://example.org/|${EIFFEL}`, `https://www.example.org/${EIFFEL}`),
	...all(TWO, `https://www.example.org/?utm_source=gmb${EIFFEL}`, `https://www.example.org/${CID}`),
	...all(TWO, `https://www.example.org/${PAIR}`, `${EIFFEL}info@example.org`, `${EIFFEL}${EIFFEL}`),
	...all(TWO, `${CID}info@example.org`, `${CID}example.org`),
	...['|', '•', '、', '<br>', '<br/>', '\\n'].flatMap((between) =>
		all(TWO, `https://example.org/${between}https://example.com/`),
	),
	['https://example.org/a | example.com', SPACE],
	// A phone number and an address; a number can be the name of an address
	...all(TWO, '00436601234567info@example.org', '%200043660123info@example.org'),
	[`https://maps.google.com/?cid=${CID}&hl=enhttps://example.org/`, TWO],
	[`${EIFFEL_LINK}!1s${PAIR}!8m2/https://example.org/`, TWO],
	...['15812345678abc@163.com', '004366012@example.org', '007bond@example.org'].map(kept),
	...all(
		besides('info@example.com'),
		'https://example.org/ <info@example.com>',
		'example.org <info@example.com>',
	),
	['See www.example.org <info@example.com>', besides('info@example.com')],
	...all(
		besides('ada@example.com'),
		`${EIFFEL} <ada@example.com>`,
		`${EIFFEL} Ada <ada@example.com>`,
		`${CID} <ada@example.com>`,
	),
	// A website, a Maps link or an ID in front of a name; a domain can be the name itself
	['acme.example <bob@her.example>', besides('bob@her.example')],
	...[
		...['https://acme.example', 'www.acme.example', '(https://acme.example)', `cid: ${CID}`],
		...[`https://maps.google.com/?cid=${BAKERY_CID}`, `place_id:${BAKERY}`, PAIR],
		'Web:https://acme.example',
	].flatMap((other) => all(besides('bob@her.example'), `${other} Bob <bob@her.example>`)),
	['https://www.her.example/ Bob <bob@her.example>', email('bob@her.example')],
	['Dr.Med Anna Li <anna@her.example>', email('anna@her.example')],
	['bob@acme.de <bob@acme.de>', email('bob@acme.de')],
	['mailto:www.acme.example%20%3Cbob@her.example%3E', besides('bob@her.example')],
	// In the subject of an address
	['bob@her.example?subject=Hi https://acme.example', besides('bob@her.example')],
	['a|info@example.org', NO_NAME],
	// Behind a Google Maps link, which is not split
	...behind(
		`https://www.google.com/maps/place/Doe,+Inc/data=!1s${PAIR}`,
		TWO,
		...[',example.com', ';foo', ',foo', ',info@example.com', `,${CID}`, `,(${CID})`, `,${EIFFEL}`],
		...[
			',https://www.google.com/maps/place/B/@1,2,17z',
			';maps.google.com/?q=A',
			',facebook.com/a',
		],
		...[`,0x8ddca9ee380ef7e1`, ',1,02E+19', ',mailto:info@example.com', '、place_id:a'],
	),
	...all(TWO, `https://www.google.com/maps/place/A/@1.5,2.5,17z<br>${PAIR}`),
	...all(TWO, `maps.google.com/?cid=${CID},Ada <ada@example.com>`, 'a@b.com?subject=Hi c@d.com'),
	[`https://www.google.com/maps/place/Doe,Inc.;+Dr.+Ann,Bar/data=!1s${PAIR}`, cid(CID)],
	// The same one again, and what is a part of a path, a query or a name
	...behind(
		'https://example.org/',
		domain('example.org'),
		...['?url=https://example.com', '?url=//www.example.com'],
		...['@ada?mail=info@example.com', 'a?u=x%2Fwww.example.com', 'logo@2x.png', 'Acme|Home'],
		...['bed-@-breakfast-392.html', '@example.com', '#:~:text=info@example.com'],
		'a/10222232094831998944.html',
	),
	['https://cdn.example.org/npm/vue@3.2.1/dist', domain('cdn.example.org')],
	['www.example.com <info@example.com>', email('info@example.com')],
	['www.example.com <https://www.example.com/>', domain('example.com')],
	['https://web.archive.org/web/2010/http://example.com', onSite('web.archive.org')],
	[`https://www.google.com/maps/place/www.example.com/data=!4m2!1s${PAIR}`, cid(CID)],
	['http/example.com', invalid('is not a domain')],
	['http:8080', UNCLEAR],

	// Place IDs
	[EIFFEL, placeId(EIFFEL)],
	...all(placeId(EIFFEL), `place_id:${EIFFEL}`, `Place_ID: ${EIFFEL}`, `"place_id": "${EIFFEL}",`),
	['place_id:GhIJQWDl0CIeQUARxks3icF8U8A', placeId('GhIJQWDl0CIeQUARxks3icF8U8A')],
	// The shortest that are accepted
	[`ChIJ${'a'.repeat(16)}`, placeId(`ChIJ${'a'.repeat(16)}`)],
	...all(placeId(EIFFEL), `(${EIFFEL})`, `[${EIFFEL}]`, `“${EIFFEL}”`, `„${EIFFEL}“`),
	...all(placeId(EIFFEL), `«${EIFFEL}»`, `\`${EIFFEL}\``, `\u200b${EIFFEL}`, `»${EIFFEL}«`),
	...all(UNCLEAR, `ChIJ${'a'.repeat(15)}`, 'ChIJabcdef'),
	[`Gh${'a'.repeat(18)}`, { ...UNCLEAR, place_id: `Gh${'a'.repeat(18)}` }],
	// What a wrong column has
	...all(
		UNCLEAR,
		'2024-05-17',
		'2024-05-17-2024-05-18',
		'+43-1-234-5678',
		'1-800-555-0199-0199-01',
	),
	...all(UNCLEAR, '3f2504e0-4f89-11d3-9a0c-0305e82c3301', '3F2504E04F8911D39A0C0305E82C3301'),
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
	[`https://maps.google.com/?cid=${CID}/example.com`, invalid('is not a CID')],
	[`${EIFFEL}==`, UNCLEAR],
	['place_id: 10222232094831998944', invalid('is a number, not a place ID')],
	[`https://example.com/?place_id=${EIFFEL}`, domain('example.com')],

	// CIDs
	[CID, cid(CID)],
	...all(cid(CID), `cid: ${CID}`, `ludocid=${CID}`, '0x8ddca9ee380ef7e0'),
	...all(cid(CID), 'cid: 0X8DDCA9EE380EF7E0', `https://maps.google.com/?cid=${CID}`),
	[`maps.google.co.uk/maps?hl=en&cid=${CID}&gl=gb`, cid(CID)],
	[`https://www.google.de/search?q=x&ludocid=${CID}&hl=de`, cid(CID)],
	[`https://www.google.com/search?q=x#lrd=${PAIR},1,,,`, cid(CID)],
	[`https://maps.google.com/?q=Tour&ftid=${PAIR.replace(':', '%3A')}&hl=fr`, cid(CID)],
	[`${EIFFEL_LINK}!1s${PAIR}!8m2!3d48.8!16zL20vMDJqODE?entry=ttu`, cid(CID)],
	[`${EIFFEL_LINK}!1s${PAIR}!16z?cid=${CID}`, cid(CID)],
	['"cid": "42"', cid('42')],
	...all(invalid('is not a CID'), `cid: ${EIFFEL}`, '0x0'),
	[PAIR, cid(CID)],
	...all(cid('31'), '0x47:0x1f', '0x1f'),
	['0x8ddca9ee380ef7e00', UNCLEAR],
	// The place ID and the CID of one place, as in the list of results
	[`${EIFFEL_LINK}!1s${PAIR}!8m2!16z!19s${EIFFEL}?hl=en`, { ...placeId(EIFFEL), cid: CID }],
	[`${RESULT}!8m2!3d52.5!4d13.4!16s%2Fg%2F11abc!19s${BAKERY}?authuser=0&hl=en`, ONE_PLACE],
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
	[`https://www.google.com/maps/place/A&amp;B,C/data=!1s${PAIR}!8m2`, cid(CID)],
	[`https://www.google.com/maps/search/?api=1&#38;query_place_id=${EIFFEL}`, placeId(EIFFEL)],
	[`https://maps.google.com/?cid=${CID}&ludocid=1`, invalid(MORE_THAN_ONE)],
	['https://maps.google.com/?cid=1 https://maps.google.com/?cid=2', invalid('contains a space')],
	[`https://maps.google.com.example/?cid=${CID}`, domain('maps.google.com.example')],
	// The largest 64-bit number, and one more
	['18446744073709551615', cid('18446744073709551615')],
	...all(invalid('is not a CID'), '18446744073709551616', '0x0:0x0'),
	// From 17 digits on it is clearly a CID, and no phone number.
	['12345678901234567', cid('12345678901234567')],
	['4111111111111111', { auto: SHORT_NUMBER, cid: '4111111111111111' }],
	// A column of other numbers would cost a request for each row.
	...all(invalid(SHORT_NUMBER), '004915123456789', '42', '1234567890123'),
	['12345678901234', { auto: SHORT_NUMBER, cid: '12345678901234' }],
	['https://maps.google.com/?cid=42', cid('42')],
	// A leading zero is that of a phone number.
	['01234567890123456789', { auto: SHORT_NUMBER, cid: '01234567890123456789' }],

	// CIDs that lost digits: 15 are kept by a spreadsheet, about 17 by an expression
	...all(ROUNDED, '12345678901234500', '1234567890123450000'),
	['1234567890123450', { auto: SHORT_NUMBER }],
	['12345678901234560', cid('12345678901234560')],
	// 2345678901234567890 as JavaScript rounds it
	...all(ROUNDED, '2345678901234567700', 'https://maps.google.com/?cid=2345678901234567700'),
	['2345678901234567890', cid('2345678901234567890')],
	['https://maps.google.com/?cid=2345678901234567700&g_mp=Cidnb29nbGU', cid('2345678901234567700')],
	['https://maps.google.com/?cid=23456789012345677000&g_mp=Cidnb29nbGU', invalid('is not a CID')],
	// The same number in hexadecimal, which nothing has rounded
	['0x0:0x208d868861370a14', cid('2345678901234567700')],
	...all(AS_SHOWN_IN_SPREADSHEETS, '1.02222E+19', '1,02222E+19', '1E+19'),
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
	...all(invalid(SHORT_LINK), 'https://maps.app.goo.gl/abcDEF123', 'https://goo.gl/maps/abcDEF123'),
	...all(invalid(SHORT_LINK), 'https://g.page/example-bakery', 'https://share.google/abcDEF123'),
	[`https://g.page/example-bakery?cid=${CID}`, cid(CID)],

	// No value at all
	...all(invalid('is empty'), '', '"" ...'),
	...all(UNCLEAR, 'n/a', '[object Object]', '+49 30 123456', 'Bäckerei Müller', 'Restaurant'),
	['555.123.4567', invalid('is not a domain')],
	['Bakery St. Example', invalid('contains a space')],
	['a'.repeat(20_000), invalid('is too long')],
];

/** Why a value is invalid for a type that it does not have, where Auto-Detect says something else. */
export const REFUSED: Array<[ItemType, string, reason: string, sharedSite?: string]> = [
	['email', 'info', 'has no @'],
	['email', '*@example.com', OF_ALL],
	['email', '.example.com', 'has no @'],
	['domain', '@gmail.com', OF_MAIL_PROVIDER.auto, 'gmail.com'],
	['domain', '***@example.com', MASKED.auto],
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
