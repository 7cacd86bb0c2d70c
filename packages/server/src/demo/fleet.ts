// The fictional company of the demo, as data: its partners, ships, trades and first voyages. The names are invented.
// IMO numbers have valid check digits. Distances and port stays are realistic; rates are typical of a normal market.

import type { VoyageStatus } from './fleet-state.ts';

export const partners = (
  [
    ['HALYARD', 'Halyard Shipping AS', 'CMP'],
    ['KESTREL', 'Kestrel Shipowning Ltd', 'OWN'],
    ['FERROMAR', 'Ferromar Ore & Metals', 'CHR'],
    ['GRANARY', 'Granary Commodities SA', 'CHR'],
    ['PETRONOR', 'Petronor Trading BV', 'CHR'],
    ['LINDQUIST', 'Lindquist Port Agency', 'AGT'],
    ['ORIENTAL', 'Oriental Gate Agencies', 'AGT'],
    ['SALTWATER', 'Saltwater Bunkers', 'SUP'],
    ['GULFFUEL', 'Gulf Fuel & Lube', 'SUP'],
    ['HARTWELL', 'Hartwell Shipbrokers', 'BRK'],
    ['BRIGHTON', 'Brighton Bunker Brokers', 'BRK'],
    ['TRUEDRAFT', 'Truedraft Surveyors', 'OTH'],
  ] as const
).map(([name, businessPartnerName, businessPartnerType]) => ({
  externalObjectKey: `demo-partner-${name.toLowerCase()}`,
  businessPartnerCode: `DEMO-${name}`,
  businessPartnerName,
  businessPartnerType,
}));

export const company = 'DEMO-HALYARD';
export const agents = ['DEMO-LINDQUIST', 'DEMO-ORIENTAL'];
export const suppliers = ['DEMO-SALTWATER', 'DEMO-GULFFUEL'];
export const bunkerBroker = 'DEMO-BRIGHTON';

export const vessels = (
  [
    ['Aurelia Bay', '9741839', '5LKD9', 'Capesize bulk carrier', 'Liberia', 2016, 179_450],
    ['Northern Lark', '9852262', 'LAQE7', 'Kamsarmax bulk carrier', 'Norway', 2019, 81_938],
    ['Solveig Star', '9629079', 'V7MX2', 'Ultramax bulk carrier', 'Marshall Islands', 2013, 63_410],
    ['Cape Merrow', '9436185', '3EGB6', 'Panamax bulk carrier', 'Panama', 2010, 76_120],
    ['Meridian Pearl', '9901544', '9V4821', 'MR product tanker', 'Singapore', 2021, 49_990.5],
    ['Baltic Heron', '9783411', 'OWJH2', 'LR2 product tanker', 'Denmark', 2018, 114_265],
    ['Coral Dunes', '9682904', '9HA4712', 'Handysize bulk carrier', 'Malta', 2014, 38_217],
    ['Tideway', '9364722', 'C6XB8', 'Chemical tanker', 'Bahamas', 2008, 25_196.25],
  ] as const
).map(([vesselName, imoNumber, callSignal, vesselType, flag, builtYear, dwtSummer]) => {
  const externalObjectKey = `demo-vessel-${imoNumber}`;
  return { externalObjectKey, vesselName, imoNumber, callSignal, vesselType, flag, builtYear, dwtSummer };
});

export type Trade = ReturnType<typeof readTrade>;

/**
 * What a ship carries, and where: the IMO number, commodity, quantity, unit, freight rate and charterer, and the port
 * that it comes from, which is the last port of one of its trades. The second line has its calls: the port, why the
 * ship calls (L loads, D discharges, B bunkers, C passes a canal), nautical miles from the previous port, days in port.
 */
