/**
 * Sites on which many businesses have a page in place of their website, and those that shorten links. A
 * name without a dot is a brand, whatever the ending: `yelp.com`, `yelp.de`, `yelp.co.uk`. After `=`, only
 * the site itself is shared, and what is below it is a business's own: `name.wix.com`. Sites that only
 * give each business a subdomain of its own need no entry.
 */
const SHARED_SITES = setOf(
	// Social networks and messengers
	'bsky.app discord.gg facebook fb.com fb.me fb.watch instagr.am instagram line.me linkedin',
	'lnkd.in m.me medium.com messenger.com nextdoor ok.ru patreon pinterest quora reddit',
	'snapchat t.me telegram.me threads.com threads.net tiktok tumblr.com twitch.tv twitter vimeo vk.com',
	'wa.me weibo whatsapp x.com xing youtu.be youtube',
	// Maps and search
	'apple.com bing.com foursquare g.co g.page google goo.gl googleapis.com here.com maps.apple mapquest',
	'share.google waze yandex',
	'local.yahoo.com mappy.com openstreetmap.org streetmap.co.uk viamichelin what3words.com',
	// Reviews and directories
	'11880 angi.com bbb.org checkatrade clutch.co crunchbase cylex doctolib g2.com',
	'gelbeseiten glassdoor goldenpages healthgrades herold.at homeadvisor houzz jameda',
	'justdial local.ch manta.com paginegialle pagesjaunes provenexpert sulekha superpages',
	'tabelog thumbtack tripadvisor trustedshops trustpilot psychologytoday avvo.com weddingwire yell.com yellowpages',
	'yelp zocdoc',
	'192.com 118712.fr 118000.fr alignable.com apontador.com.br brownbook.net chamberofcommerce.com',
	'dasoertliche.de dastelefonbuch.de detelefoongids.nl firmasec.com',
	'firmenabc.at freeindex.co.uk goudengids guiamais.com.br hotfrog indiamart.com',
	'meinestadt.de merchantcircle.com misterimprese.it paginasamarillas.es paginebianche.it scoot.co.uk search.ch',
	'showmelocal.com telefoonboek.nl telelistas.net thomsonlocal.com tradeindia.com whitepages.com',
	'yellowbook.com',
	// Trades
	'angieslist.com bark.com cronoshare.com getninjas.com.br habitissimo instapro.it my-hammer',
	'mybuilder.com myhammer.de porch.com prontopro ratedpeople.com starofservice',
	'trustatrader.com trustedtraders.which.co.uk urbancompany.com werkspot.nl',
	// Health and care
	'annuairesante.ameli.fr aplaceformom.com arzt-auskunft.de boaconsulta.com carehome.co.uk caring.com',
	'counselling-directory.org.uk docfinder.at doctify.com doctor.webmd.com doctoralia dottori.it',
	'goodtherapy.org healthmart.com keldoc.com lybrate.com maiia.com medicineshoppe.com miodottore.it mygnp.com',
	'=nhs.uk onedoc.ch practo.com ratemds.com realself.com sanego.de therapie.de therapyden.com',
	'topdoctors vitals.com whatclinic.com zorgkaartnederland.nl',
	// Law
	'anwalt.de anwalt24.de findlaw.com justia.com lawrato.com lawyers.com martindale.com',
	'reviewsolicitors.co.uk superlawyers.com',
	// Weddings
	'bodas.net bridebook casamentos.com.br hitched mariages.net matrimonio.com theknot.com',
	'wedmegood.com zankyou',
	// Booking
	'acuityscheduling agoda airbnb booking.com booksy calendly expedia fresha getyourguide holidaycheck',
	'hostelworld hotels.com lafourchette planity mindbodyonline opentable quandoo resy.com setmore',
	'styleseat thefork treatwell trip.com trivago vagaro viator vrbo',
	'agriturismo.it bed-and-breakfast.it bedandbreakfast.eu escapadarural.com',
	'fewo-direkt.de gites-de-france.com goibibo.com hotel.de hrs.com kayak.com makemytrip.com oyorooms.com',
	'traum-ferienwohnungen.de',
	// Restaurants and delivery
	'chownow deliveroo doordash foodora foodpanda glovoapp grubhub ifood just-eat justeat',
	'lieferando menulog order.online postmates rappi seamless.com skipthedishes swiggy takeaway.com',
	'thuisbezorgd toasttab ubereats wolt.com zomato',
	'allmenus.com designmynight.com dineout.co.in eat.ch eet.nu eltenedor happycow.net',
	'restaurantguru.com slicelife.com speisekarte.de',
	// Marketplaces
	'alibaba aliexpress allegro.pl amazon bol.com craigslist depop ebay etsy flipkart gumtree',
	'kleinanzeigen lazada leboncoin marktplaats mercadolibre mercadolivre mobile.de olx',
	'autoscout24 immobilienscout24 poshmark rakuten realtor.com rightmove shopee squareup vinted walmart willhaben zillow',
	'zoopla',
	// Links in a profile
	'about.me allmylinks beacons.ai bio.link bio.site campsite.bio hoo.be linkin.bio linkpop',
	'heylink.me linkr.bio linktr.ee lnk.bio many.link milkshake.app msha.ke solo.to stan.store taplink withkoji',
	// Short links, and links around other links
	'adobe.ly amzn.to bit.ly buff.ly cutt.ly dlvr.it forms.gle is.gd ow.ly qrco.de rb.gy',
	'rebrand.ly s.id shorturl.at spoti.fi t.co t.ly tiny.cc tinyurl trib.al v.gd',
	'awin1.com doubleclick.net googleadservices.com linkprotect.cudasvc.com',
	'safelinks.protection.outlook.com urldefense.com urldefense.proofpoint.com web.archive.org',
	// Pages under the address of what builds them, of an access provider or of a state
	'canva.com eventbrite github.com gofundme issuu.com jotform meetup.com notion.so',
	'spotify.com typeform =wix.com',
	'=blogspot.com =business.site =godaddysites.com =jimdofree.com =square.site =webflow.io =weebly.com =wixsite.com =wordpress.com',
	'angelfire.com btconnect.com digilander.libero.it flickr.com =freewebs.com geocities =gob.mx =gov.br =gov.uk',
	'home.t-online.de members.aol.com members.tripod.com ntlworld.com perso.wanadoo.fr =spanglefish.com =ueni.com',
);

