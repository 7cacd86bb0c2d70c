// An order of fuel for a vessel at a port call.

import type { TypeDeclaration } from '../object-type.ts';

export const bunkerOrders: Record<string, TypeDeclaration> = {
  BunkerOrder: {
    description: 'An order of fuel for a vessel, delivered at a port call.',
    shownBy: ['externalReferenceNo'],
    attributes: {
      bunkerOrderStatus: {
        kind: 'code',
        values: ['PLN', 'REQ', 'ORD', 'DLV', 'INV', 'CAN'],
        isRequired: true,
        description: 'Planned, requested, ordered, delivered, invoiced, cancelled.',
        example: 'PLN',
      },
      externalReferenceNo: {
        kind: 'text',
        maxLength: 64,
        isUnique: true,
        description: 'Reference of the supplier or broker. Unique.',
      },
      bunkeredDate: { kind: 'dateTime', description: 'When the fuel was delivered.' },
      exchangeRate: { kind: 'decimal', description: 'From the currency of the order to the base currency.' },
      extraCost: { kind: 'decimal', description: 'Barging, pilotage and other costs.' },
      portCall: { kind: 'reference', to: 'PortCall', isFollowed: true, isRequired: true },
      vessel: { kind: 'reference', to: 'Vessel', isRequired: true },
      bunkerSupplier: { kind: 'reference', to: 'BusinessPartner' },
      bunkerBroker: { kind: 'reference', to: 'BusinessPartner' },
      bunkerAccountOf: { kind: 'reference', to: 'BusinessPartner' },
      currency: { kind: 'reference', to: 'Currency' },
    },
  },
  BunkerOrderLine: {
    description: 'One kind of fuel in a bunker order.',
    attributes: {
      minQuantity: { kind: 'decimal', isRequired: true, description: 'Least quantity ordered, in metric tons.' },
      maxQuantity: { kind: 'decimal', isRequired: true, description: 'Greatest quantity ordered, in metric tons.' },
      bunkeredQuantity: { kind: 'decimal', description: 'Quantity delivered, in metric tons.' },
      unitPrice: { kind: 'decimal', isRequired: true, description: 'Price of a metric ton.' },
      extraCost: { kind: 'decimal', description: 'Barging, pilotage and other costs.' },
      bunkerOrder: { kind: 'owner', to: 'BunkerOrder', collection: 'bunkerOrderLines', minItems: 1, isRequired: true },
      bunkerType: { kind: 'reference', to: 'BunkerType', isRequired: true },
    },
  },
};
