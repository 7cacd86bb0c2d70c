// What the demo reads from the service before each change. The demo keeps no state of its own, so that it respects
// whatever a person does to the fleet meanwhile.

import type { ServiceClient } from './service-client.ts';

export type VoyageStatus = 'EST' | 'NOM' | 'OPR' | 'FIN' | 'CLO';
export type BunkerOrderStatus = 'PLN' | 'REQ' | 'ORD' | 'DLV' | 'INV' | 'CAN';
export type PortEvent = 'ARR' | 'BRT' | 'DEP';

export type Vessel = { key: number; vesselName: string; imoNumber: string };

export interface Voyage {
  key: number;
  referenceNo: number;
  voyageStatus: VoyageStatus;
  foPrice: number | null;
  foConsumption: number | null;
  grossFreight: number | null;
  vessel: Vessel | null;
  portCalls: PortCall[];
  cargos: Cargo[];
}

export interface PortCall {
  key: number;
  reasonForCall: string;
  eta: string | null;
  etb: string | null;
  etd: string | null;
  port: { unLoCode: string; portName: string };
  eventLogs: { key: number; event: PortEvent; eventLogDate: string | null }[];
}

interface Cargo {
  key: number;
  quantity: number | null;
  cargoMeasurement: string;
  commodity: { commodityName: string };
  charterer: { businessPartnerCode: string };
}

export interface BunkerOrder {
  key: number;
  bunkerOrderStatus: BunkerOrderStatus;
  portCall: Pick<PortCall, 'key' | 'etb' | 'port' | 'eventLogs'>;
  bunkerOrderLines: { key: number; minQuantity: number; maxQuantity: number }[];
}

interface Document {
  key: number;
  externalObjectKey: string;
  documentNo: string | null;
  invoicingStatus: 'PEN' | 'RFP' | 'PST' | null;
}

export type FleetState = Awaited<ReturnType<typeof readFleet>>;

/** Everything that is open, and the orders and documents that must not be created twice. */
export async function readFleet(client: ServiceClient) {
  return {
    vessels: await client.list<Vessel>('Vessel', { filter: [isOurs], sort: 'key(AS)', limit: 100 }),
    voyages: await client.list<Voyage>('Voyage', {
      filter: [isOurs, 'voyageStatus(NE)CLO'],
      fields: voyageFields,
      sort: 'key(AS)',
      limit: 100,
    }),
    bunkerOrders: await client.list<BunkerOrder>('BunkerOrder', {
      filter: [isOurs, 'bunkerOrderStatus(NIN)(INV,CAN)', '(OR)', isOurs, 'portCall.voyage.voyageStatus(NE)CLO'],
      fields: { bunkerOrderStatus: '*', portCall: { etb: '*', port: '*', eventLogs: '*' }, bunkerOrderLines: '*' },
    }),
    documents: await client.list<Document>('Document', {
      filter: [isOurs, 'invoicingStatus(IN)(PEN,RFP)', '(OR)', isOurs, 'voyage.voyageStatus(NE)CLO'],
    }),
  };
}

const isOurs = 'externalObjectKey(LIKE)demo-%';

const voyageFields = {
  referenceNo: '*',
  voyageStatus: '*',
  foPrice: '*',
  foConsumption: '*',
  grossFreight: '*',
  vessel: '*',
  portCalls: { reasonForCall: '*', eta: '*', etb: '*', etd: '*', port: '*', eventLogs: '*' },
  cargos: { quantity: '*', cargoMeasurement: '*', commodity: '*', charterer: '*' },
};