export const trades = `
9741839 IRONORE 172000 MT 9.85 DEMO-FERROMAR CNDLC
  SGSIN B 2700 0.6   AUPHE L 1730 2.1   CNTAO D 3560 2.4   CNDLC D 270 1.8
9741839 IRONORE 168500 MT 13.4 DEMO-FERROMAR CNDLC
  SGSIN B 2700 0.6   BRTUB L 8700 2.6   NLRTM D 5030 3.2
9741839 IRONORE 170000 MT 24.1 DEMO-FERROMAR NLRTM
  GIGIB B 1340 0.5   BRTUB L 3780 2.6   CNTAO D 11300 2.4   CNDLC D 270 1.8
9852262 SOYBEANS 72600 MT 38.25 DEMO-GRANARY CNTAO
  SGSIN B 2480 0.5   BRSSZ L 8900 3.5   BRPNG L 170 2.2   CNTAO D 11380 4.5
9852262 WHEAT 66000 MT 31.5 DEMO-GRANARY CNTAO
  CAVAN L 4950 3.8   JPYOK D 4280 3   JPNGO D 210 2.5
9852262 SOYBEANS 71800 MT 39.5 DEMO-GRANARY JPNGO
  SGSIN B 2850 0.5   BRSSZ L 8900 4.2   CNTAO D 11300 4.5
9629079 WHEAT 55000 MT 34.75 DEMO-GRANARY INMUN
  EGSCN C 2900 0.8   ROCND L 850 3.4   EGSCN C 850 0.8   AEFJR B 2760 0.5   BDCGP D 2890 6.5
9629079 COALTHERMAL 57500 MT 14.9 DEMO-FERROMAR BDCGP
  LKCMB B 1290 0.4   ZARCB L 3600 2   INMUN D 3950 3.6
9436185 COALCOKING 70000 MT 17.6 DEMO-FERROMAR NLAMS
  USORF L 3500 1.9   USBAL L 170 1.6   NLRTM D 3560 2.4   NLAMS D 60 1.8
9436185 CORN 66000 MT 26.75 DEMO-GRANARY NLAMS
  USMSY L 4850 3.8   GIGIB B 4600 0.4   EGPSD D 1920 4.4
9436185 BARLEY 63500 MT 22.3 DEMO-GRANARY EGPSD
  ROCND L 850 3.9   GIGIB B 2150 0.4   NLAMS D 1370 3.1
9682904 WOODPELLETS 30500 MT 21.4 DEMO-GRANARY GBIMM
  LVRIX L 900 3.1   EETLL L 270 1.7   DEBRB C 640 0.5   GBIMM D 330 2.9
9682904 UREA 31000 MT 28.9 DEMO-GRANARY GBIMM
  LTKLJ L 850 2.8   DEBRB C 460 0.5   ESLPA B 2010 0.4   ARROS D 5140 3.7
9682904 SOYBEANMEAL 33200 MT 35.6 DEMO-GRANARY ARROS
  ARBUE L 200 4.1   ESLPA B 4950 0.4   IEDUB D 1700 2.2   GBIMM D 700 1.9
9901544 GASOLINE 37000 MT 27.3 DEMO-PETRONOR USNYC
  NLAMS L 3390 1.4   BEANR L 150 1.2   USNYC D 3390 1.7
9901544 GASOIL 38000 MT 36.1 DEMO-PETRONOR USNYC
  USHOU L 1920 1.6   PAPCN C 1530 1.4   PECLL D 1340 2
9901544 NAPHTHA 36500 MT 18.4 DEMO-PETRONOR PECLL
  PAPCN C 1340 1.4   USHOU L 1530 1.5   USNYC D 1920 1.7
9783411 NAPHTHA 90000 MT 41.8 DEMO-PETRONOR ITTRS
  EGSCN C 1310 0.8   SARTA L 3000 1.5   AEFJR B 440 0.5   EGSCN C 2760 0.8   ITTRS D 1310 1.9
9783411 CRUDEOIL 100000 MT 14.25 DEMO-PETRONOR ITTRS
  GIGIB B 1680 0.4   NOMON L 1900 1.3   DEWVN D 440 1.2   PLGDN D 620 1.5
9783411 CRUDEOIL 98500 MT 19.9 DEMO-PETRONOR PLGDN
  NOMON L 800 1.3   GIGIB B 1900 0.4   ITTRS D 1680 1.9
9364722 PALMOIL 22400 MT 62.5 DEMO-PETRONOR ITGOA
  EGSCN C 1440 0.9   MYPKG L 4800 2.2   LKCMB B 1320 0.4   EGSCN C 3480 0.9   ITGOA D 1440 1.8   NLRTM D 2240 1.6
9364722 CAUSTICSODA 15750 CBM 33.8 DEMO-PETRONOR NLRTM
  BEANR L 150 1.3   FRLEH L 270 1   GIGIB B 1150 0.4   FRFOS D 700 1.2   ITGOA D 200 1.1
`
  .trim()
  .split(/\n(?=\S)/)
  .map(readTrade);

function readTrade(text: string) {
  const [trade = '', ...callTexts] = text.split(/\s{2,}/);
  const [imoNumber = '', commodity = '', tons, cargoMeasurement = '', rate, charterer = '', ballastPort = ''] =
    trade.split(' ');
  const calls = callTexts.map((call) => {
    const [port = '', reasonForCall = '', miles, days] = call.split(' ');
    return { port, reasonForCall, miles: Number(miles), daysInPort: Number(days) };
  });
  const [quantity, freightRate] = [Number(tons), Number(rate)];
  return { imoNumber, commodity, quantity, cargoMeasurement, freightRate, charterer, ballastPort, calls };
}

const firstRows: [string, string, VoyageStatus, number][] = [
  ['9741839', 'IRONORE', 'OPR', 3],
  ['9852262', 'SOYBEANS', 'OPR', 5],
  ['9629079', 'WHEAT', 'NOM', 0],
  ['9436185', 'COALCOKING', 'OPR', 10],
  ['9901544', 'GASOLINE', 'FIN', 9],
  ['9783411', 'NAPHTHA', 'OPR', 6],
  ['9682904', 'WOODPELLETS', 'EST', 0],
  ['9364722', 'CAUSTICSODA', 'FIN', 15],
  ['9364722', 'PALMOIL', 'NOM', 0],
  ['9436185', 'CORN', 'EST', 0],
];

/**
 * Voyages in all stages but closed, each of the first trade that the ship has in the commodity. `eventsLogged` counts
 * over all calls, three for each: 4 means "arrived at the second port".
 */
export const firstVoyages = firstRows.map(([ship, commodity, voyageStatus, eventsLogged], row) => {
  const trade = trades.find((one) => one.imoNumber === ship && one.commodity === commodity)!;
  return { externalObjectKey: `demo-voyage-${row + 1}`, trade, voyageStatus, eventsLogged };
});

export const remarks = [
  ['Berth congestion', 'Three ships ahead of us. Agent expects the berth in 14 to 20 hours.'],
  ['Weather', 'Heavy swell from the north-west; the master reduced speed overnight.'],
  ['Draught survey', 'Surveyor booked for arrival. Charterers asked to attend.'],
  ['Crew change', 'Second engineer and two able seamen to sign off. Visas are in order.'],
  ['Hold inspection', 'All holds passed as clean, dry and free of odour.'],
  ['Pilot', 'Pilot ordered for the morning tide.'],
] as const;
