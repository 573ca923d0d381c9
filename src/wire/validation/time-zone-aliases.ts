/** Other names of time zones, which browsers and machines report, behind the listed one. */
const ALIASES = `
  Africa/Asmara: Africa/Asmera
  Africa/Bamako: Africa/Timbuktu
  Africa/Cairo: Egypt
  Africa/Lagos: Etc/GMT-1
  Africa/Maputo: Etc/GMT-2
  Africa/Nairobi: Etc/GMT-3
  Africa/Tripoli: Libya
  America/Adak: America/Atka US/Aleutian
  America/Argentina/Buenos_Aires: America/Buenos_Aires
  America/Argentina/Catamarca: America/Catamarca America/Argentina/ComodRivadavia
  America/Argentina/Cordoba: America/Cordoba America/Rosario
  America/Argentina/Jujuy: America/Jujuy
  America/Argentina/Mendoza: America/Mendoza
  America/Atikokan: America/Coral_Harbour
  America/Cayenne: Etc/GMT+3
  America/Chicago: CST6CDT
  America/Denver: America/Ciudad_Juarez America/Shiprock MST7MDT Navajo
  America/Detroit: US/Michigan
  America/Havana: Cuba
  America/Indiana/Indianapolis: America/Indianapolis America/Fort_Wayne US/East-Indiana
  America/Indiana/Knox: America/Knox_IN US/Indiana-Starke
  America/Jamaica: Jamaica
  America/Kentucky/Louisville: America/Louisville
  America/Los_Angeles: PST8PDT
  America/Manaus: Brazil/West
  America/Mazatlan: Mexico/BajaSur
  America/Mexico_City: Mexico/General
  America/New_York: EST5EDT
  America/Noronha: Brazil/DeNoronha
  America/Nuuk: America/Godthab
  America/Panama: EST Etc/GMT+5
  America/Phoenix: MST Etc/GMT+7
  America/Puerto_Rico: Etc/GMT+4
  America/Punta_Arenas: America/Coyhaique
  America/Regina: Canada/Saskatchewan Etc/GMT+6
  America/Rio_Branco: America/Porto_Acre Brazil/Acre
  America/Santiago: Chile/Continental
  America/Sao_Paulo: Brazil/East
  America/St_Thomas: America/Virgin
  America/Tijuana: America/Ensenada America/Santa_Isabel Mexico/BajaNorte
  America/Toronto: America/Montreal
  America/Whitehorse: Canada/Yukon
  Antarctica/McMurdo: Antarctica/South_Pole
  Arctic/Longyearbyen: Atlantic/Jan_Mayen
  Asia/Ashgabat: Asia/Ashkhabad
  Asia/Bangkok: Etc/GMT-7
  Asia/Dhaka: Asia/Dacca
  Asia/Dubai: Etc/GMT-4
  Asia/Ho_Chi_Minh: Asia/Saigon
  Asia/Hong_Kong: Hongkong
  Asia/Jerusalem: Asia/Tel_Aviv Israel
  Asia/Kathmandu: Asia/Katmandu
  Asia/Kolkata: Asia/Calcutta
  Asia/Macau: Asia/Macao
  Asia/Makassar: Asia/Ujung_Pandang
  Asia/Nicosia: Europe/Nicosia
  Asia/Seoul: ROK
  Asia/Shanghai: Asia/Chongqing Asia/Chungking Asia/Harbin PRC
  Asia/Singapore: Singapore Etc/GMT-8
  Asia/Taipei: ROC
  Asia/Tehran: Iran
  Asia/Thimphu: Asia/Thimbu Etc/GMT-6
  Asia/Tokyo: Japan Etc/GMT-9
  Asia/Ulaanbaatar: Asia/Ulan_Bator
  Asia/Urumqi: Asia/Kashgar
  Asia/Yangon: Asia/Rangoon
  Atlantic/Cape_Verde: Etc/GMT+1
  Atlantic/Faroe: Atlantic/Faeroe
  Atlantic/Reykjavik: Iceland
  Atlantic/South_Georgia: Etc/GMT+2
  Australia/Adelaide: Australia/South
  Australia/Brisbane: Australia/Queensland
  Australia/Broken_Hill: Australia/Yancowinna
  Australia/Darwin: Australia/North
  Australia/Hobart: Australia/Currie Australia/Tasmania
  Australia/Lord_Howe: Australia/LHI
  Australia/Melbourne: Australia/Victoria
  Australia/Perth: Australia/West
  Australia/Sydney: Australia/ACT Australia/Canberra Australia/NSW
  Europe/Athens: EET
  Europe/Brussels: CET MET
  Europe/Chisinau: Europe/Tiraspol
  Europe/Dublin: Eire
  Europe/Istanbul: Asia/Istanbul Turkey
  Europe/Kiev: Europe/Kyiv
  Europe/Lisbon: Portugal WET
  Europe/London: Europe/Belfast GB GB-Eire
  Europe/Moscow: W-SU
  Europe/Warsaw: Poland
  GMT: Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich GMT+0 GMT-0 GMT0 Greenwich
  Indian/Maldives: Etc/GMT-5
  Pacific/Auckland: NZ
  Pacific/Chatham: NZ-CHAT
  Pacific/Chuuk: Pacific/Truk Pacific/Yap
  Pacific/Easter: Chile/EasterIsland
  Pacific/Enderbury: Pacific/Kanton Etc/GMT-13
  Pacific/Gambier: Etc/GMT+9
  Pacific/Guadalcanal: Etc/GMT-11
  Pacific/Honolulu: Pacific/Johnston HST Etc/GMT+10
  Pacific/Kiritimati: Etc/GMT-14
  Pacific/Kwajalein: Kwajalein
  Pacific/Pago_Pago: Pacific/Samoa US/Samoa Etc/GMT+11
  Pacific/Pitcairn: Etc/GMT+8
  Pacific/Pohnpei: Pacific/Ponape
  Pacific/Port_Moresby: Etc/GMT-10
  Pacific/Tarawa: Etc/GMT-12
  UTC: Etc/UCT Etc/UTC Etc/Universal Etc/Zulu UCT Universal Zulu
`

/** Listed names by their aliases; both have the same clock from 2026 on. */
export const TIME_ZONE_ALIASES: ReadonlyMap<string, string> = new Map(
  ALIASES.trim()
    .split('\n')
    .flatMap((line) => {
      const [listed = '', ...aliases] = line.trim().split(/:? /)
      return aliases.map((alias) => [alias, listed] as const)
    }),
)