/**
 * Mail and access providers, also with brands: programs fill in the website from an address. What is
 * below them can be a business's own: `name.free.fr`.
 */
const MAIL_PROVIDERS = setOf(
	'aol att.net bellsouth.net charter.net comcast.net cox.net earthlink.net gmail.com gmx googlemail.com',
	'hotmail icloud.com live.com mac.com mail.com me.com msn.com outlook.com proton.me protonmail',
	'rocketmail.com sbcglobal.net verizon.net yahoo ymail.com',
	'blueyonder.co.uk btinternet.com live.co.uk sky.com talktalk.net tiscali virginmedia.com',
	'aon.at arcor.de bluewin.ch freenet.de hispeed.ch online.de outlook.de t-online.de web.de',
	'alice.it bbox.fr free.fr laposte.net libero.it neuf.fr orange.fr sfr.fr tin.it virgilio.it wanadoo',
	'home.nl kpnmail.nl telefonica.net xs4all.nl ziggo.nl',
	'bol.com.br rediffmail.com uol.com.br',
);

function setOf(...lines: string[]): Set<string> {
	return new Set(lines.flatMap((names) => names.split(' ')));
}

/** @returns the shared site that a host is or belongs to: `yelp.de` for `m.yelp.de` */
export function sharedSiteOf(host: string): string | undefined {
	if (SHARED_SITES.has(`=${host}`)) return host;
	let site = host;
	for (let dot = site.indexOf('.'); dot !== -1; dot = site.indexOf('.')) {
		if (isListed(SHARED_SITES, site)) return site;
		site = site.slice(dot + 1);
	}
	return undefined;
}

/** Whether a host is that of a mail provider: `gmx.de`, not `mail.gmx.de`. */
export function isMailProvider(host: string): boolean {
	return isListed(MAIL_PROVIDERS, host);
}

/** Such as `com`, `de`, `co.uk` and `com.au`. */
const ENDING = /^(?:[^.]+|(?:com?|net|org)\.[a-z]{2})$/;

/** Whether a list has a site or its brand. */
function isListed(list: Set<string>, site: string): boolean {
	const dot = site.indexOf('.');
	return list.has(site) || (list.has(site.slice(0, dot)) && ENDING.test(site.slice(dot + 1)));
}
