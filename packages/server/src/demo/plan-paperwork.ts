// Plans the paperwork of a voyage: bunker orders, invoices and remarks. Pure. The mark of each derives from the object
// it belongs to.

import { between, pick, type Random, roundTo, sum } from './chance.ts';
import { agents, bunkerBroker, company, remarks, suppliers } from './fleet.ts';
import type { Voyage } from './fleet-state.ts';

export function planBunkerOrder(portCall: number, vessel: number, random: Random) {
  const planLine = (bunkerType: string, minQuantity: number, unitPrice: number) => {
    return { bunkerType, minQuantity, maxQuantity: roundTo(minQuantity * 1.05, 0.1), unitPrice };
  };
  return {
    externalObjectKey: `demo-bunkers-${portCall}`,
    externalReferenceNo: `DEMO-BO-${portCall}`,
    bunkerOrderStatus: 'PLN',
    portCall,
    vessel,
    bunkerSupplier: pick(random, suppliers),
    bunkerBroker,
    bunkerAccountOf: company,
    currency: 'USD',
    exchangeRate: 1,
    extraCost: between(random, 0, 2400, 0.5),
    bunkerOrderLines: [
      planLine('VLSFO', between(random, 280, 900, 10), between(random, 540, 620, 0.25)),
      planLine('LSMGO', between(random, 40, 120, 5), between(random, 690, 780, 0.25)),
    ],
  };
}

export function planFreightInvoice(voyage: Voyage, random: Random) {
  const [freight, demurrage] = [roundTo(voyage.grossFreight ?? 0, 0.01), between(random, 0, 84_000, 250.5)];
  return {
    externalObjectKey: `demo-freight-${voyage.key}`,
    documentNo: `FRT-${voyage.key}`,
    documentText: `Freight and demurrage, voyage ${voyage.referenceNo} of ${voyage.vessel?.vesselName}`,
    documentType: 'INO',
    invoicingStatus: 'PEN',
    businessPartner: voyage.cargos[0]?.charterer.businessPartnerCode,
    ...planLines(voyage, { 'Freight as per charter party': freight, Demurrage: demurrage }),
  };
}

/** What the agent of the voyage's first port charges. */
export function planDisbursement(voyage: Voyage, random: Random) {
  const [dues, towage] = [between(random, 18_000, 65_000, 12.35), between(random, 6_000, 21_000, 7.1)];
  return {
    externalObjectKey: `demo-disbursement-${voyage.key}`,
    documentNo: `DA-${voyage.key}`,
    documentText: `Port disbursements at ${voyage.portCalls[0]?.port.portName}, voyage ${voyage.referenceNo}`,
    documentType: 'INI',
    invoicingStatus: 'RFP',
    businessPartner: pick(random, agents),
    ...planLines(voyage, { 'Port and light dues': dues, 'Towage and mooring': towage }),
  };
}

function planLines({ key: voyage }: Voyage, amounts: Record<string, number>) {
  const documentLines = Object.entries(amounts).map(([lineText, amount]) => ({
    lineText,
    amount,
    quantity: 1,
    voyage,
  }));
  const documentAmount = roundTo(sum(Object.values(amounts)), 0.01);
  return { company, voyage, currency: 'USD', vat: 0, documentAmount, documentLines };
}

export function planRemark(source: number, random: Random) {
  const [remarkTitle, remarkText] = pick(random, remarks)!;
  return { externalObjectKey: `demo-remark-${source}`, source, remarkTitle, remarkText };
}
