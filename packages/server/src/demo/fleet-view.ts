// What the demo reads from the service before it changes anything. The demo keeps no state of its own, so that it
// respects whatever a person does to the fleet meanwhile.

import type { PortEvent } from './plan-voyage.ts';
import type { ServiceClient } from './service-client.ts';

export type VoyageStatus = 'EST' | 'NOM' | 'OPR' | 'FIN' | 'CLO';

export interface VoyageView {
  key: number;
  referenceNo: number;
  voyageStatus: VoyageStatus;
  foPrice: number | null;
  foConsumption: number | null;
  grossFreight: number | null;
  vessel: { key: number; vesselName: string } | null;
  portCalls: PortCallView[];
  cargos: CargoView[];
}

export interface PortCallView {
  key: number;
  reasonForCall: string;
  eta: string | null;
  etb: string | null;
  etd: string | null;
  port: { unLoCode: string; portName: string };
  eventLogs: { key: number; event: PortEvent; eventLogDate: string | null }[];
}

interface CargoView {
  key: number;
  quantity: number | null;
  cargoMeasurement: string;
  commodity: { commodityName: string };
  charterer: { businessPartnerCode: string };
}

export const voyageFields = {
  referenceNo: '*',
  voyageStatus: '*',
  foPrice: '*',
  foConsumption: '*',
  grossFreight: '*',
  vessel: { vesselName: '*' },
  portCalls: {
    reasonForCall: '*',
    eta: '*',
    etb: '*',
    etd: '*',
    port: { unLoCode: '*', portName: '*' },
    eventLogs: { event: '*', eventLogDate: '*' },
  },
  cargos: {
    quantity: '*',
    cargoMeasurement: '*',
    commodity: { commodityName: '*' },
    charterer: { businessPartnerCode: '*' },
  },
};

const isOurs = 'externalObjectKey(LIKE)demo-%';

export function openVoyages(client: ServiceClient): Promise<VoyageView[]> {
  return client.list('Voyage', { filter: [isOurs, 'voyageStatus(NE)CLO'], fields: voyageFields, limit: 100 });
}

export interface VesselView {
  key: number;
  vesselName: string;
  imoNumber: string;
}

export function ourVessels(client: ServiceClient): Promise<VesselView[]> {
  return client.list('Vessel', { filter: [isOurs], sort: 'key(AS)', limit: 100 });
}

export type BunkerOrderStatus = 'PLN' | 'REQ' | 'ORD' | 'DLV' | 'INV' | 'CAN';

export interface BunkerOrderView {
  key: number;
  bunkerOrderStatus: BunkerOrderStatus;
  portCall: { key: number; etb: string | null; port: { portName: string }; eventLogs: { event: PortEvent }[] };
  bunkerOrderLines: { key: number; minQuantity: number; maxQuantity: number; bunkerType: { bunkerTypeCode: string } }[];
}

export function openBunkerOrders(client: ServiceClient): Promise<BunkerOrderView[]> {
  const fields = {
    bunkerOrderStatus: '*',
    portCall: { etb: '*', port: { portName: '*' }, eventLogs: { event: '*' } },
    bunkerOrderLines: { minQuantity: '*', maxQuantity: '*', bunkerType: { bunkerTypeCode: '*' } },
  };
  return client.list('BunkerOrder', { filter: [isOurs, 'bunkerOrderStatus(NIN)(INV,CAN)'], fields, limit: 100 });
}

export interface DocumentView {
  key: number;
  documentNo: string | null;
  invoicingStatus: 'PEN' | 'RFP' | 'PST' | null;
}

export function openDocuments(client: ServiceClient): Promise<DocumentView[]> {
  return client.list('Document', { filter: [isOurs, 'invoicingStatus(IN)(PEN,RFP)'], sort: 'key(AS)', limit: 100 });
}

/** Dates on the wire have no time zone and are in UTC. */
export function wireDate(text: string): Date {
  return new Date(`${text}Z`);
}
