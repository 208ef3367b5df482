/** Written by `npm run data`: change n8n/data.ts instead. */
export const MAIL_PROVIDERS = `
 aol gmx hotmail live outlook protonmail tiscali wanadoo yahoo
.126.com vip
.21cn.com vip
.33mail.com whtjddn
.ae eim
.am 88 i
.arnes.si guest
.as mailbox sent
.at aon centermail chello drei forfree inode kabsi kitznet liwest net4you partynight sent sms spl utanet vol
.att.net worldnet
.austria.com mail
.az box mail
.be advalvas brutele calidifontain digibel edpnet freegates golfmail mail net-c pandora perso proximus scarlet skynet telenet voo
.bg abv arcotronics dir lex mail orbitel
.biz coid email reallyfast urgentmail veryfast
.bo entelnet
.br cool
.buffetti.it pec
.bulgaria.com mail
.by tut
.byte.it mail
.c3.hu freemail
.ca cgocable cogeco coolgoose eastlink fastmail net-c primus shaw sympatico videotron webcity xplornet
.cat net-c
.cc airmail alexandria eml fastest imap moldova postfach wiz
.ch bluemail bluewin dplanet freesurf hispeed netplus postino sunrise swissonline tiscalinet vtxnet
.citiz.net vip vnet
.cl 123mail atina terra
.cloudns.cc i6
.cn 189 fastmail msn sina trimix wormseo
.co mailchoose
.co.cr racsa
.co.il actcom intermail walla
.co.in ttml
.co.jp excite press
.co.nz actrix farmside ihug kinect maxnet slingshot vodafone woosh xtra
.co.th loxinfo truemail
.co.uk 123qwe 2bmail abbeyroadlondon blueyonder btopenworld dogmail email-london fastmail fetchmail fmail force9 freeserve freeukisp freezone fsbusiness gaybrighton gofree imposter looksmart lycos maxmail netscapeonline o2 postmaster scottishmail tinyworld topgamers ukonline uku velnet zzom
.co.yu webmail
.co.za absamail ananzi classicmail cybersmart eastcoast eramail fnbmail highveldmail intekom jmail kayafmmail magicmail mail mailbox mighty mweb netactive polka technisamail tsamail vodamail wam webmail websurfer worldonline yebo
.com 11mail 123 123india 126 139 150mail 150ml 15meg4free 163 16mail 188 1coolplace 1freeemail 1funplace 1internetdrive 1mum 1musicrow 1netdrive 1nsyncfan 1under 1webave 1webhighway 212 24horas 2980 2d2i 2die4 2trom 30minutesmail 3126 321media 37 3ammagazine 3dmail 3email 4email 4mg 4newyork 4x4man 50mail 97rock 99 abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk accessgcc accountant acdcfan activist address adexec adfarrow adrenalinefreak aemail4u aeneasmail afreeinternet africamail agoodmail aim aircraftmail airforceemail airtelmail ajacied albawaba alex4all alibaba aliyun allergist alloymail allracing allsaintsfan altavista alternativagratis alumni alumnidirector amele amnetsal amuromail anfmail angelfire angelic animalhouse anjungcafe annsmail anote another anotherwin95 antisocial anymoment anytimenow apexmail apmail archaeologist arcticmail artlover asiafind asianavenue asiancityweb assala assamesemail astroboymail astrolover astrosfan asurfer atheist atlaswebmail atozasia attymail au ausi australiamail axoskate ayna azimiweb bachelorboy bachelorgal backpackers backstreetboysclub bangkok2000 baptistmail baptized baseballmail basketballmail bcvibes beeebank beenhad beethoven belizehome bharatmail bigassweb bigboab bigfoot bigger biggerbadder bigmailbox bigpond bigramp bikemechanics bikeracer bikerider billsfan birdlover bisons bitmail bizhosting blackburnmail blackplanet blader blazemail blockfilter bluebottle bluehyppo bluesfan blushmail boardermail boatracers bolando bollywoodz boltonfans bombdiggity bootmail bornnaked bostonoffice boxbg boxemail boxfrog boyzoneclub bradfordfans brazilmail breathe briefemail britneyclub brokenvalve brusseler bsdmail btinternet btopenworld buffymail bullsfan bullsgame buryfans buyersusa bvimailbox c4 cabacabana cairomail californiamail callnetuk camidge canadianmail canoemail canwetalk caramail careerbuildermail casellapec cash4u cashette catcha catchamail catlover cd2 celineclub celtic certifiedmail chaiyomail chance2mail charmedmail chattown chauhanweb check check1check cheerful chek chemist chequemail cheyenneweb chez chickmail china chinamail chol churchusa cicciociccio claramail classicalfan cliffhanger clubalfa clubducati clubnetnoir cluemail cmpmail cnnsimail coldmail collegeclub collegemail columbusrr columnist comic communityconnect comprendemail compuserve computer4u conexcol conk connectbox consultant cookiemonster coolgoose coolkiwi coollist coolmail coolsend cooooool cornells cornerpub corporatedirtbag cortinet counsellor countrylover cox crazedanddazed crazysexycool cristianemail critterpost croeso crosshairs crwmail cry4helponline cs ctimail cuemail cuteandcuddly cutey cyber4all cyberbabies cyberdude cybergal cybergrrl cyberinbox cyberleports cyberservices cyclefanz cynetcity dadacasa daha dallasmail dansegulvet dartybox data54 dawnsonmail dawsonmail dazedandconfused dbzmail dearriba deliveryman depechemode deseretmail desertmail desilota deskpilot devotedcouples dfwatson di-ve diplomats directbox dirtracer disciples discofan discoverymail disposable dmailman doctor dogit doglover doneasy donjuan dontgotmail dontmesswithtexas doramail dostmail dr dreamwiz dropzone dubaimail duck dumpmail dunlopdriver dunloprider duno dutchmail dygo dynamitemail earthalliance earthdome eastmail easypost ecardmail echina ecompare edmail edtnmail ehmail elsitio elvis elvisfan email emailacc emailaccount emailchoice emailem emailit emailpinoy emailplanet ematic embarqmail empal engineer englandmail epatra eqqu eresmas etoast etrademail eudoramail europe europemail euroseek excite execs expressasia extended eyou ezcybersearch ezrs facebook falseaddress fan fansonlymail fantasticmail faroweb fastem fastemailer fastermail fastimap fastmail fastmessaging fastservice felicitymail femenino feyenoorder ffanet fiberia filipinolinks financier findmail finebody fishfuse flashmail flipcode fmailbox fmgirl fmguy fnmail folkfan foodmail footballmail forpresident fortuncity fortunecity foxmail freeaccount freeandsingle freedomlover freeghana freeola freeuk freewebemail freeyellow fresnomail friendsfan fromru frontier fullmail funkfan fuorissimo fwnb fxsmails galaxy5 galaxyhit gamegeek gamespotmail gardener geecities geek geeklife gencmail geocities geologist geopia germanymail ghanamail ghostmail girl4god givepeaceachance globalpagan globo globomail gmail go go2net gocollege gocubs golfemail goodnewsmail goodstick googlemail goplay gospelfan gotomy grapplers gratisweb groupmail grungecafe guessmail guy guy2 guyanafriends gyorsposta hackermail hanafos handleit happemail happycounsel happypuppy hardcorefreak hargray heartthrob heerschap hehe herediano herono1 hey highmilton highquality hilarious hiphopfan hispavista hitmail hkstar hkstarphoto hockeymail hollywoodkids homemail homestead hoopsmail horrormail hotbot hotbrev hotletter hotpop3 hotvoice housemail hunsa hurting hush hushmail hypernautica i-france i12 iafrica iamawoman iamwaiting iamwasted iamyours icestorm icloud icq icqmail icrazy ididitmyway idigjesus idirect ifoward ignmail ihateclowns ijustdontcare ilkposta ilovechocolate ilovejesus imaginemail imailbox imneverwrong imstressed imtoosexy in2jesus iname inbox incamail incredimail indiatimes indocities indomail indyracers inerted infinitummail info66 infonegocio infospacemail inmail24 inmano innocent inorbit inoutbox instruction insurer interburp internetbiz internetdrive internetegypt iobox iowaemail ip3 iqemail iraqmail irelandmail iservejesus isleuthmail isonfire israelmail italymail itloox itmom ivebeenframed ivillage iwmail iwon izadpanah jahoopa jaydemail jazzandjava jazzfan jazzgame jerusalemmail job4u joinme jokes jordanmail journalist joymail jpopmail jump juniormail junkmail juno justicemail kaazoo kaffeeschluerfer kaixo kakao kalpoint kapoorweb karachian karachioye karbasi katamail kbjrmail kcks kellychen keromail keyemail kickassmail killermail kimo kissfans kittymail kiwibox kiwitown konx korea koreamail krongthip krunis ksanmail ksee24mail kube93mail kukamail kumarweb lagerlouts lahoreoye lakmail lankamail latemodels latinmail lavache lawyer legalactions legislator levele liberomail lick101 linkmaster linktrader linuxfreemail listomail littleapple littleblueroom liverpoolfans lobbyist localbar locos looksmart lopezclub louiskoo loveable lovecat lovefootball lovemail lovergirl lovethebroncos lovethecowboys lovingjesus lowandslow luukku lycos lycosmail mac macbox macfreak machinecandy macmail madasafish madcreations madonnafan maennerversteherin mahmoodweb mail mail15 mail3000 mailandftp mailandnews mailas mailasia mailbolt mailboom mailcan mailcc mailcity mailexcite mailfence mailftp mailhaven mailhood mailinblack mailingweb mailisent mailite mailmight mailnew mailops mailoye mailpanda mailpokemon mailpride mailpuppy mailroom mailru mailshuttle mailstart mailstartplus mailsurf mailtag mailwire maktoob maltesemail mantrafreenet mantramail mantraonline marchmail mariahc marijuana marsattack martindalemail mash4077 masrawy matmail mauimail maxleft mchsi me meetingmall megago megapoint mehtaweb mekhong melodymail meloo metacrawler metalfan metaping mexicomail mikrotamanet millionaireintraining millionairemail milmail mindless mindspring minister mittalweb mixmail mjfrogmail mobilbatam mochamail mohammed moldovacc momslife monemail moonman mortaza moscowmail mostlysunny movemail movieluver mscold msgbox msn mttestdriver mundo-r muslim muslimsonline mutantweb my mycabin mycity mycool mydomain mydotcomaddress myfamily myfastmail mygo myiris mymacmail mynamedot mynet mynetaddress myownemail myownfriends mypad mypersonalemail myplace myrealbox myremarq myself mystupidjob mythirdage myway myworldmail n2 n2baseball n2business n2mail n2soccer n2software nakedgreens nameplanet nandomail nate naver naz nchoicemail nemra1 nenter net-c netbounce netbroadcaster netcmail netcourrier netexecutive netexpressway netgenie netian netlane netlimit netmongol netpiper netralink netspeedway netsquare netster nettaxi nettemail netvigator netzero newmail newsboysmail nexxmail nfmail nicebush nicegal nicolastse nifty nightmail nikopage nimail ninfan nirvanafan noavar nonpartisan norikomail ntscan ny nybella nycmail nzoomail oath oddpost odmail offroadwarrior oicexchange oikrach okbank okhuman okmad okmagic okuk oldies104mail ole olemail omaninfo onebox onetel onlinewiz ono onobox operafan operamail optician oso otakumail outgun pacificwest packersfan pakistanmail pakistanoye palestinemail paran parkjiyoon parsmail partlycloudy parvazi passwordmail pathfindermail pcpostal pcsrock pediatrician penpen peoplepc peopleweb perfectmail personales petlover petml pettypool pezeshkpour phayze pianomail pickupman picusnet pinoymail planetaccess planetmail planetout plasa playersodds playful plus poetic pokemonpost pokepost polandmail polbox policeoffice politician poond popaccount popmail popsmail popstar portugalmail portugalnet post postaccesslite postafree postaweb postinbox pousa powerfan praize premiumservice presidency priest primehome primposta probemail proinbox project2k promessage prontomail protestant publicist purpleturtle q qatarmail qmail qprfans qq qrio quackquack quakemail qualityservice qudsmail quepasa quickhosts quickwebmail quiklinks quikmail r7 raakim racedriver racefanz racingmail radicalz ragingbull ralib ranmamail ravearena ravemail razormail rcn realradiomail realtyagent reborn recyclermail rediff rediffmail rediffmailpro rednecks redsfans reggaefan registerednurses reincarnate religious renren repairman representative rescueteam resumemail rickymail rn roadrunner roanokemail rocketmail rocketship rockfan rodrun rogers roosh roughnet rr rrohio rsub rubyridge runbox rushpost ruttolibero sabreshockey sacbeemail safrica sailormoon saintly samerica sammimail sanfranmail sanook scandalmail schizo schoolemail schoolmail schoolsucks scifianime scotlandmail seanet searchwales sebil seckinmail seductive seekstoyboy sent sentrismail servemymail sesmail sexmagnet shaniastuff sharmaweb she shinedyoureyes shootmail shortmail shuf sialkotian sialkotoye sify sina sinamail singles4jesus singmail skafan skim sky slamdunkfan slingshot slotter smoothmail snakebite snoopymail socamail soccermail soccermomz sociologist sogou sohu solution4u soon spacemart spacetowns spainmail spameater spartapiet spazmail speedrules speedrulz spils sportemail sportsmail sporttruckdriver spymac stalag13 starmail starmedia starplace starspath startmail stoned stones stopdropandroll storksite streamyx stribmail strompost strongguy subram suhabi sunsgame supanet superdada superonline superposta surfree surimail survivormail swedenmail swiftdesk swingeasyhithard swingfan swirve swissmail switchboardmail sx172 syom syriamail t2mail takuyakimura talk21 talkcity tamil tankpolice tatanova tbwt teamdiscovery techemail techie technologist teenagedirtbag telebot telerymd telia telstra tenchiclub tenderkiss tennismail terra test thai thaimail the18th thecoolguy thecriminals thedoghousemail thedorm theglobe thegolfcourse thegooner theheadoffice theinternetemail thelanddownunder themail theplate thepokerface theraces theracetrack thestreetfighter theteebox thewatercooler thewizzard thewizzkid thirdage thisgirl thundermail tidni tkcity toast toke tom toothfairy topchat topletter topsurf torchmail torontomail trialbytrivia trmailbox tropicalstorm truckerz truckracer truckracers truthmail ttmail tunisiamail tuta tutamail tutanota tvstar twc twinstarsmail tycoonmail typemail u2club uaemail ubbi uboot uk2k uk2net ukcool ukdreamcast ukmax ultapulta ultrapostman umpire unbounded unforgettable unihome uole uolmail uomail ureach usa usanetmail usermail uymail uyuyuy vahoo vampirehunter varbizmail vcmail velocall verizonmail virginmedia virtualmail visitmail visitweb visto visualcities vivavelocity vjtimail volcanomail voliacable votenet vr9 vsnl wahoye walla warmmail waumail wbdet webave webcammail webdream webindia123 webjump webmails webname webprogramming webstation webtopmail weedmail weekmail weekonline wehshee welho wheelweb whipmail whoever whoopymail wideopenwest wildmail windowslive wingnutz winning witty wkbwmail wombles wongfaye worker workmail worldemail wosaddict wouldilie wowgirl wowmail wowway wptamail writeme writemeback wrongmail wtvhmail wwdg www x5g xmastime xmsg xplornet xsmail xuno xzapmail y7mail ya yaho yahoofs yalla yalook yam yandex yapost yawmail yebox yehey yemenmail ymail yogotemail yopolis yopweb youareadork youmailr yourinbox yournightmare yours yourssincerely yourwap yyhmail zahadum zipido ziplip zipmail zipmax zoho zohomail zubee zuzzurello zwallet zybermail zydecofan zzn
.com.ar arnet ciudad fibertel infovia interlap keko netizen onenet speedy terra topmail uol web-mail
.com.au aanet adam artlover aussiemail bigpond chocaholic dodo exemail exetel fastmail freemail i-mail iprimus lionsfan looksmart mbox optusnet ozemail primusonline racingfan start telstra tpg virginbroadband westnet winmail
.com.bh batelco
.com.br bol brazilmail brfree brturbo globalsite gmail ibest ig itelefonica mailbr oi osite plusmail pop riopreto superig terra uai ubbi uol veloxmail zipmail
.com.cn wo
.com.co uol
.com.cy cytanet spidernet
.com.er tfanus
.com.jo go nets
.com.kh everyday
.com.lb inco yalla
.com.mx uol
.com.pe free speedy
.com.pk freemail
.com.pl onet
.com.sg lvie netnet singnet
.com.tr e-mail mail
.com.tw pchome
.com.uy adinet montevideo vera
.com.ve uol uole
.comsmithemail.net smileyface
.cu.cc contrasto phus8kajuspa shitaway shockinmytown wovz yourlifesucks
.cz alive atlas centrum email ladymail love mail-box post sendme seznam sweb volny
.de abwesend addcom alice-dsl alice alpenjodel alphafrau arcor baldmama baldpapa berlin berlinexpo betriebsdirektor bigfoot bin-wieder-da bleib-bei-mir buerotiger center-mail centermail compuserve coole-files cww die-besten-bilder die-genossen die-optimisten diemailbox digital-filestore download-privat eintagsmail email epost feinripptraeger fettabernett freemail freenet freudenkinder gentlemansclub giga4u hab-verschlafen habmalnefrage hansenet herr-der-mails home htp-tel ich-bin-verrueckt-nach-dir ich-will-net info-media ist-einmalig ist-ganz-allein ist-willig jetable kabelbw kabelmail kaffeeschluerfer kommespaeter lass-es-geschehen loveyouforever maennerversteherin mail-awu mail mailto mailueberfall manager meine-diashow meine-urlaubsfotos mnet-mail muskelshirt netcologne netterchef neue-dateien nexgo nur-fuer-spam o2mail o2online office-dateien online onlinehome osnanet pagina partybombe partyheld polizisten-duzer posteo public-files quantentunnel raubtierbaendiger redseven saeuferleber sags-per-mail schmusemail schreib-doch-mal-wieder shared-files sofortmail streber24 swbmail t-online teleos-web terminverpennt topmail-files tortenboxer totalmail turboprinz turboprinzessin tutanota uni unity-mail unitybox unterderbruecke verlass-mich-nicht versanet vodafone vodafonemail vollbio volloeko vorsicht-bissig vorsicht-scharf war-im-urlaub web weibsvolk weinenvorglueck will-hier-weg wir-haben-nachwuchs wirsindcool wtnet
.dk ahaa bluemail e-mail forum get2net jubii jubiimail mail mailme netby privat sol stofanet tdcadsl webspeed youmail
.e4ward.com username www
.ee email hot mail neti uno
.egine.com ezmail
.entrepeneurmag.com mail
.es arrakis cgac fastmail fut iespana infomail inicia jazztel lycos net-c retemail telecable teleline terra
.et freemail
.eu mypec netc onet zohomail
.fi elisanet inet iobox jippii kolumbus saunalahti sci suomi24
.flu.cc merda
.fm f-m fastmail poczta ua
.forthnet.gr ath
.fr 9online ados aliceadsl bbox club-internet dotcom francemel free freesurf infonie libertysurf mailclub net-c netc neuf noos nordnet numericable orange sfr stade voila worldonline
.freeservers.com yourname
.freetown.com mail
.gr forthnet freemail hol in mail mailbox otenet tellas vip
.hinet.net msa
.hitthebeach.com mail
.hm america
.home.ne.jp jcom
.hr globalnet inet net optinet vip xnet
.htl22.at mail
.hu ak47 alvilag avh c2 c3 chello cia citromail coder cracker csinibaba digikabel drotposta eposta fbi freemail freestart geek gportal gyorsposta hello indamail invitel irj jakuza kgb lamer levele maffia mailbox me-mail message pobox primposta pro programozo reply send shotgun skizo sniper soldier t-online theend upcmail vipmail warrior webmail
.ie indigo iol online
.igg.biz merda
.im fastmail
.in airtelmail bsnl dataone fastmail sancharnet zweb
.inet.fi pp
.info bio-muesli centermail email4u golfilla ist-allein liebt-dich mail4u meine-dateien meine-fotos nullbox prydirect qv7 reallyfast
.io tuta
.is internet islandia simnet
.it 3000 alice aruba arubapec caere caltanet centoper ciaoweb cybernet email estranet excite fastwebnet freemail gigapec globalfree ignazio infinito interfree inwind iol jumpy lamiapec legalmail libero lycos mp4 mybox net-c netc pec pecimprese poste postecert progetplus registerpec sicurezzapostale supereva teletu ticertifica tim tin uno unofree virgilio vodafone wooow
.jp fastmail goo infoseek
.kg aknet freenet
.legalmail.it cert
.li travel
.libero.it pec
.lk metta
.lt freemail inbox one takas zebra
.lu internet net-c netc pt sagra vo
.lv apollo atl e-apollo eriga inbox navigator
.mailexpire.com farifluset
.md mail neuro ournet
.me keemail pm proton
.misterpinball.de mail
.ms mailservice
.mx fastmail
.my jaring
.nb.ca nbnet
.ne.jp biglobe dion docomo eonet ezweb hi-ho lycos ocn odn so-net softbank ybb ymobile1 zaq
.net 013 013net 123box 1mail 1me 263 2911 3xl 444 4email 8848 a1 aamail aaronkwok abcflash access4less acmemail acninc adelphia adios africamel airforce airpost alhilal alice-dsl allmail altavista ameritech amis amrer amuro andinanet andylau animail animalwoman appraiser approvers arabtop army asiansonly asianwired asiapoint astrosfan athenachu atlanticbb att attglobal auctioneer austrosearch awsom bannertown bartender batuta belgacom bell bellair bellaliant bellsouth beotel bettergolf bezeqint bigmir bikeracers billsfan bimla birdowner bitel bitpage bmlsports bonbon bounce bredband bresnan bright broadcast businessman c2i cableonda cableone callsign cantv carioca cegetel centurylink centurytel chandrasekar charter cincinow citiz citlink cityofcardiff close2you club4x4 clubbers clubhonda clubvdo comcast computermail connect4free contractor coolmail coolsite cooperation cooperationtogo cotas cox coxinet crosswinds cwpanama cyberforeplay cybermail dabsol daum deneg disinfo dnainternet dogsnob dokom dragoncon dwp e-kolay earthling earthlink earthonline eircom email2me emailasso emailcorner emailengine emailforyou emailgroups emailuser emailx entelchile epix europamel euskaltel every1 everymail everyone ewe ewetel examnotes extenda f1fans farang fastmail fastmailbox fatcock financemail fireman flashmail freeola freeuk frontiernet fsmail ftml fuse gamebox gaza gci geography globetrotter gonavy graffiti gramszu greenmail gtmc gua guju hackermail hailmail hairdresser hanmail hawaiiantel heesun hitthe hkg hookup hotfire hsuchi hughes humanoid ilovetocollect inbox insidebaltimore instructor internetemails internetmailing irangate ismart isp9 jetemail justemail kems knology kornet lantic laposte leehom leonlai letsgomets lineone link lovelygirl lyse mailbomb mailc mailclub mailforce mailgenie mailsent mailup malayalamtelevision maltanet mancity menta metrocast misery ml1 mts mundomail myfairpoint nagpal nativestar nativeweb neeva neobee netnoir netposta netscape netzero newmail nicholastse nord-com northgates null oceanfree okname olympist onetel onvol optimum optonline orgmail orthodontist ownmail pacbell pconnections phone photographer phreaker physicist pigpig piracha pisem planetarymotion planetearthinter planetmail pldtdsl plus pmail postmark postpro prodigy programmer ptd qualitynet qwest qwestoffice radiologist realemail riseup saintmail salesperson samilan sasktel sayhi sbcglobal secretary secretservices shahweb silkroad siol slo smapxsmap sndt snet socialworker softhome songwriter spectrum speedemail speedpost sperke srilankan sudanmail suddenlink sukhumvit sunpoint surf3 surfy surgical swbell sweetville swissmail t-2 talktalk tbaytel tds teachermail teamtulsa telefonica telinco telkom telkomsa telpage telus telusplanet temtulsa tesco tfz thaimail themillionare theoffice thepostmaster therapist timein totalmusic tritium turk uk2 uk7 uk8 ukr ukrpost usa usaaccess usma usmc uswestmail verat verizon veryspeedy virgin vivianhsu volja vsnl vtr wales2000 warpmail wearab which wildblue windstream wolke7 www2000 wx88 wxs yeah yepmail yesey yifan yourlover yourteacher yuuhuu zhaowei zip zoominternet
.net.ae emirates
.net.au aapt bigblue bigpond hello iinet netspace ozbytes
.net.co cable epm etb une
.net.do codetel
.net.eg tedata
.net.id cbn centrin indosat telkom
.net.il 012 014 017 barak inter netvision zahav
.net.lb cyberia idm terra
.net.mt global waldonet
.net.mx cablevision prodigy
.net.my tm
.net.nz clear inspire orcon paradise snap
.net.om omantel
.net.qa qatar
.net.sa saudi
.net.sg pacific starhub
.net.tr ttnet
.net.tw seed so-net
.net.vg china
.nl caiway casema chello fastmail freeaccess freeler freemail freesurf hccnet hetnet home ilse kpnmail kpnplanet mailmij marijuana msn net-c online planet quicknet scarlet solcon stipte tele2 telfort telfortglasvezel upc upcmail versatel vodafone vodafonethuis xms xs4all zeelandnet zeepost ziggo zonnet
.no broadpark frisurf getmail online spray start
.no.net home
.nu email mail
.nut.cc merda
.on.net internode
.onet.pl poczta vip
.or.cr acceso
.or.jp asahi-net infomart plala
.org 123mail aristotle catholic cityoflondon clubmember collector cybertrains deadlymob disroot dyndns elitemail email emailengine emailplus freeweb gigileung glay graduate imapmail imel letterboxes linuxmail m4 mailbox mailingaddress mailworks musician musicscene navy nervhq openmailbox pagons rccgmail rootprompt schweiz sonnenkinder speedymail starmail suisse swissinfo teachers tech4peace ukmail ummah vote4gop weibsvolk xsecurity zionweb
.org.mk freemail
.org.uk mail
.otherinbox.com gotti pcusers
.pf mail
.pipex.com dsl
.pl amorki autograf buziaczek chello gazeta go2 interia neostrada net-c netc o2 onet op opoczta spoko tlen vp wp yandex
.pp.ua stop-my-spam
.pt aeiou clix iol luso mail megamail meo net4b netcabo netvisao oninet portugalmail sapo telepac universal zonmail
.qq.com vip
.ro bumerang cartestraina clicknet codec email go home personal posta rdslink
.rr.com austin cfl columbus hawaii insight neo tampabay woh
.rs eunet mts ptt sbb
.ru 74 aport aport2000 atrus au autorambler beep bk chat dezigner e-mail e-mails email emails epage ezmail fax front gmail go goldenmail goldmail hu2 imail inbox internet km land lenta list mail mail2k mns myrambler newmail nextmail nxt omen pochta programist qip rambler rin ro supermail vipmail wegas xaker ya yandex zmail
.s-a-d.de cghost
.se altavista bahnhof comhem fastmail home spray swipnet tele2
.si email
.sina.com vip
.sisna.com mail
.sk azet centrum inmail lmxmail miesto orangemail pobox post zoznam
.sn sunumail
.softbank.jp i
.st ethos fea mm our
.su email student
.svenz.eu mail
.t-com.hr ri st zg
.te.pt educacao jovem
.tele.dk mail post
.telekom.rs open
.telepac.pt mail
.terra.com.gt correo
.to anonymous easy fastmail hello hey messages w3
.tw fastmail
.ua 3g box e-mail email i index meta online search ukrpost yandex
.uk.com gothere
.uk.net frostbyte
.us bestmail fastemail fastmail h-mail
.us.to ag
.usa.cc merda shitaway
.usa.com freedom mail public
.uu.gl mor19 phpbb xing886
.vasarhely.hu mail
.vn fpt vnn
.vnn.vn hcm hn
.ws krim
.ye.vc radiku yert
.zaq.ne.jp jcom
.zzn.com aaamail bboy mailpost swipermail xpressmail yoursubdomain
`;
