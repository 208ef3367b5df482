/**
 * `npm run data`, a part of the build: writes the modules of data that come from packages. They are
 * committed, because the tests import them without a build.
 */
import domains from 'free-email-domains';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import tlds from 'tlds';
import { parse } from 'tldts';
import { IN_COUNTRIES } from '../nodes/BusinessListingSearch/resources/blacklist/cleaning/publicSuffixes';

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
	// Those of many countries, by ending
	'eim.ae emirates.net.ae ciudad.com.ar fibertel.com.ar speedy.com.ar drei.at inode.at kabsi.at liwest.at',
	'utanet.at vol.at aanet.com.au exetel.com.au primusonline.com.au brutele.be edpnet.be pandora.be voo.be',
	'dir.bg batelco.com.bh entelnet.bo brturbo.com.br ibest.com.br itelefonica.com.br oi.com.br pop.com.br',
	'superig.com.br uai.com.br veloxmail.com.br cgocable.ca eastlink.ca nbnet.nb.ca primus.ca xplornet.ca',
	'freesurf.ch netplus.ch sunrise.ch swissonline.ch tiscalinet.ch vtxnet.ch cable.net.co epm.net.co',
	'etb.net.co une.net.co racsa.co.cr cytanet.com.cy spidernet.com.cy atlas.cz volny.cz alice-dsl.de',
	'alice.de compuserve.de email.de hansenet.de htp-tel.de kabelbw.de kabelmail.de mnet-mail.de nexgo.de',
	'o2mail.de o2online.de onlinehome.de osnanet.de swbmail.de teleos-web.de unity-mail.de unitybox.de',
	'versanet.de vodafone.de vodafonemail.de wtnet.de get2net.dk jubii.dk mail.dk mail.tele.dk post.tele.dk',
	'privat.dk stofanet.dk tdcadsl.dk webspeed.dk youmail.dk codetel.net.do neti.ee tedata.net.eg arrakis.es',
	'jazztel.es retemail.es telecable.es mypec.eu zohomail.eu elisanet.fi inet.fi kolumbus.fi pp.inet.fi',
	'saunalahti.fi suomi24.fi 9online.fr infonie.fr libertysurf.fr nordnet.fr voila.fr worldonline.fr',
	'ath.forthnet.gr forthnet.gr hol.gr in.gr otenet.gr tellas.gr globalnet.hr inet.hr net.hr optinet.hr',
	'ri.t-com.hr st.t-com.hr vip.hr xnet.hr zg.t-com.hr digikabel.hu vipmail.hu cbn.net.id centrin.net.id',
	'indosat.net.id telkom.net.id indigo.ie iol.ie 012.net.il 014.net.il 017.net.il actcom.co.il barak.net.il',
	'inter.net.il netvision.net.il zahav.net.il airtelmail.in dataone.in sancharnet.in internet.is',
	'islandia.is simnet.is aruba.it cert.legalmail.it gigapec.it infinito.it lamiapec.it pec.buffetti.it',
	'pecimprese.it poste.it postecert.it registerpec.it sicurezzapostale.it ticertifica.it tim.it vodafone.it',
	'go.com.jo nets.com.jo asahi-net.or.jp dion.ne.jp eonet.ne.jp goo.jp hi-ho.ne.jp i.softbank.jp',
	'infoseek.jp jcom.home.ne.jp jcom.zaq.ne.jp odn.ne.jp ybb.ne.jp ymobile1.ne.jp zaq.ne.jp cyberia.net.lb',
	'idm.net.lb inco.com.lb terra.net.lb one.lt takas.lt zebra.lt internet.lu pt.lu vo.lu keemail.me',
	'global.net.mt waldonet.net.mt cablevision.net.mx prodigy.net.mx jaring.my tm.net.my caiway.nl hccnet.nl',
	'kpnplanet.nl zeelandnet.nl broadpark.no frisurf.no getmail.no online.no start.no actrix.co.nz',
	'farmside.co.nz inspire.net.nz kinect.co.nz maxnet.co.nz slingshot.co.nz snap.net.nz vodafone.co.nz',
	'woosh.co.nz omantel.net.om speedy.com.pe buziaczek.pl go2.pl clix.pt iol.pt mail.telepac.pt meo.pt',
	'netvisao.pt telepac.pt zonmail.pt qatar.net.qa clicknet.ro rdslink.ro eunet.rs mts.rs open.telekom.rs',
	'ptt.rs sbb.rs internet.ru saudi.net.sa bahnhof.se comhem.se swipnet.se tele2.se pacific.net.sg',
	'starhub.net.sg guest.arnes.si azet.sk orangemail.sk zoznam.sk loxinfo.co.th truemail.co.th ttnet.net.tr',
	'pchome.com.tw seed.net.tw so-net.net.tw meta.ua online.ua ukrpost.ua fsbusiness.co.uk tinyworld.co.uk',
	'ukonline.co.uk adinet.com.uy vera.com.uy fpt.vn hcm.vnn.vn hn.vnn.vn absamail.co.za cybersmart.co.za',
	'intekom.co.za netactive.co.za polka.co.za vodamail.co.za worldonline.co.za yebo.co.za airtelmail.com',
	'au.com casellapec.com chol.com ctimail.com dartybox.com dreamwiz.com dsl.pipex.com duck.com empal.com',
	'globo.com globomail.com hanafos.com hargray.com hey.com hkstar.com infinitummail.com infonegocio.com',
	'kakao.com madasafish.com mailfence.com mchsi.com mundo-r.com nate.com netvigator.com onetel.com',
	'paran.com primehome.com r7.com rcn.com startmail.com streamyx.com supanet.com superonline.com',
	'superposta.com telia.com ttmail.com tuta.com tutamail.com voliacable.com walla.com welho.com',
	'xplornet.com ya.com zohomail.com di-ve.com i-france.com net-c.com',
	'013.net 013net.net 263.net a1.net alice-dsl.net amis.net andinanet.net atlanticbb.net belgacom.net',
	'bellaliant.net beotel.net bezeqint.net bitel.net bredband.net cableonda.net cantv.net centurylink.net',
	'cwpanama.net daum.net dnainternet.net dokom.net e-kolay.net entelchile.net ewe.net globetrotter.net',
	'kems.net knology.net kornet.net lantic.net link.net lyse.net maltanet.net menta.net metrocast.net',
	'msa.hinet.net mts.net myfairpoint.net neobee.net nord-com.net onetel.net onvol.net optimum.net',
	'pldtdsl.net plus.net qualitynet.net riseup.net sasktel.net siol.net spectrum.net suddenlink.net t-2.net',
	'tbaytel.net telusplanet.net turk.net ukrpost.net verat.net volja.net vtr.net which.net wildblue.net',
	'disroot.org mailbox.org',
];

