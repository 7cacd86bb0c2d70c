// A cargo with the ports where it is loaded and discharged.

import type { TypeDeclaration } from '../object-type.ts';

export const cargoes: Record<string, TypeDeclaration> = {
  Cargo: {
    description: 'Goods that a charterer ships. Can exist without a voyage.',
    shownBy: ['cargoReference'],
    attributes: {
      cargoReference: { kind: 'text', description: 'Reference of the cargo.' },
      cargoType: { kind: 'code', values: ['SPOT', 'COA'], description: 'Spot, or under a contract of affreightment.' },
      cpDate: { kind: 'dateTime', description: 'Date of the charter party.' },
      quantity: { kind: 'decimal', description: 'How much, in the unit of the cargo.' },
      cargoMeasurement: {
        kind: 'code',
        values: ['MT', 'CBM', 'LT'],
        isRequired: true,
        description: 'Unit of the quantity: metric tons, cubic metres, long tons.',
        example: 'MT',
      },
      freightRate: { kind: 'decimal', description: 'Freight per unit, in the freight currency.' },
      isOption: { kind: 'boolean', description: 'Whether the cargo is an option, not yet firm.' },
      externalReference: { kind: 'text', maxLength: 64, description: 'Reference of the charterer.' },
      voyage: { kind: 'owner', to: 'Voyage', collection: 'cargos' },
      commodity: { kind: 'reference', to: 'Commodity', isRequired: true },
      charterer: { kind: 'reference', to: 'BusinessPartner', isRequired: true },
      freightCurrency: { kind: 'reference', to: 'Currency', isRequired: true },
    },
  },
  CargoPort: {
    description: 'A port where the cargo, or a part of it, is loaded or discharged.',
    attributes: {
      cargoPortSequence: {
        kind: 'integer',
        isSequence: true,
        description: 'Position in the cargo. Default: after the last one.',
      },
      reasonForCall: {
        kind: 'code',
        values: ['L', 'D'],
        isRequired: true,
        description: 'Loads or discharges.',
        example: 'L',
      },
      quantity: { kind: 'decimal', description: 'How much, in the unit of the cargo.' },
      cargo: { kind: 'owner', to: 'Cargo', collection: 'cargoPorts', isRequiredInOwner: true, isRequired: true },
      port: { kind: 'reference', to: 'Port', isRequired: true },
      portCall: { kind: 'reference', to: 'PortCall' },
    },
  },
};
