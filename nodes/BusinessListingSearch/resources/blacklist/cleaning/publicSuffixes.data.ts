/** Written by `npm run data`: change n8n/data.ts instead. */
export const PUBLIC_SUFFIXES = `
.ac ac co com edu gov mil net org
.academy official
.ad ac co com edu gov net org
.ae ac co com edu gov mil net org sch
.aero accident-investigation accident-prevention aerobatic aeroclub aerodrome agents air-surveillance air-traffic-control aircraft airline airport airtraffic ambulance association author ballooning broker caa cargo catering certification championship charter civilaviation club conference consultant consulting control council crew design dgca educator emergency engine engineer entertainment equipment exchange express federation flight freight fuel gliding government groundhandling group hanggliding homebuilt insurance journal journalist leasing logistics magazine maintenance marketplace media microlight modelling navigation parachuting paragliding passenger-association pilot press production recreation repbody res research rotorcraft safety scientist services show skydiving software student taxi trader trading trainer union workinggroup works
.af ac co com edu gov net org
.ag ac co com edu gov net nom org
.ai ac co com edu gov net off org
.al ac co com edu gov mil net org
.am ac co com commune edu gov net org radio
.ao ac co com ed edu gov gv it net og org pb
.aq ac co com edu gov net org
.ar ac bet co com coop edu gob gov int mil musica mutual net org senasa tur
.arpa e164 home in-addr ip6 iris uri urn
.as ac co com edu gov net org
.at ac biz co com edu gov gv info net or org priv
.au ac act asn co com conf edu gov id net nsw nt org oz qld sa tas vic wa
.aw ac co com edu gov net org
.ax ac co com edu gov net org
.az ac biz co com edu gov info int mil name net org pp pro
.ba ac co com edu gov mil net org rs
.basketball aus nz
.bb ac biz co com edu gov info net org store tv
.bd  ac co com edu gov net org
.be ac co com edu gov net org
.bf ac co com edu gov net org
.bg 0 1 2 3 4 5 6 7 8 9 a ac b c co com d e edu f g gov h i j k l m n net o org p q r s t u v w x y z
.bh ac co com edu gov net org
.bi ac co com edu gov net or org
.bj ac africa agro architectes assur avocats co com eco econo edu gov info loisirs money net org ote restaurant resto tourism univ
.bm ac co com edu gov net org
.bn ac co com edu gov net org
.bo ac academia agro arte blog bolivia ciencia co com cooperativa democracia deporte ecologia economia edu empresa gob gov indigena industria info int medicina mil movimiento musica natural net nombre noticias org patria plurinacional politica profesional pueblo revista salud tecnologia tksat transporte tv web wiki
.br 9guacu abc ac adm adv agr aju am anani aparecida app arq art ato b barueri belem bet bhz bib bio blog bmd boavista bsb campinagrande campinas caxias cim cng cnt co com contagem coop coz cri cuiaba curitiba def des det dev ecn eco edu emp enf eng esp etc eti far feira flog floripa fm fnd fortal fot foz fst g12 geo ggf goiania gov gru imb ind inf jab jampa jdf joinville jor jus leg leilao lel log londrina macapa maceio manaus maringa mat med mil morena mp mus natal net niteroi not ntr odo ong org osasco palmas poa ppg pro psc psi pvh qsl radio rec recife rep ribeirao rio riobranco riopreto salvador sampa santamaria santoandre saobernardo saogonca seg sjc slg slz sorocaba srv taxi tc tec teo the tmp trd tur tv udi vet vix vlog wiki zlg
.bs ac co com edu gov net org
.bt ac co com edu gov net org
.business co
.bv ac co com edu gov net org
.bw ac co com edu gov net org
.by ac co com edu gov mil net of org
.bz ac co com edu gov net org za
.ca ab ac bc co com edu gc gov mb nb net nf nl ns nt nu on org pe qc sk yk
.cc ac co com edu gov net org
.cd ac co com edu gov net org
.cf ac co com edu gov net org
.cg ac co com edu gov net org
.ch ac co com edu gov net org
.ci ac asso co com ed edu go gouv gov int net or org xn--aroport-bya
.ck  ac co com edu gov net org
.cl ac co com edu gob gov mil net org
.cm ac co com edu gov net org
.cn ac ah bj co com cq edu fj gd gov gs gx gz ha hb he hi hk hl hn jl js jx ln mil mo net nm nx org qh sc sd sh sn sx tj tw xj xn--55qx5d xn--io0a7i xn--od0alg xz yn zj
.co ac co com edu gov mil net nom org
.com africa br cn de eu gr hk it jpn mex ru sa uk us za
.cr ac co com ed edu fi go gov net or org sa
.cu ac co com edu gob gov inf nat net org
.cv ac co com edu gov id int net nome org publ
.cw ac co com edu gov net org
.cx ac co com edu gov net org
.cy ac biz co com edu ekloges gov ltd mil net org press pro tm
.cz ac co com edu gov net org
.de ac co com edu gov net org
.dj ac co com edu gov net org
.dk ac biz co com edu firm gov net org reg store
.dm ac co com edu gov net org
.do ac art co com edu gob gov mil net org sld web
.dz ac art asso co com edu gov net org pol soc tm
.ec ac base co com edu fin gob gov info k12 med mil net official org pro
.education co
.ee ac aip co com edu fie gov lib med net org pri riik
.eg ac co com edu eun gov info me mil name net org sci sport tv
.er  ac co com edu gov net org
.es ac co com edu gob gov net nom org
.et ac biz co com edu gov info name net org
.eu ac co com edu gov net org
.events co
.fi ac aland co com edu gov net org
.financial co
.fj ac biz co com edu gov info mil name net org pro
.fk  ac co com edu gov net org
.fm ac co com edu gov net org radio
.fo ac co com edu gov net org
.fr ac aeroport asso avocat avoues cci chambagri chirurgiens-dentistes-en-france chirurgiens-dentistes co com edu experts-comptables gouv gov greta huissier-justice medecin net nom notaires org pharmacien port prd tm veterinaire
.ga ac co com edu gov net org
.gb ac co com edu gov net org
.gd ac co com edu gov net org
.ge ac co com edu gov net org pvt school
.gf ac co com edu gov net org
.gg ac co com edu gov net org
.gh ac co com edu gov mil net org
.gi ac co com edu gov ltd mod net org
.gl ac biz co com edu gov net org
.gm ac co com edu gov net org
.gn ac co com edu gov net org
.gp ac asso co com edu gov mobi net org
.gq ac co com edu gov net org
.gr ac co com edu gov net org
.gs ac co com edu gov net org
.gt ac co com edu gob gov ind mil net org
.gu ac co com edu gov guam info net org web
.gw ac co com edu gov net org
.gy ac co com edu gov net org
.hk ac co com edu gov idv inc ltd net org xn--55qx5d xn--ciqpn xn--gmq050i xn--gmqw5a xn--io0a7i xn--lcvr32d xn--mk0axi xn--mxtq1m xn--od0alg xn--od0aq3b xn--tn0ag xn--uc0atv xn--uc0ay4a xn--wcvs22d xn--zf0avx
.hm ac co com edu gov net org
.hn ac co com edu gob gov mil net org
.hr ac co com edu free from gov iz name net org
.ht ac adult art asso co com coop edu firm gouv gov info med net org perso pol pro rel shop
.hu 2000 ac agrar bolt casino city co com edu erotica erotika film forum games gov hotel info ingatlan jogasz konyvelo lakas media net news org priv reklam sex shop sport suli szex tm tozsde utazas video
.id ac biz co com desa edu go gov mil my net or org ponpes sch web
.ie ac co com edu gov net org
.il ac co com edu gov idf k12 muni net org
.im ac co com edu gov net org tt tv
.in 5g 6g ac ai am bihar biz business ca cn co com coop cs delhi dr edu er firm gen gov gujarat ind info int internet io me mil net nic org pg post pro res travel tv uk up us web
.int eu
.io ac co com edu gov mil net nom org
.iq ac co com edu gov mil net org
.ir ac co com edu gov id net org sch xn--mgba3a4f16a xn--mgba3a4fra
.is ac co com edu gov net org
.it abr abruzzo ac ag agrigento al alessandria alto-adige altoadige an ancona andria-barletta-trani andria-trani-barletta andriabarlettatrani andriatranibarletta ao aosta-valley aosta aostavalley aoste ap aq ar arezzo ascoli-piceno ascolipiceno asti at av avellino ba balsan-sudtirol balsan-suedtirol balsan bari barletta-trani-andria barlettatraniandria bas basilicata belluno benevento bergamo bg bi biella bl bn bo bologna bolzano-altoadige bolzano bozen-sudtirol bozen-suedtirol bozen br brescia brindisi bs bt bulsan-sudtirol bulsan-suedtirol bulsan bz ca cagliari cal calabria caltanissetta cam campania campidano-medio campidanomedio campobasso carbonia-iglesias carboniaiglesias carrara-massa carraramassa caserta catania catanzaro cb ce cesena-forli cesenaforli ch chieti ci cl cn co com como cosenza cr cremona crotone cs ct cuneo cz dell-ogliastra dellogliastra edu emilia-romagna emiliaromagna emr en enna fc fe fermo ferrara fg fi firenze florence fm foggia forli-cesena forlicesena fr friuli-v-giulia friuli-ve-giulia friuli-vegiulia friuli-venezia-giulia friuli-veneziagiulia friuli-vgiulia friuliv-giulia friulive-giulia friulivegiulia friulivenezia-giulia friuliveneziagiulia friulivgiulia frosinone fvg ge genoa genova go gorizia gov gr grosseto iglesias-carbonia iglesiascarbonia im imperia is isernia kr la-spezia laquila laspezia latina laz lazio lc le lecce lecco li lig liguria livorno lo lodi lom lombardia lombardy lt lu lucania lucca macerata mantova mar marche massa-carrara massacarrara matera mb mc me medio-campidano mediocampidano messina mi milan milano mn mo modena mol molise monza-brianza monza-e-della-brianza monza monzabrianza monzaebrianza monzaedellabrianza ms mt na naples napoli net no novara nu nuoro og ogliastra olbia-tempio olbiatempio or org oristano ot pa padova padua palermo parma pavia pc pd pe perugia pesaro-urbino pesarourbino pescara pg pi piacenza piedmont piemonte pisa pistoia pmn pn po pordenone potenza pr prato pt pu pug puglia pv pz ra ragusa ravenna rc re reggio-calabria reggio-emilia reggiocalabria reggioemilia rg ri rieti rimini rm rn ro roma rome rovigo sa salerno sar sardegna sardinia sassari savona si sic sicilia sicily siena siracusa so sondrio sp sr ss suedtirol sv ta taa taranto te tempio-olbia tempioolbia teramo terni tn to torino tos toscana tp tr trani-andria-barletta trani-barletta-andria traniandriabarletta tranibarlettaandria trapani trentin-sud-tirol trentin-sudtirol trentin-sued-tirol trentin-suedtirol trentino-a-adige trentino-aadige trentino-alto-adige trentino-altoadige trentino-s-tirol trentino-stirol trentino-sud-tirol trentino-sudtirol trentino-sued-tirol trentino-suedtirol trentino trentinoa-adige trentinoaadige trentinoalto-adige trentinoaltoadige trentinos-tirol trentinostirol trentinosud-tirol trentinosued-tirol trentinosuedtirol trentinsud-tirol trentinsudtirol trentinsued-tirol trentinsuedtirol trento treviso trieste ts turin tuscany tv ud udine umb umbria urbino-pesaro urbinopesaro va val-d-aosta val-daosta vald-aosta valle-aosta valle-d-aosta valle-daosta valleaosta valled-aosta valledaosta vallee-aoste vallee-d-aoste valleeaoste valleedaoste vao varese vb vc vda ve ven veneto venezia venice verbania vercelli verona vi vibo-valentia vibovalentia vicenza viterbo vr vs vt vv xn--balsan-sdtirol-nsb xn--bozen-sdtirol-2ob xn--bulsan-sdtirol-nsb xn--cesena-forl-mcb xn--cesenaforl-i8a xn--forl-cesena-fcb xn--forlcesena-c8a xn--sdtirol-n2a xn--trentin-sd-tirol-rzb xn--trentin-sdtirol-7vb xn--trentino-sd-tirol-c3b xn--trentino-sdtirol-szb xn--trentinosd-tirol-rzb xn--trentinosdtirol-7vb xn--trentinsd-tirol-6vb xn--trentinsdtirol-nsb xn--valle-aoste-ebb xn--valle-d-aoste-ehb xn--valleaoste-e7a xn--valledaoste-ebb
.je ac co com edu gov net of org
.jm  ac co com edu gov net org
.jo ac agri ai co com edu eng fm gov mil net org per phd sch tv
.jp ac ad aichi akita aomori chiba co com ed edu ehime fukui fukuoka fukushima gifu go gov gr gunma hiroshima hokkaido hyogo ibaraki ishikawa iwate kagawa kagoshima kanagawa kochi kumamoto kyoto lg mie miyagi miyazaki nagano nagasaki nara ne net niigata oita okayama okinawa or org osaka saga saitama shiga shimane shizuoka tochigi tokushima tokyo tottori toyama wakayama xn--0trq7p7nn xn--1ctwo xn--1lqs03n xn--1lqs71d xn--2m4a15e xn--32vp30h xn--4it168d xn--4it797k xn--4pvxs xn--5js045d xn--5rtp49c xn--5rtq34k xn--6btw5a xn--6orx2r xn--7t0a264c xn--8ltr62k xn--8pvr4u xn--c3s14m xn--d5qv7z876c xn--djrs72d6uy xn--djty4k xn--efvn9s xn--ehqz56n xn--elqq16h xn--f6qx53a xn--k7yn95e xn--kbrq7o xn--klt787d xn--kltp7d xn--kltx9a xn--klty5x xn--mkru45i xn--nit225k xn--ntso0iqx3a xn--ntsq17g xn--pssu33l xn--qqqt11m xn--rht27z xn--rht3d xn--rht61e xn--rny31h xn--tor131o xn--uist22h xn--uisz3g xn--uuwu58a xn--vgu402c xn--zbx025d yamagata yamaguchi yamanashi
.ke ac co com edu go gov info me mobi ne net or org sc
.kg ac co com edu gov mil net org us
.kh  ac co com edu gov net org
.ki ac biz co com edu gov info net org
.km ac ass asso co com coop edu gouv gov medecin mil net nom notaires org pharmaciens prd presse tm veterinaire
.kn ac co com edu gov net org
.kp ac co com edu gov net org rep tra
.kr ac busan chungbuk chungnam co com daegu daejeon edu es gangwon go gov gwangju gyeongbuk gyeonggi gyeongnam hs incheon jeju jeonbuk jeonnam kg mil ms ne net or org pe re sc seoul ulsan
.krd co edu
.kw ac co com edu emb gov ind net org
.ky ac co com edu gov net org
.kz ac co com edu gov mil net org
.la ac co com edu gov info int net org per
.lb ac co com edu gov net org
.lc ac co com edu gov net org
.li ac co com edu gov net org
.lk ac assn co com edu gov grp hotel int ltd net ngo org sch soc web
.lr ac co com edu gov net org
.ls ac biz co com edu gov info net org sc
.lt ac co com edu gov net org
.lu ac co com edu gov net org
.lv ac asn co com conf edu gov id mil net org
.ly ac co com edu gov id med net org plc sch
.ma ac co com edu gov net org press
.mc ac asso co com edu gov net org tm
.md ac co com edu gov net org
.me ac co com edu gov its net org priv
.mg ac co com edu gov mil net nom org prd
.mh ac co com edu gov net org
.mk ac co com edu gov inf name net org
.ml ac co com edu gouv gov net org presse
.mm  ac co com edu gov net org
.mn ac co com edu gov net org
.mo ac co com edu gov net org
.mom ind
.mp ac co com edu gov net org
.mq ac co com edu gov net org
.mr ac co com edu gov net org
.ms ac co com edu gov net org
.mt ac co com edu gov net org
.mu ac co com edu gov net or org
.mv ac aero biz co com coop edu gov info int mil museum name net org pro
.mw ac biz co com coop edu gov int net org
.mx ac co com edu gob gov net org
.my ac biz co com edu gov mil name net org
.mz ac adv co com edu gov mil net org
.na ac alt co com edu gov net org
.nc ac asso co com edu gov net nom org
.ne ac co com edu gov net org
.net gb hu in jp se uk za
.network co
.nf ac arts co com edu firm gov info net org other per rec store web
.ng ac biz co col com edu firm gen gov i ltd mil mobi name net ngo org plc sch
.ni ac biz co com edu gob gov in info int mil net nom org web
.nl ac co com edu gov net org
.no aa aarborte ac aejrie afjord agdenes ah aknoluokta akrehamn al alaheadju alesund algard alstahaug alta alvdal amli amot andasuolo andebu andoy ardal aremark arendal arna aseral asker askim askoy askvoll asnes aukra aure aurland aurskog-holand austevoll austrheim averoy badaddja bahcavuotna bahccavuotna baidar bajddar balat balestrand ballangen balsfjord bamble bardu barum batsfjord bearalvahki beardu beiarn berg bergen berlevag bievat bindal birkenes bjerkreim bjugn bodo bokn bomlo bremanger bronnoy bronnoysund brumunddal bryne bu budejju bygland bykle cahcesuolo co com davvenjarga davvesiida deatnu dep dielddanuorri divtasvuodna divttasvuotna donna dovre drammen drangedal drobak dyroy edu egersund eid eidfjord eidsberg eidskog eidsvoll eigersund elverum enebakk engerdal etne etnedal evenassi evenes evje-og-hornnes farsund fauske fedje fet fetsund fhs finnoy fitjar fjaler fjell fla flakstad flatanger flekkefjord flesberg flora floro fm folkebibl folldal forde forsand fosnes frana fredrikstad frogn froland frosta froya fuoisku fuossko fusa fylkesbibl fyresdal gaivuotna galsa gamvik gangaviika gaular gausdal giehtavuoatna gildeskal giske gjemnes gjerdrum gjerstad gjesdal gjovik gloppen gol gov gran grane granvin gratangen grimstad grong grue gulen guovdageaidnu ha habmer hadsel hagebostad halden halsa hamar hamaroy hammarfeasta hammerfest hapmir haram hareid harstad hasvik hattfjelldal haugesund hemne hemnes hemsedal herad hitra hjartdal hjelmeland hl hm hobol hof hokksund hol hole holmestrand holtalen honefoss hornindal horten hoyanger hoylandet hurdal hurum hvaler hyllestad ibestad idrett inderoy iveland ivgu jan-mayen jessheim jevnaker jolster jondal jorpeland kafjord karasjohka karasjok karlsoy karmoy kautokeino kirkenes klabu klepp kommune kongsberg kongsvinger kopervik kraanghke kragero kristiansand kristiansund krodsherad krokstadelva kvafjord kvalsund kvam kvanangen kvinesdal kvinnherad kviteseid kvitsoy laakesvuemie lahppi langevag lardal larvik lavagis lavangen leangaviika lebesby leikanger leirfjord leirvik leka leksvik lenvik lerdal lesja levanger lier lierne lillehammer lillesand lindas lindesnes loabat lodingen lom loppa lorenskog loten lund lunner luroy luster lyngdal lyngen malatvuopmi malselv malvik mandal marker marnardal masfjorden masoy matta-varjjat meland meldal melhus meloy meraker midsund midtre-gauldal mil mjondalen mo-i-rana moareke modalen modum molde mosjoen moskenes moss mr muosat museum naamesjevuemie namdalseid namsos namsskogan nannestad naroy narviika narvik naustdal navuotna nedre-eiker nesna nesodden nesoddtangen nesseby nesset net nissedal nittedal nl nord-aurdal nord-fron nord-odal norddal nordkapp nordre-land nordreisa nore-og-uvdal notodden notteroy nt odda of oksnes ol omasvuotna oppdal oppegard org orkanger orkdal orland orskog orsta osen oslo osoyro osteroy ostre-toten overhalla ovre-eiker oyer oygarden oystre-slidre porsanger porsangu porsgrunn priv rade radoy rahkkeravju raholt raisa rakkestad ralingen rana randaberg rauma rendalen rennebu rennesoy rindal ringebu ringerike ringsaker risor rissa rl roan rodoy rollag romsa romskog roros rost royken royrvik ruovat rygge salangen salat saltdal samnanger sandefjord sandnes sandnessjoen sandoy sarpsborg sauda sauherad sel selbu selje seljord sf siellak sigdal siljan sirdal skanit skanland skaun skedsmo skedsmokorset ski skien skierva skiptvet skjak skjervoy skodje slattum smola snaase snasa snillfjord snoasa sogndal sogne sokndal sola solund somna sondre-land songdalen sor-aurdal sor-fron sor-odal sor-varanger sorfold sorreisa sortland sorum spjelkavik spydeberg st stange stat stathelle stavanger stavern steigen steinkjer stjordal stjordalshalsen stokke stor-elvdal stord stordal storfjord strand stranda stryn sula suldal sund sunndal surnadal svalbard sveio svelvik sykkylven tana tananger time tingvoll tinn tjeldsund tjome tm tokke tolga tonsberg torsken tr trana tranby tranoy troandin trogstad tromsa tromso trondheim trysil tvedestrand tydal tynset tysfjord tysnes tysvar ullensaker ullensvang ulvik unjarga utsira va vaapste vadso vaga vagan vagsoy vaksdal valle vang vanylven vardo varggat varoy vefsn vega vegarshei vennesla verdal verran vestby vestnes vestre-slidre vestre-toten vestvagoy vevelstad vf vgs vik vikna vindafjord voagat volda voss vossevangen xn--andy-ira xn--asky-ira xn--aurskog-hland-jnb xn--avery-yua xn--bdddj-mrabd xn--bearalvhki-y4a xn--berlevg-jxa xn--bhcavuotna-s4a xn--bhccavuotna-k7a xn--bidr-5nac xn--bievt-0qa xn--bjddar-pta xn--blt-elab xn--bmlo-gra xn--bod-2na xn--brnny-wuac xn--brnnysund-m8ac xn--brum-voa xn--btsfjord-9za xn--davvenjrga-y4a xn--dnna-gra xn--drbak-wua xn--dyry-ira xn--eveni-0qa01ga xn--finny-yua xn--fjord-lra xn--fl-zia xn--flor-jra xn--frde-gra xn--frna-woa xn--frya-hra xn--ggaviika-8ya47h xn--gildeskl-g0a xn--givuotna-8ya xn--gjvik-wua xn--gls-elac xn--h-2fa xn--hbmer-xqa xn--hcesuolo-7ya35b xn--hgebostad-g3a xn--hmmrfeasta-s4ac xn--hnefoss-q1a xn--hobl-ira xn--holtlen-hxa xn--hpmir-xqa xn--hyanger-q1a xn--hylandet-54a xn--indery-fya xn--jlster-bya xn--jrpeland-54a xn--karmy-yua xn--kfjord-iua xn--klbu-woa xn--koluokta-7ya57h xn--krager-gya xn--kranghke-b0a xn--krdsherad-m8a xn--krehamn-dxa xn--krjohka-hwab49j xn--ksnes-uua xn--kvfjord-nxa xn--kvitsy-fya xn--kvnangen-k0a xn--l-1fa xn--laheadju-7ya xn--langevg-jxa xn--ldingen-q1a xn--leagaviika-52b xn--lesund-hua xn--lgrd-poac xn--lhppi-xqa xn--linds-pra xn--loabt-0qa xn--lrdal-sra xn--lrenskog-54a xn--lt-liac xn--lten-gra xn--lury-ira xn--mely-ira xn--merker-kua xn--mjndalen-64a xn--mlatvuopmi-s4a xn--mli-tla xn--mlselv-iua xn--moreke-jua xn--mosjen-eya xn--mot-tla xn--msy-ula0h xn--mtta-vrjjat-k7af xn--muost-0qa xn--nmesjevuemie-tcba xn--nry-yla5g xn--nttery-byae xn--nvuotna-hwa xn--oppegrd-ixa xn--ostery-fya xn--osyro-wua xn--porsgu-sta26f xn--rady-ira xn--rdal-poa xn--rde-ula xn--rdy-0nab xn--rennesy-v1a xn--rhkkervju-01af xn--rholt-mra xn--risa-5na xn--risr-ira xn--rland-uua xn--rlingen-mxa xn--rmskog-bya xn--rros-gra xn--rskog-uua xn--rst-0na xn--rsta-fra xn--ryken-vua xn--ryrvik-bya xn--s-1fa xn--sandnessjen-ogb xn--sandy-yua xn--seral-lra xn--sgne-gra xn--skierv-uta xn--skjervy-v1a xn--skjk-soa xn--sknit-yqa xn--sknland-fxa xn--slat-5na xn--slt-elab xn--smla-hra xn--smna-gra xn--snase-nra xn--sndre-land-0cb xn--snes-poa xn--snsa-roa xn--sr-aurdal-l8a xn--sr-fron-q1a xn--sr-odal-q1a xn--sr-varanger-ggb xn--srfold-bya xn--srreisa-q1a xn--srum-gra xn--stjrdal-s1a xn--stjrdalshalsen-sqb xn--stre-toten-zcb xn--tjme-hra xn--tnsberg-q1a xn--trany-yua xn--trgstad-r1a xn--trna-woa xn--troms-zua xn--tysvr-vra xn--unjrga-rta xn--vads-jra xn--vard-jra xn--vegrshei-c0a xn--vestvgy-ixa6o xn--vg-yiab xn--vgan-qoa xn--vgsy-qoa0j xn--vre-eiker-k8a xn--vrggt-xqad xn--vry-yla5g xn--yer-zna xn--ygarden-p1a xn--ystre-slidre-ujb
.np  ac co com edu gov net org
.nr ac biz co com edu gov info net org
.nu ac co com edu gov net org
.nz ac co com cri edu geek gen gov govt health iwi kiwi maori mil net org parliament school xn--mori-qsa
.om ac co com edu gov med museum net org pro
.org ae eu hk us za
.pa abo ac co com edu gob gov ing med net nom org sld
.pe ac co com edu gob gov mil net nom org
.pf ac co com edu gov net org
.pg  ac co com edu gov net org
.ph ac co com edu gov i mil net ngo org
.pk ac biz co com edu fam gkp gob gog gok gop gos gov net org web
.pl ac agro aid art atm augustow auto babia-gora bedzin beskidy bialowieza bialystok bielawa bielsko bieszczady biz boleslawiec bydgoszcz bytom cieszyn co com czeladz czest dlugoleka edu elblag elk gda gdansk gdynia gliwice glogow gmina gniezno gorlice gov grajewo gsm ilawa info jaworzno jelenia-gora jgora kalisz karpacz kartuzy kaszuby katowice kazimierz-dolny kepno ketrzyn klodzko kobierzyce kolobrzeg konin konskowola krakow krasnik kutno lapy lebork leczna legnica lezajsk limanowa lodz lomza lowicz lubartow lubin lublin lukow mail malbork malopolska mazowsze mazury med media miasta mielec mielno mil mragowo naklo net nieruchomosci nom nowaruda nysa olawa olecko olkusz olsztyn opoczno opole org ostroda ostroleka ostrowiec ostrowwlkp pabianice pc pila pisz plock podhale podlasie polkowice pomorskie pomorze poniatowa powiat poznan priv prochowice pruszkow przeworsk pulawy radom rawa-maz realestate rel rybnik rzeszow sanok sejny sex shop sieradz skierniewice sklep skoczow slask slupsk sopot sos sosnowiec stalowa-wola starachowice stargard suwalki swidnica swidnik swiebodzin swinoujscie szczecin szczytno szkola targi tarnobrzeg tgory tm torun tourism travel turek turystyka tychy ustka walbrzych warmia warszawa waw wegrow wielun wlocl wloclawek wodzislaw wolomin wroc wroclaw zachpomor zagan zakopane zarow zgierz zgora zgorzelec
.place co
.pm ac co com edu gov name net org
.pn ac co com edu gov net org
.pr ac biz co com edu est gov info isla name net org pro prof
.pro aaa aca acct avocat bar cpa eng jur law med recht
.ps ac co com edu gov net org plo sec
.pt ac co com edu gov int net nome org publ
.pw ac co com edu gov net org
.py ac co com coop edu gov mil net org
.qa ac co com edu gov mil name net org sch
.re ac asso co com edu gov net org
.ro ac arts co com edu firm gov info net nom nt org rec shop store tm www
.rs ac co com edu gov in net org ua
.ru ac adygeya bashkiria bir cbg co com dagestan edu gov grozny int kalmykia kustanai marine mil mordovia msk mytis nalchik net nov org pp pyatigorsk spb vladikavkaz vladimir
.rw ac co com coop edu gov mil net org
.sa ac co com edu gov med net org pub sch
.sb ac co com edu gov net org
.sc ac co com edu gov net org
.scot gov
.sd ac co com edu gov info med net org tv
.se a ac b bd brand c co com conf d e edu f fh fhsk fhv g gov h i k komforb kommunalforbund komvux l lanbib m n naturbruksgymn net o org p parti pp press r s t tm u w x y z
.sg ac co com edu gov net org
.sh ac co com edu gov mil net org
.si ac co com edu gov net org
.sj ac co com edu gov net org
.sk ac co com edu gov net org
.sl ac co com edu gov net org
.sm ac co com edu gov net org
.sn ac art co com edu gouv gov net org univ
.so ac co com edu gov me net org
.sr ac co com edu gov net org
.ss ac biz co com edu gov me net org sch
.st ac co com consulado edu embaixada gov mil net org principe saotome store
.su abkhazia ac adygeya aktyubinsk arkhangelsk armenia ashgabad azerbaijan balashov bashkiria bryansk bukhara chimkent co com dagestan east-kazakhstan edu exnet georgia gov grozny ivanovo jambyl kalmykia kaluga karacol karaganda karelia khakassia krasnodar kurgan kustanai lenug mangyshlak mordovia msk murmansk nalchik navoi net north-kazakhstan nov obninsk org penza pokrovsk sochi spb tashkent termez togliatti troitsk tselinograd tula tuva vladikavkaz vladimir vologda
.sv ac co com edu gob gov net org red
.sx ac co com edu gov net org
.sy ac co com edu gov mil net org
.sz ac co com edu gov net org
.tc ac co com edu gov net org
.td ac co com edu gov net org
.technology co
.tf ac co com edu gov net org sch
.tg ac co com edu gov net org
.th ac co com edu go gov in mi net online or org shop
.tj ac biz co com edu go gov int mil name net nic org test web
.tk ac co com edu gov net org
.tl ac co com edu gov net org
.tm ac co com edu gov mil net nom org
.tn ac co com edu ens fin gov ind info intl mincom nat net org perso tourism
.to ac co com edu gov mil net org
.tr ac av bbs bel biz co com dr edu gen gov info k12 kep mil name nc net org pol tel tsk tv web
.tt ac biz co com edu gov info mil name net org pro
.tv ac co com edu gov net org
.tw ac club co com ebiz edu game gov idv mil net org
.tz ac co com edu go gov hotel info me mil mobi ne net or org sc tv
.ua ac biz cc cherkassy cherkasy chernigov chernihiv chernivtsi chernovtsy ck cn co com cr crimea cv dn dnepropetrovsk dnipropetrovsk donetsk dp edu gov ie if in inf ivano-frankivsk kh kharkiv kharkov kherson khmelnitskiy khmelnytskyi kiev kirovograd km kr kropyvnytskyi krym ks kv kyiv lg lt ltd lugansk luhansk lutsk lv lviv mk mykolaiv net nikolaev od odesa odessa org pl poltava pp rivne rovno rv sb sebastopol sevastopol sm sumy te ternopil uz uzhgorod uzhhorod v vinnica vinnytsia vn volyn yalta zakarpattia zaporizhzhe zaporizhzhia zhitomir zhytomyr zp zt
.ug ac co com edu go gov ne net or org sc
.uk ac co com conn copro edu gov hosp ltd me net nhs org plc police
.us ac ak al ar as az ca co com ct dc de dni edu fed fl ga gov gu hi ia id il in isa kids ks ky la ma md me mi mn mo ms mt nc nd ne net ngo nh nj nm nsn nv ny oh ok or org pa pr ri sc sd tn tx ut va vi vt wa wi wv wy
.uy ac co com edu gov gub mil net org
.uz ac co com edu gov net org
.va ac co com edu gov net org
.vc ac co com edu gov gv mil net org
.ve ac arts bib co com e12 edu firm gob gov info int mil net nom org rar rec store tec web
.vg ac co com edu gov net org
.vi ac co com edu gov k12 net org
.vn ac ai angiang bacgiang backan baclieu bacninh baria-vungtau bentre binhdinh binhduong binhphuoc binhthuan biz camau cantho caobang co com daklak daknong danang dienbien dongnai dongthap edu gialai gov hagiang haiduong haiphong hanam hanoi hatinh haugiang health hoabinh hungyen id info int io khanhhoa kiengiang kontum laichau lamdong langson laocai longan namdinh name net nghean ninhbinh ninhthuan org phutho phuyen pro quangbinh quangnam quangngai quangninh quangtri soctrang sonla tayninh thaibinh thainguyen thanhhoa thanhphohochiminh thuathienhue tiengiang travinh tuyenquang vinhlong vinhphuc yenbai
.vu ac co com edu gov net org
.wf ac biz co com edu gov net org sch
.ws ac co com edu gov net org
.xn--4dbrk0ce xn--4dbgdty6c xn--5dbhl8d xn--8dbq2a xn--hebda8b
.xn--90a3ac xn--80au xn--90azh xn--c1avg xn--d1at xn--o1ac xn--o1ach
.xn--j6w193g xn--55qx5d xn--gmqw5a xn--mxtq1m xn--od0alg xn--uc0atv xn--wcvs22d
.xn--o3cw4h xn--12c1fe0br xn--12cfi8ixb8l xn--12co0c3b4eva xn--h3cuzk1di xn--m3ch0j3a xn--o3cyx2a
.xn--p1acf xn--41a xn--80aaa0cvac xn--90a1af xn--90amc xn--c1avg xn--h1ahn xn--h1aliz xn--j1adp xn--j1aef xn--j1ael8b
.ye ac co com edu gov mil net org
.yt ac co com edu gov net org
.za ac agric alt co com edu gov grondar law mil net ngo nic nis nom org school tm web
.zm ac biz co com edu gov info mil net org sch
.zw ac co com edu gov mil net org
`;
