// The ports that most trades use, by IANA time zone, each with its UN/LOCODE, and the three canals. The Kiel Canal is
// listed under its western lock, where ships report for the passage.

export interface PortRow {
  portName: string;
  unLoCode: string;
  country: string;
  timezone: string;
  isCanal: boolean;
}

const canals = ['DEBRB', 'EGSCN', 'PAPCN'];

const portsByTimezone = {
  'Europe/Amsterdam': 'NLRTM Rotterdam, NLAMS Amsterdam',
  'Europe/Brussels': 'BEANR Antwerp',
  'Europe/Berlin': 'DEHAM Hamburg, DEBRV Bremerhaven, DEWVN Wilhelmshaven, DEBRB Brunsbüttel (Kiel Canal)',
  'Europe/Oslo': 'NOOSL Oslo, NOMON Mongstad, NONVK Narvik',
  'Europe/Stockholm': 'SEGOT Gothenburg',
  'Europe/Copenhagen': 'DKCPH Copenhagen',
  'Europe/Helsinki': 'FIHEL Helsinki',
  'Europe/Tallinn': 'EETLL Tallinn',
  'Europe/Riga': 'LVRIX Riga',
  'Europe/Vilnius': 'LTKLJ Klaipeda',
  'Europe/Warsaw': 'PLGDN Gdansk',
  'Europe/London': 'GBIMM Immingham, GBFXT Felixstowe',
  'Europe/Dublin': 'IEDUB Dublin',
  'Europe/Paris': 'FRLEH Le Havre, FRDKK Dunkirk, FRFOS Fos-sur-Mer',
  'Europe/Lisbon': 'PTSIE Sines',
  'Europe/Madrid': 'ESALG Algeciras, ESGIJ Gijon',
  'Atlantic/Canary': 'ESLPA Las Palmas',
  'Europe/Gibraltar': 'GIGIB Gibraltar',
  'Europe/Rome': 'ITGOA Genoa, ITAUG Augusta, ITTRS Trieste',
  'Europe/Malta': 'MTMLA Valletta',
  'Europe/Athens': 'GRPIR Piraeus',
  'Europe/Istanbul': 'TRIST Istanbul',
  'Europe/Bucharest': 'ROCND Constanta',
  'Europe/Kyiv': 'UAODS Odesa',
  'Africa/Cairo': 'EGPSD Port Said, EGSCN Suez Canal',
  'Africa/Casablanca': 'MAPTM Tanger Med',
  'Africa/Lagos': 'NGLOS Lagos',
  'Africa/Johannesburg': 'ZADUR Durban, ZARCB Richards Bay',
  'Africa/Maputo': 'MZMPM Maputo',
  'Asia/Riyadh': 'SAJED Jeddah, SARTA Ras Tanura',
  'Asia/Dubai': 'AEFJR Fujairah, AEJEA Jebel Ali',
  'Asia/Qatar': 'QARLF Ras Laffan',
  'Asia/Kolkata': 'INMUN Mundra, INVTZ Visakhapatnam',
  'Asia/Colombo': 'LKCMB Colombo',
  'Asia/Dhaka': 'BDCGP Chattogram',
  'Asia/Kuala_Lumpur': 'MYPKG Port Klang',
  'Asia/Singapore': 'SGSIN Singapore',
  'Asia/Bangkok': 'THLCH Laem Chabang',
  'Asia/Makassar': 'IDBPN Balikpapan',
  'Asia/Hong_Kong': 'HKHKG Hong Kong',
  'Asia/Taipei': 'TWKHH Kaohsiung',
  'Asia/Shanghai': 'CNSHA Shanghai, CNTAO Qingdao, CNDLC Dalian',
  'Asia/Seoul': 'KRPUS Busan',
  'Asia/Tokyo': 'JPYOK Yokohama, JPNGO Nagoya',
  'Australia/Perth': 'AUPHE Port Hedland',
  'Australia/Brisbane': 'AUGLT Gladstone',
  'Australia/Sydney': 'AUNTL Newcastle',
  'Pacific/Auckland': 'NZTRG Tauranga',
  'America/Vancouver': 'CAVAN Vancouver',
  'America/Toronto': 'CAMTR Montreal',
  'America/New_York': 'USNYC New York, USBAL Baltimore, USORF Norfolk',
  'America/Chicago': 'USMSY New Orleans, USHOU Houston, USCRP Corpus Christi',
  'America/Los_Angeles': 'USLAX Los Angeles',
  'America/Mexico_City': 'MXVER Veracruz',
  'America/Panama': 'PAPCN Panama Canal',
  'America/Bogota': 'COCTG Cartagena',
  'America/Sao_Paulo': 'BRSSZ Santos, BRTUB Tubarao, BRPNG Paranagua',
  'America/Argentina/Buenos_Aires': 'ARBUE Buenos Aires',
  'America/Argentina/Cordoba': 'ARROS Rosario',
  'America/Lima': 'PECLL Callao',
};

/** A UN/LOCODE is the code of the country and three characters. */
export const ports: PortRow[] = Object.entries(portsByTimezone).flatMap(([timezone, rows]) =>
  rows.split(', ').map((row) => {
    const [unLoCode, portName] = [row.slice(0, 5), row.slice(6)];
    return { portName, unLoCode, country: unLoCode.slice(0, 2), timezone, isCanal: canals.includes(unLoCode) };
  }),
);
