// The fictional company of the demo: its ships and its business partners. The names are invented. The IMO numbers have
// valid check digits, so that the service accepts them.

export interface DemoVessel {
  externalObjectKey: string;
  vesselName: string;
  imoNumber: string;
  callSignal: string;
  vesselType: string;
  flag: string;
  builtYear: number;
  dwtSummer: number;
}

export const vessels: DemoVessel[] = [
  vessel('Aurelia Bay', '9741839', '5LKD9', 'Capesize bulk carrier', 'Liberia', 2016, 179_450),
  vessel('Northern Lark', '9852262', 'LAQE7', 'Kamsarmax bulk carrier', 'Norway', 2019, 81_938),
  vessel('Solveig Star', '9629079', 'V7MX2', 'Ultramax bulk carrier', 'Marshall Islands', 2013, 63_410),
  vessel('Cape Merrow', '9436185', '3EGB6', 'Panamax bulk carrier', 'Panama', 2010, 76_120),
  vessel('Meridian Pearl', '9901544', '9V4821', 'MR product tanker', 'Singapore', 2021, 49_990.5),
  vessel('Baltic Heron', '9783411', 'OWJH2', 'LR2 product tanker', 'Denmark', 2018, 114_265),
  vessel('Coral Dunes', '9682904', '9HA4712', 'Handysize bulk carrier', 'Malta', 2014, 38_217),
  vessel('Tideway', '9364722', 'C6XB8', 'Chemical tanker', 'Bahamas', 2008, 25_196.25),
];

function vessel(
  vesselName: string,
  imoNumber: string,
  callSignal: string,
  vesselType: string,
  flag: string,
  builtYear: number,
  dwtSummer: number,
): DemoVessel {
  const externalObjectKey = `demo-vessel-${imoNumber}`;
  return { externalObjectKey, vesselName, imoNumber, callSignal, vesselType, flag, builtYear, dwtSummer };
}

type PartnerType = 'CHR' | 'AGT' | 'SUP' | 'BRK' | 'OWN' | 'CMP' | 'OTH';

interface DemoPartner {
  externalObjectKey: string;
  businessPartnerCode: string;
  businessPartnerName: string;
  businessPartnerType: PartnerType;
}

export const partners: DemoPartner[] = [
  partner('HALYARD', 'Halyard Shipping AS', 'CMP'),
  partner('KESTREL', 'Kestrel Shipowning Ltd', 'OWN'),
  partner('FERROMAR', 'Ferromar Ore & Metals', 'CHR'),
  partner('GRANARY', 'Granary Commodities SA', 'CHR'),
  partner('PETRONOR', 'Petronor Trading BV', 'CHR'),
  partner('LINDQUIST', 'Lindquist Port Agency', 'AGT'),
  partner('ORIENTAL', 'Oriental Gate Agencies', 'AGT'),
  partner('SALTWATER', 'Saltwater Bunkers', 'SUP'),
  partner('GULFFUEL', 'Gulf Fuel & Lube', 'SUP'),
  partner('HARTWELL', 'Hartwell Shipbrokers', 'BRK'),
  partner('BRIGHTON', 'Brighton Bunker Brokers', 'BRK'),
  partner('TRUEDRAFT', 'Truedraft Surveyors', 'OTH'),
];

export const company = 'DEMO-HALYARD';
export const agents = ['DEMO-LINDQUIST', 'DEMO-ORIENTAL'];
export const suppliers = ['DEMO-SALTWATER', 'DEMO-GULFFUEL'];
export const bunkerBroker = 'DEMO-BRIGHTON';

function partner(name: string, businessPartnerName: string, businessPartnerType: PartnerType): DemoPartner {
  const businessPartnerCode = `DEMO-${name}`;
  const externalObjectKey = `demo-partner-${name.toLowerCase()}`;
  return { externalObjectKey, businessPartnerCode, businessPartnerName, businessPartnerType };
}