/** Names in both packages that a firm, an institution, a family or a place uses for its own website. */
const NO_PROVIDERS = [
	// Firms, papers and shops
	'about.com adoption.com autoescuelanerja.com ballyfinance.com baudoinconsulting.com beer.com boom.com',
	'brittonsign.com care2.com casablancaresort.com casino.com centralpets.com chef.net clerk.com cntv.cn',
	'collectiblesuperstore.com colleges.com cybercafemaui.com dailypioneer.com detik.com dnsmadeeasy.com',
	'dog.com doityourself.com dott.it earthcam.net ecbsolutions.net enel.net eurosport.com',
	'federalcontractors.com furnitureprovider.com garbage.com gazibooks.com goldtoolbox.com handbag.com',
	'hhdevel.com homelocator.com icmsconsultants.com indexa.fr infohq.com isellcars.com law.com',
	'liontrucks.com medical.net.au medscape.com money.net mosaicfx.com motormania.com music.com name.com',
	'naplesnews.net naseej.com naui.net onmilwaukee.com pacific-re.com recycler.com rock.com rvshop.com',
	'saudia.com scientist.com scubadiving.com seguros.com.br serga.com.ar snowboarding.com',
	'socceramerica.net soulfoodcookbook.com sp.nl space.com spacewar.com spinfinder.com stargateradio.com',
	'techscout.com techspot.com test.de thewebpros.co.uk toolsource.com ukbuilder.com vinbazar.com',
	'violinmakers.co.uk windrivers.net xoom.com',
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

/**
 * Registries among the private endings of the Public Suffix List, which sell the names below to anyone. The
 * others are hosts, such as `github.io`: those with many businesses are shared sites. `com.de`, `co.nl` and
 * `com.ru` are among IN_COUNTRIES; `co.com` is a firm's own website as well. Names of cities and regions, such as
 * `krakow.pl` and `msk.ru`, are left out: nobody has one as a website but the city itself.
 */
export const REGISTRIES = [
	// By country
	'africa.com br.com cn.com de.com eu.com gr.com hk.com it.com jpn.com mex.com ru.com sa.com uk.com us.com',
	'za.com gb.net hu.net in.net jp.net se.net uk.net za.net ae.org eu.org hk.org us.org za.org',
	'za.bz us.kg web.in inc.hk ltd.hk',
	// In a country
	'biz.at info.at priv.at rs.ba biz.dk firm.dk reg.dk store.dk base.ec official.ec biz.gl free.hr of.je',
	'aeroport.fr avocat.fr chambagri.fr chirurgiens-dentistes-en-france.fr chirurgiens-dentistes.fr',
	'experts-comptables.fr medecin.fr notaires.fr pharmacien.fr port.fr veterinaire.fr',
	'biz.ng col.ng firm.ng gen.ng ltd.ng ngo.ng plc.ng',
	'art.pl med.pl name.pm shop.ro ua.rs conf.se sch.tf online.th shop.th conn.uk copro.uk hosp.uk fed.us kids.us ngo.us gv.vc',
	'biz.wf sch.wf org.yt radio.am radio.fm gov.scot',
	'biz.ua cc.ua ie.ua inf.ua ltd.ua pp.ua v.ua',
	'int.ru pp.ru биз.рус ком.рус крым.рус мир.рус мск.рус орг.рус самара.рус сочи.рус спб.рус я.рус',
	// In another ending
	'aus.basketball nz.basketball co.business co.education co.events co.financial co.krd edu.krd ind.mom',
	'co.network co.place co.technology official.academy',
];

/** @returns the modules' texts, by their paths in the project */
export async function dataModules(): Promise<Map<string, string>> {
	const ofPackage = async (file: string) =>
		await readFile(join(project, 'node_modules', file), 'utf8');
	const others = new Set((await ofPackage('freemail/data/free.txt')).split('\n'));
	const more = namesOf(MORE_PROVIDERS);
	const known = new Set([...more, ...namesOf(NO_PROVIDERS)]);
	// Each package alone has firms' domains.
	const inBoth = domains.filter((domain) => {
		const [name = ''] = domain.split('.');
		// Names for fun, hundreds of them, of a few providers: too many for what they are worth.
		const isUnused = /^(?:mail2|from(?!ru\.)|.*-|.*fans?\.).*\.(?:com|net|org)$/.test(domain);
		const isKnown = known.has(domain) || known.has(name);
		return others.has(domain) && !isKnown && !isUnused;
	});
	// Documentation uses .example.
	const endings = new Map(
		['example', ...tlds.map(domainToASCII)].sort().map((each) => [each, each]),
	);
	for (const suffix of publicSuffixes(await ofPackage('psl/data/rules.js')).sort()) {
		const dot = suffix.indexOf('.');
		const ending = suffix.slice(dot + 1);
		endings.set(ending, `${endings.get(ending) ?? ending} ${suffix.slice(0, dot)}`);
	}
	return new Map([
		[
			`${CLEANING}/mailProviders.data.ts`,
			moduleOf('MAIL_PROVIDERS', byEnding([...inBoth, ...more])),
		],
		[
			`${CLEANING}/publicSuffixes.data.ts`,
			moduleOf('PUBLIC_SUFFIXES', [...endings.values()].sort()),
		],
	]);
}

/**
 * The endings of two and three parts that the Public Suffix List has for registries. `psl` is a list of its rules
 * that does not tell them from those of hosts, and is older; `tldts` has no list, but tells of a name; both are
 * MIT. So the rules of the one are asked of the other. After a rule such as `*.np`, each name there is an ending.
 * Those of three parts in Japan and Norway, 1,720 of 1,984, are left out: nobody has such a town as a website.
 *
 * @param rules the text of the module that has them
 * @returns the endings in ASCII, but for those of IN_COUNTRIES, and the wildcards: `*.np`
 */
function publicSuffixes(rules: string): string[] {
	const listed = [...rules.matchAll(/"((?:\*|[^"\s.!*]+)(?:\.[^"\s.]+){1,2})"/g)]
		.map(([, rule]) => domainToASCII(rule!.replace('*', ANY)))
		.filter((rule) => !/\..*\.(?:jp|no)$/.test(rule));
	// A country without its wildcard has some of the names that others have: `sch.bd`.
	const names = listed.filter(isEndingOfRegistry).map((rule) => rule.slice(0, rule.indexOf('.')));
	const instead = listed
		.filter((rule) => rule.startsWith(ANY) && !isEndingOfRegistry(rule))
		.flatMap((rule) => names.map((name) => rule.replace(ANY, name)));
	const ofRegistries = [...listed, ...instead].filter(
		(rule) => isEndingOfRegistry(rule) && !IN_COUNTRIES.test(rule),
	);
	const byHand = namesOf(REGISTRIES).map(domainToASCII);
	return [...new Set([...ofRegistries.map((rule) => rule.replace(ANY, '*')), ...byHand])];
}

/** Stands for each name of a wildcard. */
const ANY = 'any-name';

function isEndingOfRegistry(rule: string): boolean {
	const { isIcann, publicSuffix } = parse(`name.${rule}`);
	return isIcann === true && publicSuffix === rule;
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
