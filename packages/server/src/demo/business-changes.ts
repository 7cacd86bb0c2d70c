// Demo changes made ashore: cargo figures are adjusted, bunkers ordered and delivered, invoices written and posted, and
// remarks added.

import { between, pick, type Random, roundTo } from './chance.ts';
import {
  type BunkerOrderStatus,
  type BunkerOrderView,
  openBunkerOrders,
  openDocuments,
  openVoyages,
} from './fleet-view.ts';
import { planBunkerOrder, planFreightInvoice, planRemark } from './plan-paperwork.ts';
import { tell } from './tell.ts';
import { amount } from './wording.ts';
import type { Change } from './world.ts';

export const adjustCargo: Change = async ({ client, random }) => {
  const voyages = (await openVoyages(client)).filter(({ voyageStatus }) => voyageStatus !== 'FIN');
  const cargo = pick(
    random,
    voyages.flatMap(({ cargos }) => cargos),
  );
  if (!cargo?.quantity) return undefined;
  const quantity = roundTo(cargo.quantity * (1 + between(random, -0.012, 0.012, 0.0005)), 0.001);
  if (quantity === cargo.quantity) return undefined;
  const figures = `quantity ${amount(cargo.quantity)} → ${amount(quantity)} ${cargo.cargoMeasurement}`;
  const line = `Cargo ${cargo.key} ${cargo.commodity.commodityName}: ${figures}`;
  return tell(line, await client.change('Cargo', cargo.key, { quantity }));
};

export const advanceBunkerOrder: Change = async ({ client, random }) => {
  const chosen = pick(
    random,
    (await openBunkerOrders(client)).flatMap((order) => {
      const next = nextStatus(order, random);
      return next ? [{ order, next }] : [];
    }),
  );
  if (!chosen) return undefined;
  const { order, next } = chosen;
  const delivery = next === 'DLV' ? delivered(order, random) : undefined;
  const tons = delivery?.bunkerOrderLines.reduce((sum, line) => sum + line.bunkeredQuantity, 0);
  const what = tons === undefined ? '' : `, ${amount(tons)} t bunkered`;
  const line = `BunkerOrder ${order.key} ${order.portCall.port.portName}: ${order.bunkerOrderStatus} → ${next}${what}`;
  return tell(line, await client.change('BunkerOrder', order.key, { bunkerOrderStatus: next, ...delivery }));
};

function nextStatus({ bunkerOrderStatus, portCall }: BunkerOrderView, random: Random): BunkerOrderStatus | undefined {
  const isBerthed = portCall.eventLogs.some(({ event }) => event === 'BRT');
  switch (bunkerOrderStatus) {
    case 'PLN':
      return random() < 0.1 ? 'CAN' : 'REQ';
    case 'REQ':
      return 'ORD';
    case 'ORD':
      return isBerthed ? 'DLV' : undefined;
    case 'DLV':
      return 'INV';
    default:
      return undefined;
  }
}

function delivered(order: BunkerOrderView, random: Random) {
  const bunkerOrderLines = order.bunkerOrderLines.map(({ key, minQuantity, maxQuantity }) => ({
    key,
    bunkeredQuantity: between(random, minQuantity, maxQuantity, 0.001),
  }));
  return { bunkeredDate: order.portCall.etb, bunkerOrderLines };
}

/** Orders bunkers for a port call that has no order yet. */
export const orderBunkers: Change = async ({ client, random }) => {
  const voyages = (await openVoyages(client)).filter(({ voyageStatus }) => voyageStatus !== 'FIN');
  const calls = voyages.flatMap(({ portCalls, vessel }) =>
    portCalls.flatMap((call) =>
      vessel && call.eventLogs.length === 0 && call.reasonForCall !== 'C' ? [{ call, vessel }] : [],
    ),
  );
  const chosen = pick(random, calls);
  if (!chosen) return undefined;
  const { call, vessel } = chosen;
  const [existing] = await client.list('BunkerOrder', { filter: [`portCall.key(EQ)${call.key}`], limit: 1 });
  if (existing !== undefined) return undefined;
  const order = planBunkerOrder(call.key, vessel.key, 'PLN', random);
  const [line] = order.bunkerOrderLines;
  const fuel = `${amount(line?.minQuantity ?? 0)} to ${amount(line?.maxQuantity ?? 0)} t ${line?.bunkerType}`;
  const answer = await client.create<{ key: number }>('BunkerOrder', order);
  const key = answer.kind === 'done' ? answer.object.key : 'new';
  return tell(`BunkerOrder ${key} ${call.port.portName}: ${fuel} planned for ${vessel.vesselName}`, answer);
};

export const advanceDocument: Change = async ({ client, random }) => {
  const document = pick(random, await openDocuments(client));
  if (!document) return undefined;
  const invoicingStatus = document.invoicingStatus === 'PEN' ? 'RFP' : 'PST';
  const line = `Document ${document.key} ${document.documentNo}: ${document.invoicingStatus} → ${invoicingStatus}`;
  return tell(line, await client.change('Document', document.key, { invoicingStatus }));
};

/** Invoices a finished voyage that has no invoice yet. */
export const invoiceFreight: Change = async ({ client, random }) => {
  const finished = (await openVoyages(client)).filter(({ voyageStatus }) => voyageStatus === 'FIN');
  const voyage = pick(random, finished);
  if (!voyage) return undefined;
  const invoice = planFreightInvoice(voyage, random);
  const filter = [`externalObjectKey(EQ)${invoice.externalObjectKey}`];
  const [existing] = await client.list('Document', { filter, limit: 1 });
  if (existing !== undefined) return undefined;
  const answer = await client.create<{ key: number }>('Document', invoice);
  const key = answer.kind === 'done' ? answer.object.key : 'new';
  return tell(
    `Document ${key} ${invoice.documentNo}: ${amount(invoice.documentAmount)} USD, ${invoice.documentText}`,
    answer,
  );
};

export const writeRemark: Change = async ({ client, random }) => {
  const voyages = await openVoyages(client);
  const call = pick(
    random,
    voyages.flatMap(({ portCalls }) => portCalls),
  );
  if (!call) return undefined;
  const remark = planRemark(call.key, random);
  const answer = await client.create<{ key: number }>('Remarks', remark);
  const key = answer.kind === 'done' ? answer.object.key : 'new';
  return tell(`Remarks ${key} on PortCall ${call.key} ${call.port.portName}: ${remark.remarkTitle}`, answer);
};
