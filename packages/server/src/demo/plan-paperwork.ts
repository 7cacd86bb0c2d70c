// Plans the paperwork of a voyage: bunker orders, invoices and remarks. Pure. The key of each derives from the object
// it belongs to, so that a second run finds it again.

import { between, pick, type Random, roundTo } from './chance.ts';
import { agents, bunkerBroker, company, suppliers } from './fleet.ts';
import type { BunkerOrderStatus, VoyageView } from './fleet-view.ts';

export function planBunkerOrder(portCall: number, vessel: number, status: BunkerOrderStatus, random: Random) {
  return {
    externalObjectKey: `demo-bunkers-${portCall}`,
    externalReferenceNo: `DEMO-BO-${portCall}`,
    bunkerOrderStatus: status,
    portCall,
    vessel,
    bunkerSupplier: pick(random, suppliers),
    bunkerBroker,
    bunkerAccountOf: company,
    currency: 'USD',
    exchangeRate: 1,
    extraCost: between(random, 0, 2400, 0.5),
    bunkerOrderLines: [
      planLine('VLSFO', between(random, 280, 900, 10), between(random, 540, 620, 0.25), status, random),
      planLine('LSMGO', between(random, 40, 120, 5), between(random, 690, 780, 0.25), status, random),
    ],
  };
}

function planLine(bunkerType: string, minQuantity: number, price: number, status: BunkerOrderStatus, random: Random) {
  const maxQuantity = roundTo(minQuantity * 1.05, 0.1);
  const isDelivered = status === 'DLV' || status === 'INV';
  const bunkeredQuantity = isDelivered ? between(random, minQuantity, maxQuantity, 0.001) : null;
  return { bunkerType, minQuantity, maxQuantity, bunkeredQuantity, unitPrice: price };
}

export function planFreightInvoice(voyage: VoyageView, random: Random) {
  const freight = roundTo(voyage.grossFreight ?? 0, 0.01);
  const demurrage = between(random, 0, 84_000, 250.5);
  return {
    externalObjectKey: `demo-freight-${voyage.key}`,
    documentNo: `FRT-${voyage.key}`,
    documentText: `Freight and demurrage, voyage ${voyage.referenceNo} of ${voyage.vessel?.vesselName}`,
    documentType: 'INO',
    invoicingStatus: 'PEN',
    documentAmount: roundTo(freight + demurrage, 0.01),
    vat: 0,
    company,
    businessPartner: voyage.cargos[0]?.charterer.businessPartnerCode ?? null,
    voyage: voyage.key,
    currency: 'USD',
    documentLines: [
      { lineText: 'Freight as per charter party', amount: freight, quantity: 1, voyage: voyage.key },
      { lineText: 'Demurrage', amount: demurrage, quantity: 1, voyage: voyage.key },
    ],
  };
}

/** What the agent of the voyage's first port charges. */
export function planDisbursement(voyage: VoyageView, random: Random) {
  const dues = between(random, 18_000, 65_000, 12.35);
  const towage = between(random, 6_000, 21_000, 7.1);
  const port = voyage.portCalls[0]?.port.portName ?? 'port';
  return {
    externalObjectKey: `demo-disbursement-${voyage.key}`,
    documentNo: `DA-${voyage.key}`,
    documentText: `Port disbursements at ${port}, voyage ${voyage.referenceNo}`,
    documentType: 'INI',
    invoicingStatus: 'RFP',
    documentAmount: roundTo(dues + towage, 0.01),
    vat: 0,
    company,
    businessPartner: pick(random, agents),
    voyage: voyage.key,
    currency: 'USD',
    documentLines: [
      { lineText: 'Port and light dues', amount: dues, quantity: 1, voyage: voyage.key },
      { lineText: 'Towage and mooring', amount: towage, quantity: 1, voyage: voyage.key },
    ],
  };
}

const remarks = [
  {
    remarkTitle: 'Berth congestion',
    remarkText: 'Three ships ahead of us. Agent expects the berth in 14 to 20 hours.',
  },
  { remarkTitle: 'Weather', remarkText: 'Heavy swell from the north-west; the master reduced speed overnight.' },
  { remarkTitle: 'Draught survey', remarkText: 'Surveyor booked for arrival. Charterers asked to attend.' },
  { remarkTitle: 'Crew change', remarkText: 'Second engineer and two able seamen to sign off. Visas are in order.' },
  { remarkTitle: 'Hold inspection', remarkText: 'All holds passed as clean, dry and free of odour.' },
  { remarkTitle: 'Pilot', remarkText: 'Pilot ordered for the morning tide.' },
];

export function planRemark(source: number, random: Random) {
  return { externalObjectKey: `demo-remark-${source}`, source, ...(pick(random, remarks) ?? {}) };
}
