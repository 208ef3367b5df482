/** Written by `npm run data`: change n8n/data.ts instead. */
export const PUBLIC_SUFFIXES = `
aaa
aarp
abb
abbott
abbvie
abc
able
abogado
abudhabi
ac mil
ac.at sth
academy official
accenture
accountant
accountants
aco
actor
ad
ads
adult
ae mil sch
aeg
aero accident-investigation accident-prevention aerobatic aeroclub aerodrome agents air-surveillance air-traffic-control aircraft airline airport airtraffic ambulance association author ballooning broker caa cargo catering certification championship charter civilaviation club conference consultant consulting control council crew design dgca educator emergency engine engineer entertainment equipment exchange express federation flight freight fuel gliding government groundhandling group hanggliding homebuilt insurance journal journalist leasing logistics magazine maintenance marketplace media microlight modelling navigation parachuting paragliding passenger-association pilot press production recreation repbody res research rotorcraft safety scientist services show skydiving software student taxi trader trading trainer union workinggroup works
aetna
af
afl
africa
ag nom
agakhan
agency
ai off
aig
airbus
airforce
airtel
akdn
al mil
alibaba
alipay
allfinanz
allstate
ally
alsace
alstom
am commune radio
amazon
americanexpress
americanfamily
amex
amfam
amica
amsterdam
analytics
android
anquan
anz
ao ed gv it og pb
aol
apartments
app
apple
aq
aquarelle
ar bet coop gob int mil musica mutual senasa tur
arab
aramco
archi
army
arpa e164 home in-addr ip6 iris uri urn
art
arte
as
asda
asia
associates
at biz gv info or priv
athleta
attorney
au act asn conf id nsw nt oz qld sa tas vic wa
auction
audi
audible
audio
auspost
author
auto
autos
aw
aws
ax
axa
az biz info int mil name pp pro
azure
ba mil rs
baby
baidu
banamex
band
bank
bar
barcelona
barclaycard
barclays
barefoot
bargains
baseball
basketball aus nz
bauhaus
bayern
bb biz info store tv
bbc
bbt
bbva
bcg
bcn
bd ai id info it mil sch tv
be
beats
beauty
beer
berlin
best
bestbuy
bet
bf
bg 0 1 2 3 4 5 6 7 8 9 a b c d e f g h i j k l m n o p q r s t u v w x y z
bh
bharti
bi or
bible
bid
bike
bing
bingo
bio
biz
bj africa agro architectes assur avocats eco econo info loisirs money ote restaurant resto tourism univ
black
blackfriday
blockbuster
blog
bloomberg
blue
bm
bms
bmw
bn
bnpparibas
bo academia agro arte blog bolivia ciencia cooperativa democracia deporte ecologia economia empresa gob indigena industria info int medicina mil movimiento musica natural nombre noticias patria plurinacional politica profesional pueblo revista salud tecnologia tksat transporte tv web wiki
boats
boehringer
bofa
bom
bond
boo
book
booking
bosch
bostik
boston
bot
boutique
box
br 9guacu abc adm adv agr aju am anani aparecida app arq art ato b barueri belem bet bhz bib bio blog bmd boavista bsb campinagrande campinas caxias cim cng cnt contagem coop coz cri cuiaba curitiba def des det dev ecn eco emp enf eng esp etc eti far feira flog floripa fm fnd fortal fot foz fst g12 geo ggf goiania gru imb ind inf jab jampa jdf joinville jor jus leg leilao lel log londrina macapa maceio manaus maringa mat med mil morena mp mus natal niteroi not ntr odo ong osasco palmas poa ppg pro psc psi pvh qsl radio rec recife rep ribeirao rio riobranco riopreto salvador sampa santamaria santoandre saobernardo saogonca seg sjc slg slz sorocaba srv taxi tc tec teo the tmp trd tur tv udi vet vix vlog wiki zlg
bradesco
bridgestone
broadway
broker
brother
brussels
bs
bt
build
builders
business co
buy
buzz
bv
bw
by mil of
bz za
bzh
ca ab bc gc mb nb nf nl ns nt nu on pe qc sk yk
cab
cafe
cal
call
calvinklein
cam
camera
camp
canon
capetown
capital
capitalone
car
caravan
cards
care
career
careers
cars
casa
case
cash
casino
cat
catering
catholic
cba
cbn
cbre
cc
cd
center
ceo
cern
cf
cfa
cfd
cg
ch
chanel
channel
charity
chase
chat
cheap
chintai
christmas
chrome
church
ci asso ed go gouv int or xn--aroport-bya
cipriani
circle
cisco
citadel
citi
citic
city
ck *
cl gob mil
claims
cleaning
click
clinic
clinique
clothing
cloud
club
clubmed
cm
cn ah bj cq fj gd gs gx gz ha hb he hi hk hl hn jl js jx ln mil mo nm nx qh sc sd sh sn sx tj tw xj xn--55qx5d xn--io0a7i xn--od0alg xz yn zj
co mil nom
co.im ltd plc
coach
codes
coffee
college
cologne
com africa br cn de eu gr hk it jpn mex ru sa uk us za
commbank
community
company
compare
computer
comsec
condos
construction
consulting
contact
contractors
cooking
cool
coop
corsica
country
coupon
coupons
courses
cpa
cr ed fi go or sa
credit
creditcard
creditunion
cricket
crown
crs
cruise
cruises
cu gob inf nat
cuisinella
cv id int nome publ
cw
cx
cy biz ekloges ltd mil press pro tm
cymru
cyou
cz
dad
dance
data
date
dating
datsun
day
dclk
dds
de
deal
dealer
deals
degree
delivery
dell
deloitte
delta
democrat
dental
dentist
desi
design
dev
dhl
diamonds
diet
digital
direct
directory
discount
discover
dish
diy
dj
dk biz firm reg store
dm
dnp
do art gob mil sld web
docs
doctor
dog
domains
dot
download
drive
dtv
dubai
dupont
durban
dvag
dvr
dz art asso pol soc tm
earth
eat
ec base fin gob info k12 med mil official pro
eco
edeka
edu
edu.au act catholic nsw nt qld sa tas vic wa
education co
ee aip fie lib med pri riik
eg eun info me mil name sci sport tv
email
emerck
energy
engineer
engineering
enterprises
epson
equipment
er *
ericsson
erni
es gob nom
esq
estate
et biz info name
eu
eurovision
eus
events co
example
exchange
expert
exposed
express
extraspace
fage
fail
fairwinds
faith
family
fan
fans
farm
farmers
fashion
fast
fedex
feedback
ferrari
ferrero
fi aland
fidelity
fido
film
final
finance
financial co
fire
firestone
firmdale
fish
fishing
fit
fitness
fj biz info mil name pro
fk *
flickr
flights
flir
florist
flowers
fly
fm radio
fo
foo
food
football
ford
forex
forsale
forum
foundation
fox
fr aeroport asso avocat avoues cci chambagri chirurgiens-dentistes-en-france chirurgiens-dentistes experts-comptables gouv greta huissier-justice medecin nom notaires pharmacien port prd tm veterinaire
free
fresenius
frl
frogans
frontier
ftr
fujitsu
fun
fund
furniture
futbol
fyi
ga
gal
gallery
gallo
gallup
game
games
gap
garden
gay
gb
gbiz
gd
gdn
ge pvt school
gea
gent
genting
george
gf
gg
ggee
gh mil
gi ltd mod
gift
gifts
gives
giving
gl biz
glass
gle
global
globo
gm
gmail
gmbh
gmo
gmx
gn
godaddy
gold
goldpoint
golf
goo
goodyear
goog
google
gop
got
gov
gov.au qld sa tas vic wa
gov.br ac al am ap ba ce df es go ma mg ms mt pa pb pe pi pr rj rn ro rr rs sc se sp to
gov.pl ap griw ic is kmpsp konsulat kppsp kwp kwpsp mup mw oia oirm oke oow oschr oum pa pinb piw po pr psp psse pup rzgw sa sdn sko so sr starostwo ug ugim um umig upow uppo us uw uzs wif wiih winb wios witd wiw wkz wsa wskr wsse wuoz wzmiuw zp zpisdn
gp asso mobi
gq
gr
grainger
graphics
gratis
green
gripe
grocery
group
gs
gt gob ind mil
gu guam info web
gucci
guge
guide
guitars
guru
gw
gy
hair
hamburg
hangout
haus
hbo
hdfc
hdfcbank
health
healthcare
help
helsinki
here
hermes
hiphop
hisamitsu
hitachi
hiv
hk idv inc ltd xn--55qx5d xn--ciqpn xn--gmq050i xn--gmqw5a xn--io0a7i xn--lcvr32d xn--mk0axi xn--mxtq1m xn--od0alg xn--od0aq3b xn--tn0ag xn--uc0atv xn--uc0ay4a xn--wcvs22d xn--zf0avx
hkt
hm
hn gob mil
hockey
holdings
holiday
homedepot
homegoods
homes
homesense
honda
horse
hospital
host
hosting
hot
hotels
hotmail
house
how
hr free from iz name
hsbc
ht adult art asso coop firm gouv info med perso pol pro rel shop
hu 2000 agrar bolt casino city erotica erotika film forum games hotel info ingatlan jogasz konyvelo lakas media news priv reklam sex shop sport suli szex tm tozsde utazas video
hughes
hyatt
hyundai
ibm
icbc
ice
icu
id biz desa go mil my or ponpes sch web
ie
ieee
ifm
ikano
il idf k12 muni
im tt tv
imamat
imdb
immo
immobilien
in 5g 6g ai am bihar biz business ca cn coop cs delhi dr er firm gen gujarat ind info int internet io me mil nic pg post pro res travel tv uk up us web
inc
industries
infiniti
info
ing
ink
institute
insurance
insure
int eu
international
intuit
investments
io mil nom
ipiranga
iq mil
ir id sch xn--mgba3a4f16a xn--mgba3a4fra
irish
is
ismaili
ist
istanbul
it abr abruzzo ag agrigento al alessandria alto-adige altoadige an ancona andria-barletta-trani andria-trani-barletta andriabarlettatrani andriatranibarletta ao aosta-valley aosta aostavalley aoste ap aq ar arezzo ascoli-piceno ascolipiceno asti at av avellino ba balsan-sudtirol balsan-suedtirol balsan bari barletta-trani-andria barlettatraniandria bas basilicata belluno benevento bergamo bg bi biella bl bn bo bologna bolzano-altoadige bolzano bozen-sudtirol bozen-suedtirol bozen br brescia brindisi bs bt bulsan-sudtirol bulsan-suedtirol bulsan bz ca cagliari cal calabria caltanissetta cam campania campidano-medio campidanomedio campobasso carbonia-iglesias carboniaiglesias carrara-massa carraramassa caserta catania catanzaro cb ce cesena-forli cesenaforli ch chieti ci cl cn como cosenza cr cremona crotone cs ct cuneo cz dell-ogliastra dellogliastra emilia-romagna emiliaromagna emr en enna fc fe fermo ferrara fg fi firenze florence fm foggia forli-cesena forlicesena fr friuli-v-giulia friuli-ve-giulia friuli-vegiulia friuli-venezia-giulia friuli-veneziagiulia friuli-vgiulia friuliv-giulia friulive-giulia friulivegiulia friulivenezia-giulia friuliveneziagiulia friulivgiulia frosinone fvg ge genoa genova go gorizia gr grosseto iglesias-carbonia iglesiascarbonia im imperia is isernia kr la-spezia laquila laspezia latina laz lazio lc le lecce lecco li lig liguria livorno lo lodi lom lombardia lombardy lt lu lucania lucca macerata mantova mar marche massa-carrara massacarrara matera mb mc me medio-campidano mediocampidano messina mi milan milano mn mo modena mol molise monza-brianza monza-e-della-brianza monza monzabrianza monzaebrianza monzaedellabrianza ms mt na naples napoli no novara nu nuoro og ogliastra olbia-tempio olbiatempio or oristano ot pa padova padua palermo parma pavia pc pd pe perugia pesaro-urbino pesarourbino pescara pg pi piacenza piedmont piemonte pisa pistoia pmn pn po pordenone potenza pr prato pt pu pug puglia pv pz ra ragusa ravenna rc re reggio-calabria reggio-emilia reggiocalabria reggioemilia rg ri rieti rimini rm rn ro roma rome rovigo sa salerno sar sardegna sardinia sassari savona si sic sicilia sicily siena siracusa so sondrio sp sr ss suedtirol sv ta taa taranto te tempio-olbia tempioolbia teramo terni tn to torino tos toscana tp tr trani-andria-barletta trani-barletta-andria traniandriabarletta tranibarlettaandria trapani trentin-sud-tirol trentin-sudtirol trentin-sued-tirol trentin-suedtirol trentino-a-adige trentino-aadige trentino-alto-adige trentino-altoadige trentino-s-tirol trentino-stirol trentino-sud-tirol trentino-sudtirol trentino-sued-tirol trentino-suedtirol trentino trentinoa-adige trentinoaadige trentinoalto-adige trentinoaltoadige trentinos-tirol trentinostirol trentinosud-tirol trentinosued-tirol trentinosuedtirol trentinsud-tirol trentinsudtirol trentinsued-tirol trentinsuedtirol trento treviso trieste ts turin tuscany tv ud udine umb umbria urbino-pesaro urbinopesaro va val-d-aosta val-daosta vald-aosta valle-aosta valle-d-aosta valle-daosta valleaosta valled-aosta valledaosta vallee-aoste vallee-d-aoste valleeaoste valleedaoste vao varese vb vc vda ve ven veneto venezia venice verbania vercelli verona vi vibo-valentia vibovalentia vicenza viterbo vr vs vt vv xn--balsan-sdtirol-nsb xn--bozen-sdtirol-2ob xn--bulsan-sdtirol-nsb xn--cesena-forl-mcb xn--cesenaforl-i8a xn--forl-cesena-fcb xn--forlcesena-c8a xn--sdtirol-n2a xn--trentin-sd-tirol-rzb xn--trentin-sdtirol-7vb xn--trentino-sd-tirol-c3b xn--trentino-sdtirol-szb xn--trentinosd-tirol-rzb xn--trentinosdtirol-7vb xn--trentinsd-tirol-6vb xn--trentinsdtirol-nsb xn--valle-aoste-ebb xn--valle-d-aoste-ehb xn--valleaoste-e7a xn--valledaoste-ebb
itau
itv
jaguar
java
jcb
je of
jeep
jetzt
jewelry
jio
jll
jm *
jmp
jnj
jo agri ai eng fm mil per phd sch tv
jobs
joburg
jot
joy
jp ad aichi akita aomori chiba ed ehime fukui fukuoka fukushima gifu go gr gunma hiroshima hokkaido hyogo ibaraki ishikawa iwate kagawa kagoshima kanagawa kochi kumamoto kyoto lg mie miyagi miyazaki nagano nagasaki nara ne niigata oita okayama okinawa or osaka saga saitama shiga shimane shizuoka tochigi tokushima tokyo tottori toyama wakayama xn--0trq7p7nn xn--1ctwo xn--1lqs03n xn--1lqs71d xn--2m4a15e xn--32vp30h xn--4it168d xn--4it797k xn--4pvxs xn--5js045d xn--5rtp49c xn--5rtq34k xn--6btw5a xn--6orx2r xn--7t0a264c xn--8ltr62k xn--8pvr4u xn--c3s14m xn--d5qv7z876c xn--djrs72d6uy xn--djty4k xn--efvn9s xn--ehqz56n xn--elqq16h xn--f6qx53a xn--k7yn95e xn--kbrq7o xn--klt787d xn--kltp7d xn--kltx9a xn--klty5x xn--mkru45i xn--nit225k xn--ntso0iqx3a xn--ntsq17g xn--pssu33l xn--qqqt11m xn--rht27z xn--rht3d xn--rht61e xn--rny31h xn--tor131o xn--uist22h xn--uisz3g xn--uuwu58a xn--vgu402c xn--zbx025d yamagata yamaguchi yamanashi
jpmorgan
jprs
juegos
juniper
kaufen
kddi
ke go info me mobi ne or sc
kerryhotels
kerryproperties
kfh
kg mil us
kh
ki biz info
kia
kids
kim
kindle
kitchen
kiwi
km ass asso coop gouv medecin mil nom notaires pharmaciens prd presse tm veterinaire
kn
koeln
komatsu
kosher
kp rep tra
kpmg
kpn
kr busan chungbuk chungnam daegu daejeon es gangwon go gwangju gyeongbuk gyeonggi gyeongnam hs incheon jeju jeonbuk jeonnam kg mil ms ne or pe re sc seoul ulsan
krd co edu
kred
kuokgroup
kw emb ind
ky
kyoto
kz mil
la info int per
lacaixa
lamborghini
lamer
land
landrover
lanxess
lasalle
lat
latino
latrobe
law
lawyer
lb
lc
lds
lease
leclerc
lefrak
legal
lego
lexus
lgbt
li
lidl
life
lifeinsurance
lifestyle
lighting
like
lilly
limited
limo
lincoln
link
live
living
lk assn grp hotel int ltd ngo sch soc web
llc
llp
loan
loans
locker
locus
lol
london
lotte
lotto
love
lpl
lplfinancial
lr
ls biz info sc
lt
ltd
ltda
lu
lundbeck
luxe
luxury
lv asn conf id mil
ly id med plc sch
ma press
madrid
maif
maison
makeup
man
management
mango
map
market
marketing
markets
marriott
marshalls
mattel
mba
mc asso tm
mckinsey
md
me its priv
med
media
meet
melbourne
meme
memorial
men
menu
merckmsd
mg mil nom prd
mh
mi.us ann-arbor cog dst eaton gen mus tec washtenaw
miami
microsoft
mil
mini
mint
mit
mitsubishi
mk inf name
ml gouv presse
mlb
mls
mm *
mma
mn
mo
mobi
mobile
moda
moe
moi
mom ind
monash
money
monster
mormon
mortgage
moscow
moto
motorcycles
mov
movie
mp
mq
mr
ms
msd
mt
mtn
mtr
mu or
museum
music
mv aero biz coop info int mil museum name pro
mw biz coop int
mx gob
my biz mil name
mz adv mil
na alt
nab
nagoya
name
navy
nba
nc asso nom
nc.tr gov
ne
nec
net gb hu in jp se uk za
netbank
netflix
network co
neustar
new
news
next
nextdirect
nexus
nf arts firm info other per rec store web
nfl
ng biz col firm gen i ltd mil mobi name ngo plc sch
ngo
nhk
ni biz gob in info int mil nom web
nico
nike
nikon
ninja
nissan
nissay
nl
no aa aarborte aejrie afjord agdenes ah aknoluokta akrehamn al alaheadju alesund algard alstahaug alta alvdal amli amot andasuolo andebu andoy ardal aremark arendal arna aseral asker askim askoy askvoll asnes aukra aure aurland aurskog-holand austevoll austrheim averoy badaddja bahcavuotna bahccavuotna baidar bajddar balat balestrand ballangen balsfjord bamble bardu barum batsfjord bearalvahki beardu beiarn berg bergen berlevag bievat bindal birkenes bjerkreim bjugn bodo bokn bomlo bremanger bronnoy bronnoysund brumunddal bryne bu budejju bygland bykle cahcesuolo davvenjarga davvesiida deatnu dep dielddanuorri divtasvuodna divttasvuotna donna dovre drammen drangedal drobak dyroy egersund eid eidfjord eidsberg eidskog eidsvoll eigersund elverum enebakk engerdal etne etnedal evenassi evenes evje-og-hornnes farsund fauske fedje fet fetsund fhs finnoy fitjar fjaler fjell fla flakstad flatanger flekkefjord flesberg flora floro fm folkebibl folldal forde forsand fosnes frana fredrikstad frogn froland frosta froya fuoisku fuossko fusa fylkesbibl fyresdal gaivuotna galsa gamvik gangaviika gaular gausdal giehtavuoatna gildeskal giske gjemnes gjerdrum gjerstad gjesdal gjovik gloppen gol gran grane granvin gratangen grimstad grong grue gulen guovdageaidnu ha habmer hadsel hagebostad halden halsa hamar hamaroy hammarfeasta hammerfest hapmir haram hareid harstad hasvik hattfjelldal haugesund hemne hemnes hemsedal herad hitra hjartdal hjelmeland hl hm hobol hof hokksund hol hole holmestrand holtalen honefoss hornindal horten hoyanger hoylandet hurdal hurum hvaler hyllestad ibestad idrett inderoy iveland ivgu jan-mayen jessheim jevnaker jolster jondal jorpeland kafjord karasjohka karasjok karlsoy karmoy kautokeino kirkenes klabu klepp kommune kongsberg kongsvinger kopervik kraanghke kragero kristiansand kristiansund krodsherad krokstadelva kvafjord kvalsund kvam kvanangen kvinesdal kvinnherad kviteseid kvitsoy laakesvuemie lahppi langevag lardal larvik lavagis lavangen leangaviika lebesby leikanger leirfjord leirvik leka leksvik lenvik lerdal lesja levanger lier lierne lillehammer lillesand lindas lindesnes loabat lodingen lom loppa lorenskog loten lund lunner luroy luster lyngdal lyngen malatvuopmi malselv malvik mandal marker marnardal masfjorden masoy matta-varjjat meland meldal melhus meloy meraker midsund midtre-gauldal mil mjondalen mo-i-rana moareke modalen modum molde mosjoen moskenes moss mr muosat museum naamesjevuemie namdalseid namsos namsskogan nannestad naroy narviika narvik naustdal navuotna nedre-eiker nesna nesodden nesoddtangen nesseby nesset nissedal nittedal nl nord-aurdal nord-fron nord-odal norddal nordkapp nordre-land nordreisa nore-og-uvdal notodden notteroy nt odda of oksnes ol omasvuotna oppdal oppegard orkanger orkdal orland orskog orsta osen oslo osoyro osteroy ostre-toten overhalla ovre-eiker oyer oygarden oystre-slidre porsanger porsangu porsgrunn priv rade radoy rahkkeravju raholt raisa rakkestad ralingen rana randaberg rauma rendalen rennebu rennesoy rindal ringebu ringerike ringsaker risor rissa rl roan rodoy rollag romsa romskog roros rost royken royrvik ruovat rygge salangen salat saltdal samnanger sandefjord sandnes sandnessjoen sandoy sarpsborg sauda sauherad sel selbu selje seljord sf siellak sigdal siljan sirdal skanit skanland skaun skedsmo skedsmokorset ski skien skierva skiptvet skjak skjervoy skodje slattum smola snaase snasa snillfjord snoasa sogndal sogne sokndal sola solund somna sondre-land songdalen sor-aurdal sor-fron sor-odal sor-varanger sorfold sorreisa sortland sorum spjelkavik spydeberg st stange stat stathelle stavanger stavern steigen steinkjer stjordal stjordalshalsen stokke stor-elvdal stord stordal storfjord strand stranda stryn sula suldal sund sunndal surnadal svalbard sveio svelvik sykkylven tana tananger time tingvoll tinn tjeldsund tjome tm tokke tolga tonsberg torsken tr trana tranby tranoy troandin trogstad tromsa tromso trondheim trysil tvedestrand tydal tynset tysfjord tysnes tysvar ullensaker ullensvang ulvik unjarga utsira va vaapste vadso vaga vagan vagsoy vaksdal valle vang vanylven vardo varggat varoy vefsn vega vegarshei vennesla verdal verran vestby vestnes vestre-slidre vestre-toten vestvagoy vevelstad vf vgs vik vikna vindafjord voagat volda voss vossevangen xn--andy-ira xn--asky-ira xn--aurskog-hland-jnb xn--avery-yua xn--bdddj-mrabd xn--bearalvhki-y4a xn--berlevg-jxa xn--bhcavuotna-s4a xn--bhccavuotna-k7a xn--bidr-5nac xn--bievt-0qa xn--bjddar-pta xn--blt-elab xn--bmlo-gra xn--bod-2na xn--brnny-wuac xn--brnnysund-m8ac xn--brum-voa xn--btsfjord-9za xn--davvenjrga-y4a xn--dnna-gra xn--drbak-wua xn--dyry-ira xn--eveni-0qa01ga xn--finny-yua xn--fjord-lra xn--fl-zia xn--flor-jra xn--frde-gra xn--frna-woa xn--frya-hra xn--ggaviika-8ya47h xn--gildeskl-g0a xn--givuotna-8ya xn--gjvik-wua xn--gls-elac xn--h-2fa xn--hbmer-xqa xn--hcesuolo-7ya35b xn--hgebostad-g3a xn--hmmrfeasta-s4ac xn--hnefoss-q1a xn--hobl-ira xn--holtlen-hxa xn--hpmir-xqa xn--hyanger-q1a xn--hylandet-54a xn--indery-fya xn--jlster-bya xn--jrpeland-54a xn--karmy-yua xn--kfjord-iua xn--klbu-woa xn--koluokta-7ya57h xn--krager-gya xn--kranghke-b0a xn--krdsherad-m8a xn--krehamn-dxa xn--krjohka-hwab49j xn--ksnes-uua xn--kvfjord-nxa xn--kvitsy-fya xn--kvnangen-k0a xn--l-1fa xn--laheadju-7ya xn--langevg-jxa xn--ldingen-q1a xn--leagaviika-52b xn--lesund-hua xn--lgrd-poac xn--lhppi-xqa xn--linds-pra xn--loabt-0qa xn--lrdal-sra xn--lrenskog-54a xn--lt-liac xn--lten-gra xn--lury-ira xn--mely-ira xn--merker-kua xn--mjndalen-64a xn--mlatvuopmi-s4a xn--mli-tla xn--mlselv-iua xn--moreke-jua xn--mosjen-eya xn--mot-tla xn--msy-ula0h xn--mtta-vrjjat-k7af xn--muost-0qa xn--nmesjevuemie-tcba xn--nry-yla5g xn--nttery-byae xn--nvuotna-hwa xn--oppegrd-ixa xn--ostery-fya xn--osyro-wua xn--porsgu-sta26f xn--rady-ira xn--rdal-poa xn--rde-ula xn--rdy-0nab xn--rennesy-v1a xn--rhkkervju-01af xn--rholt-mra xn--risa-5na xn--risr-ira xn--rland-uua xn--rlingen-mxa xn--rmskog-bya xn--rros-gra xn--rskog-uua xn--rst-0na xn--rsta-fra xn--ryken-vua xn--ryrvik-bya xn--s-1fa xn--sandnessjen-ogb xn--sandy-yua xn--seral-lra xn--sgne-gra xn--skierv-uta xn--skjervy-v1a xn--skjk-soa xn--sknit-yqa xn--sknland-fxa xn--slat-5na xn--slt-elab xn--smla-hra xn--smna-gra xn--snase-nra xn--sndre-land-0cb xn--snes-poa xn--snsa-roa xn--sr-aurdal-l8a xn--sr-fron-q1a xn--sr-odal-q1a xn--sr-varanger-ggb xn--srfold-bya xn--srreisa-q1a xn--srum-gra xn--stjrdal-s1a xn--stjrdalshalsen-sqb xn--stre-toten-zcb xn--tjme-hra xn--tnsberg-q1a xn--trany-yua xn--trgstad-r1a xn--trna-woa xn--troms-zua xn--tysvr-vra xn--unjrga-rta xn--vads-jra xn--vard-jra xn--vegrshei-c0a xn--vestvgy-ixa6o xn--vg-yiab xn--vgan-qoa xn--vgsy-qoa0j xn--vre-eiker-k8a xn--vrggt-xqad xn--vry-yla5g xn--yer-zna xn--ygarden-p1a xn--ystre-slidre-ujb
nokia
nom.br *
norton
now
nowruz
nowtv
np *
nr biz info
nra
nrw
ntt
nu
nyc
nz cri geek gen govt health iwi kiwi maori mil parliament school xn--mori-qsa
obi
observer
office
okinawa
olayan
olayangroup
ollo
om med museum pro
omega
one
ong
onl
online
ooo
open
oracle
orange
org ae eu hk us za
organic
origins
osaka
otsuka
ott
ovh
pa abo gob ing med nom sld
page
panasonic
paris
pars
partners
parts
party
pay
pccw
pe gob mil nom
pet
pf
pfizer
pg *
ph i mil ngo
pharmacy
phd
philips
phone
photo
photography
photos
physio
pics
pictet
pictures
pid
pin
ping
pink
pioneer
pizza
pk biz fam gkp gob gog gok gop gos web
pl agro aid art atm augustow auto babia-gora bedzin beskidy bialowieza bialystok bielawa bieszczady biz boleslawiec bydgoszcz bytom cieszyn czeladz czest dlugoleka elblag elk glogow gmina gniezno gorlice grajewo gsm ilawa info jaworzno jelenia-gora jgora kalisz karpacz kartuzy kaszuby katowice kazimierz-dolny kepno ketrzyn klodzko kobierzyce kolobrzeg konin konskowola kutno lapy lebork legnica lezajsk limanowa lomza lowicz lubin lukow mail malbork malopolska mazowsze mazury med media miasta mielec mielno mil mragowo naklo nieruchomosci nom nowaruda nysa olawa olecko olkusz olsztyn opoczno opole ostroda ostroleka ostrowiec ostrowwlkp pc pila pisz podhale podlasie polkowice pomorskie pomorze powiat priv prochowice pruszkow przeworsk pulawy radom rawa-maz realestate rel rybnik rzeszow sanok sejny sex shop sklep skoczow slask slupsk sos sosnowiec stalowa-wola starachowice stargard suwalki swidnica swiebodzin swinoujscie szczecin szczytno szkola targi tarnobrzeg tgory tm tourism travel turek turystyka tychy ustka walbrzych warmia warszawa waw wegrow wielun wlocl wloclawek wodzislaw wolomin wroclaw zachpomor zagan zarow zgora zgorzelec
place co
play
playstation
plumbing
plus
pm name
pn
pnc
pohl
poker
politie
porn
post
pr biz est info isla name pro prof
praxi
press
prime
pro aaa aca acct avocat bar cpa eng jur law med recht
prod
productions
prof
progressive
promo
properties
property
protection
pru
prudential
ps plo sec
pt int nome publ
pub
pw
pwc
py coop mil
qa mil name sch
qpon
quebec
quest
racing
radio
re asso
read
realestate
realtor
realty
recipes
red
redumbrella
rehab
reise
reisen
reit
reliance
ren
rent
rentals
repair
report
republican
rest
restaurant
review
reviews
rexroth
rich
richardli
ricoh
ril
rio
rip
ro arts firm info nom nt rec shop store tm www
rocks
rodeo
rogers
room
rs in ua
rsvp
ru int pp
rugby
ruhr
run
rw coop mil
rwe
ryukyu
sa med pub sch
saarland
safe
safety
sakura
sale
salon
samsclub
samsung
sandvik
sandvikcoromant
sanofi
sap
sarl
sas
save
saxo
sb
sbi
sbs
sc
scb
sch.uk *
schaeffler
schmidt
scholarships
school
schule
schwarz
science
scot gov
sd info med tv
se a b bd brand c conf d e f fh fhsk fhv g h i k komforb kommunalforbund komvux l lanbib m n naturbruksgymn o p parti pp press r s t tm u w x y z
search
seat
secure
security
seek
select
sener
services
seven
sew
sex
sexy
sfr
sg
sh mil
shangrila
sharp
shell
shia
shiksha
shoes
shop
shopping
shouji
show
si
silk
sina
singles
site
sj
sk
ski
skin
sky
skype
sl
sling
sm
smart
smile
sn art gouv univ
sncf
so me
soccer
social
softbank
software
sohu
solar
solutions
song
sony
soy
spa
space
sport
spot
sr
srl
ss biz me sch
st consulado embaixada mil principe saotome store
stada
staples
star
statebank
statefarm
stc
stcgroup
stockholm
storage
store
stream
studio
study
style
su
sucks
supplies
supply
support
surf
surgery
suzuki
sv gob red
swatch
swiss
sx
sy mil
sydney
systems
sz
tab
taipei
talk
taobao
target
tatamotors
tatar
tattoo
tax
taxi
tc
tci
td
tdk
team
tech
technology co
tel
temasek
tennis
teva
tf sch
tg
th go in mi online or shop
thd
theater
theatre
tiaa
tickets
tienda
tips
tires
tirol
tj biz go int mil name nic test web
tjmaxx
tjx
tk
tkmaxx
tl
tm mil nom
tmall
tn ens fin ind info intl mincom nat perso tourism
to mil
today
tokyo
tools
top
toray
toshiba
total
tours
town
toyota
toys
tr av bbs bel biz dr gen info k12 kep mil name nc pol tel tsk tv web
trade
trading
training
travel
travelers
travelersinsurance
trust
trv
tt biz info mil name pro
tube
tui
tunes
tushu
tv
tvs
tw club ebiz game idv mil
tz go hotel info me mil mobi ne or sc tv
ua biz cc cherkassy cherkasy chernigov chernihiv chernivtsi chernovtsy ck cn cr crimea cv dn dnepropetrovsk dnipropetrovsk donetsk dp ie if in inf ivano-frankivsk kh kharkiv kharkov kherson khmelnitskiy khmelnytskyi kiev kirovograd km kr kropyvnytskyi krym ks kv kyiv lg lt ltd lugansk luhansk lutsk lv lviv mk mykolaiv nikolaev od odesa odessa pl poltava pp rivne rovno rv sb sebastopol sevastopol sm sumy te ternopil uz uzhgorod uzhhorod v vinnica vinnytsia vn volyn yalta zakarpattia zaporizhzhe zaporizhzhia zhitomir zhytomyr zp zt
ubank
ubs
ug go ne or sc
uk conn copro hosp ltd me nhs plc police
unicom
university
uno
uol
ups
us ak al ar as az ca ct dc de dni fed fl ga gu hi ia id il in isa kids ks ky la ma md me mi mn mo ms mt nc nd ne ngo nh nj nm nsn nv ny oh ok or pa pr ri sc sd tn tx ut va vi vt wa wi wv wy
uy gub mil
uz
va
vacations
vana
vanguard
vc gv mil
ve arts bib e12 firm gob info int mil nom rar rec store tec web
vegas
ventures
verisign
versicherung
vet
vg
vi k12
viajes
video
vig
viking
villas
vin
vip
virgin
visa
vision
viva
vivo
vlaanderen
vn ai angiang bacgiang backan baclieu bacninh baria-vungtau bentre binhdinh binhduong binhphuoc binhthuan biz camau cantho caobang daklak daknong danang dienbien dongnai dongthap gialai hagiang haiduong haiphong hanam hanoi hatinh haugiang health hoabinh hungyen id info int io khanhhoa kiengiang kontum laichau lamdong langson laocai longan namdinh name nghean ninhbinh ninhthuan phutho phuyen pro quangbinh quangnam quangngai quangninh quangtri soctrang sonla tayninh thaibinh thainguyen thanhhoa thanhphohochiminh thuathienhue tiengiang travinh tuyenquang vinhlong vinhphuc yenbai
vodka
volvo
vote
voting
voto
voyage
vu
wales
walmart
walter
wang
wanggou
watch
watches
weather
weatherchannel
webcam
weber
website
wed
wedding
weibo
weir
wf biz sch
whoswho
wien
wiki
williamhill
win
windows
wine
winners
wme
wolterskluwer
woodside
work
works
world
wow
ws
wtc
wtf
xbox
xerox
xihuan
xin
xn--11b4c3d
xn--1ck2e1b
xn--1qqw23a
xn--2scrj9c
xn--30rr7y
xn--3bst00m
xn--3ds443g
xn--3e0b707e
xn--3hcrj9c
xn--3pxu8k
xn--42c2d9a
xn--45br5cyl
xn--45brj9c
xn--45q11c
xn--4dbrk0ce xn--4dbgdty6c xn--5dbhl8d xn--8dbq2a xn--hebda8b
xn--4gbrim
xn--54b7fta0cc
xn--55qw42g
xn--55qx5d
xn--5su34j936bgsg
xn--5tzm5g
xn--6frz82g
xn--6qq986b3xl
xn--80adxhks
xn--80ao21a
xn--80aqecdr1a
xn--80asehdb
xn--80aswg
xn--8y0a063a
xn--90a3ac xn--80au xn--90azh xn--c1avg xn--d1at xn--o1ac xn--o1ach
xn--90ae
xn--90ais
xn--9dbq2a
xn--9et52u
xn--9krt00a
xn--b4w605ferd
xn--bck1b9a5dre4c
xn--c1avg
xn--c2br7g
xn--cck2b3b
xn--cckwcxetd
xn--cg4bki
xn--clchc0ea0b2g2a9gcd
xn--czr694b
xn--czrs0t
xn--czru2d
xn--d1acj3b
xn--d1alf
xn--e1a4c
xn--eckvdtc9d
xn--efvy88h
xn--fct429k
xn--fhbei
xn--fiq228c5hs
xn--fiq64b
xn--fiqs8s
xn--fiqz9s
xn--fjq720a
xn--flw351e
xn--fpcrj9c3d
xn--fzc2c9e2c
xn--fzys8d69uvgm
xn--g2xx48c
xn--gckr3f0f
xn--gecrj9c
xn--gk3at1e
xn--h2breg3eve
xn--h2brj9c
xn--h2brj9c8c
xn--hxt814e
xn--i1b6b1a6a2e
xn--imr513n
xn--io0a7i
xn--j1aef
xn--j1amh
xn--j6w193g xn--55qx5d xn--gmqw5a xn--mxtq1m xn--od0alg xn--uc0atv xn--wcvs22d
xn--jlq480n2rg
xn--jvr189m
xn--kcrx77d1x4a
xn--kprw13d
xn--kpry57d
xn--kput3i
xn--l1acc
xn--lgbbat1ad8j
xn--mgb9awbf
xn--mgba3a3ejt
xn--mgba3a4f16a
xn--mgba7c0bbn0a
xn--mgbaam7a8h
xn--mgbab2bd
xn--mgbah1a3hjkrd
xn--mgbai9azgqp6j
xn--mgbayh7gpa
xn--mgbbh1a
xn--mgbbh1a71e
xn--mgbc0a9azcg
xn--mgbca7dzdo
xn--mgbcpq6gpa1a
xn--mgberp4a5d4ar
xn--mgbgu82a
xn--mgbi4ecexp
xn--mgbpl2fh
xn--mgbt3dhd
xn--mgbtx2b
xn--mgbx4cd0ab
xn--mix891f
xn--mk1bu44c
xn--mxtq1m
xn--ngbc5azd
xn--ngbe9e0a
xn--ngbrx
xn--node
xn--nqv7f
xn--nqv7fs00ema
xn--nyqy26a
xn--o3cw4h xn--12c1fe0br xn--12cfi8ixb8l xn--12co0c3b4eva xn--h3cuzk1di xn--m3ch0j3a xn--o3cyx2a
xn--ogbpf8fl
xn--otu796d
xn--p1acf xn--41a xn--80aaa0cvac xn--90a1af xn--90amc xn--c1avg xn--h1ahn xn--h1aliz xn--j1adp xn--j1aef xn--j1ael8b
xn--p1ai
xn--pgbs0dh
xn--pssy2u
xn--q7ce6a
xn--q9jyb4c
xn--qcka1pmc
xn--qxa6a
xn--qxam
xn--rhqv96g
xn--rovu88b
xn--rvc1e0am3e
xn--s9brj9c
xn--ses554g
xn--t60b56a
xn--tckwe
xn--tiq49xqyj
xn--unup4y
xn--vermgensberater-ctb
xn--vermgensberatung-pwb
xn--vhquv
xn--vuq861b
xn--w4r85el8fhu5dnra
xn--w4rs40l
xn--wgbh1c
xn--wgbl6a
xn--xhq521b
xn--xkc2al3hye2a
xn--xkc2dl3a5ee0h
xn--y9a3aq
xn--yfro4i67o
xn--ygbi2ammx
xn--zfr164b
xxx
xyz
yachts
yahoo
yamaxun
yandex
ye mil
yodobashi
yoga
yokohama
you
youtube
yt org
yun
za agric alt grondar law mil ngo nic nis nom school tm web
zappos
zara
zero
zip
zm biz info mil sch
zone
zuerich
zw mil
`;
