/**
 * `npm run data`, a part of the build: writes the modules of data that come from packages. They are
 * committed, because the tests import them without a build.
 */
import domains from 'free-email-domains';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import tlds from 'tlds';

const project = resolve(__dirname, '..');
const CLEANING = 'nodes/BusinessListingSearch/resources/blacklist/cleaning';

/**
 * Mail and access providers that the packages lack. A name without a dot is a brand, whatever the ending:
 * `gmx.de`, `yahoo.co.in`.
 */
const MORE_PROVIDERS = [
	'aol gmx hotmail live outlook protonmail tiscali wanadoo yahoo',
	'pm.me proton.me tuta.io tutanota.com tutanota.de',
	'blueyonder.co.uk btinternet.com btopenworld.com lineone.net talktalk.net tesco.net virginmedia.com',
	'bluewin.ch chello.at chello.hu chello.pl ewetel.net hispeed.ch mail.de netcologne.de posteo.de',
	'aliceadsl.fr bbox.fr cegetel.net club-internet.fr neuf.fr noos.fr numericable.fr sfr.fr',
	'arubapec.it fastwebnet.it legalmail.it pec.it pec.libero.it teletu.it tin.it',
	'euskaltel.net netcabo.pt ono.com telefonica.net',
	'proximus.be scarlet.be skynet.be telenet.be',
	'citromail.hu indamail.hu invitel.hu neostrada.pl t-online.hu tlen.pl upcmail.hu',
	'cogeco.ca shaw.ca sympatico.ca telus.net',
	'clear.net.nz ihug.co.nz iafrica.com mweb.co.za orcon.net.nz paradise.net.nz telkomsa.net',
	'biglobe.ne.jp docomo.ne.jp ezweb.ne.jp nifty.com ocn.ne.jp plala.or.jp so-net.ne.jp softbank.ne.jp',
	'bsnl.in vsnl.com vsnl.net',
];

/** Names in both packages that a firm, an institution, a family or a place uses for its own website. */
const NO_PROVIDERS = [
	// Firms, papers and shops
	'about.com adoption.com autoescuelanerja.com ballyfinance.com baudoinconsulting.com beer.com',
	'boom.com brittonsign.com care2.com casablancaresort.com casino.com centralpets.com chef.net cntv.cn',
	'collectiblesuperstore.com colleges.com cybercafemaui.com dailypioneer.com detik.com',
	'dnsmadeeasy.com dog.com doityourself.com dott.it earthcam.net ecbsolutions.net enel.net eurosport.com',
	'federalcontractors.com furnitureprovider.com garbage.com gazibooks.com goldtoolbox.com handbag.com',
	'hhdevel.com homelocator.com icmsconsultants.com infohq.com isellcars.com law.com liontrucks.com',
	'medical.net.au medscape.com money.net mosaicfx.com motormania.com music.com name.com naplesnews.net',
	'naui.net onmilwaukee.com pacific-re.com recycler.com rock.com rvshop.com saudia.com scubadiving.com',
	'seguros.com.br serga.com.ar snowboarding.com socceramerica.net soulfoodcookbook.com space.com',
	'spinfinder.com stargateradio.com techscout.com techspot.com test.de thewebpros.co.uk toolsource.com',
	'ukbuilder.com violinmakers.co.uk windrivers.net',
	// Institutions and associations
	'academycougars.com australia.edu england.edu fathersrightsne.org fishburne.org islamonline.net',
	'kinglibrary.net nabc.biz nafe.com nus.edu.sg studentcenter.org uae.ac unican.es upf.org',
	// Families and persons
	'abdulnour.com alskens.dk antongijsen.com bagherpour.com davegracey.com iwan-fals.com khosropour.com',
	'mehrani.com rastogi.net rezai.com salehi.net the-davis-home.com thezhangs.net',
	// Places
	'aberystwyth.com aichi.com algeria.com antwerpen.com arabia.com argentina.com asheville.com bangkok.com',
	'barcelona.com belice.com berlin.com brasilia.net canada.com chirk.com copacabana.com destin.com',
	'dublin.com dublin.ie ednatx.com england.com glendale.net gorontalo.net hamptonroads.com honduras.com',
	'hongkong.com india.com ireland.com japan.com kansascity.com la.com llandudno.com llangollen.com',
	'london.com madrid.com mauritius.com moldova.com munich.com newyork.com nyc.com ourbrisbane.com',
	'richmondhill.com rome.com scotland.com sialkotcity.com singapore.com snowdonia.net st-davids.net',
	'surat.com switzerland.org turkey.com whartontx.com wrexham.net',
];

/** A thousand domains of one provider, which the node knows by this pattern. */
const MAIL2WORLD = /^mail2[a-z\d-]+\.com$/;

/** @returns the modules' texts, by their paths in the project */
export async function dataModules(): Promise<Map<string, string>> {
	const freemail = join(project, 'node_modules/freemail/data/free.txt');
	const others = new Set((await readFile(freemail, 'utf8')).split('\n'));
	const more = namesOf(MORE_PROVIDERS);
	const known = new Set([...more, ...namesOf(NO_PROVIDERS)]);
	// Each package alone has firms' domains.
	const inBoth = domains.filter((domain) => {
		const [name = ''] = domain.split('.');
		const isKnown = known.has(domain) || known.has(name) || MAIL2WORLD.test(domain);
		return others.has(domain) && !isKnown;
	});
	// Documentation uses .example.
	const endings = ['example', ...tlds.map(domainToASCII)].sort();
	return new Map([
		[
			`${CLEANING}/mailProviders.data.ts`,
			moduleOf('MAIL_PROVIDERS', byEnding([...inBoth, ...more])),
		],
		[`${CLEANING}/endings.data.ts`, moduleOf('ENDINGS', endings)],
	]);
}

function namesOf(lines: string[]): string[] {
	return lines.flatMap((names) => names.split(' '));
}

/** A line for each ending, with the names in front of it: smaller in the package than whole domains. */
function byEnding(hosts: string[]): string[] {
	const lines = new Map<string, string>();
	for (const host of [...hosts].sort()) {
		const [name, ...rest] = host.split('.');
		const ending = rest.map((part) => `.${part}`).join('');
		lines.set(ending, `${lines.get(ending) ?? ending} ${name}`);
	}
	return [...lines.values()].sort();
}

function moduleOf(name: string, lines: string[]): string {
	const note = '/** Written by `npm run data`: change n8n/data.ts instead. */';
	return `${note}\nexport const ${name} = \`\n${lines.join('\n')}\n\`;\n`;
}

async function main(): Promise<void> {
	for (const [file, text] of await dataModules()) await writeFile(join(project, file), text);
}

if (require.main === module) void main();
