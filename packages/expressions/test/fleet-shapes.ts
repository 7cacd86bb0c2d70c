// The object types that the tests of expressions use: a small fleet.

import type { AttributeShape, ObjectShape, ScalarKind, ScalarShape } from '../src/input/object-shape.ts';

type Declared = ScalarKind | { code: string[] } | { to: string } | { of: string };

export interface DeclaredType {
  attributes: Record<string, Declared>;
  /** The attribute that is compared when a reference is compared with a text. */
  code?: string;
}

const everyType: Record<string, ScalarKind> = {
  createdDate: 'dateTime',
  modifiedDate: 'dateTime',
  createdById: 'key',
  changedById: 'key',
  externalObjectKey: 'text',
};

export function shapesOf(declared: Record<string, DeclaredType>): ReadonlyMap<string, ObjectShape> {
  const shapes = new Map(
    Object.keys(declared).map((name) => [name, { name, attributes: new Map<string, AttributeShape>() }] as const),
  );
  for (const [name, { attributes, code }] of Object.entries(declared)) {
    const shape = shapes.get(name)!;
    shape.attributes.set('key', { kind: 'key', name: 'key', description: '', values: [] });
    shape.attributes.set('self', { kind: 'self', name: 'self', description: '' });
    for (const [attribute, details] of Object.entries({ ...everyType, ...attributes }))
      shape.attributes.set(attribute, attributeOf(attribute, details, shapes));
    if (code !== undefined) Object.assign(shape, { code: shape.attributes.get(code) as ScalarShape });
  }
  return shapes;
}

function attributeOf(name: string, details: Declared, shapes: ReadonlyMap<string, ObjectShape>): AttributeShape {
  const named = { name, description: `The ${name}.` };
  if (typeof details === 'string') return { kind: details, values: [], ...named };
  if ('code' in details) return { kind: 'code', values: details.code, ...named };
  if ('to' in details) return { kind: 'reference', target: shapes.get(details.to)!, ...named };
  return { kind: 'collection', of: shapes.get(details.of)!, ...named };
}

export const fleet = shapesOf({
  Attachment: {
    attributes: {
      fileName: 'text',
      file: 'binary',
      remarks: { to: 'Remarks' },
    },
  },
  BunkerOrder: {
    attributes: {
      bunkerOrderStatus: { code: ['PLN', 'REQ', 'ORD', 'DLV', 'INV', 'CAN'] },
      externalReferenceNo: 'text',
      bunkeredDate: 'dateTime',
      exchangeRate: 'decimal',
      extraCost: 'decimal',
      portCall: { to: 'PortCall' },
      vessel: { to: 'Vessel' },
      bunkerSupplier: { to: 'BusinessPartner' },
      bunkerBroker: { to: 'BusinessPartner' },
      bunkerAccountOf: { to: 'BusinessPartner' },
      currency: { to: 'Currency' },
      bunkerOrderLines: { of: 'BunkerOrderLine' },
      remarks: { of: 'Remarks' },
    },
  },
  BunkerOrderLine: {
    attributes: {
      minQuantity: 'decimal',
      maxQuantity: 'decimal',
      bunkeredQuantity: 'decimal',
      unitPrice: 'decimal',
      extraCost: 'decimal',
      bunkerOrder: { to: 'BunkerOrder' },
      bunkerType: { to: 'BunkerType' },
      remarks: { of: 'Remarks' },
    },
  },
  BunkerType: {
    attributes: {
      bunkerTypeCode: 'text',
      bunkerTypeName: 'text',
      sulphurPercent: 'decimal',
      remarks: { of: 'Remarks' },
    },
    code: 'bunkerTypeCode',
  },
  BusinessPartner: {
    attributes: {
      businessPartnerName: 'text',
      businessPartnerCode: 'text',
      businessPartnerType: { code: ['CHR', 'AGT', 'SUP', 'BRK', 'OWN', 'CMP', 'OTH'] },
      remarks: { of: 'Remarks' },
    },
    code: 'businessPartnerCode',
  },
  Cargo: {
    attributes: {
      cargoReference: 'text',
      cargoType: { code: ['SPOT', 'COA'] },
      cpDate: 'dateTime',
      quantity: 'decimal',
      cargoMeasurement: { code: ['MT', 'CBM', 'LT'] },
      freightRate: 'decimal',
      isOption: 'boolean',
      externalReference: 'text',
      voyage: { to: 'Voyage' },
      commodity: { to: 'Commodity' },
      charterer: { to: 'BusinessPartner' },
      freightCurrency: { to: 'Currency' },
      cargoPorts: { of: 'CargoPort' },
      remarks: { of: 'Remarks' },
    },
  },
  CargoPort: {
    attributes: {
      cargoPortSequence: 'integer',
      reasonForCall: { code: ['L', 'D'] },
      quantity: 'decimal',
      cargo: { to: 'Cargo' },
      port: { to: 'Port' },
      portCall: { to: 'PortCall' },
      remarks: { of: 'Remarks' },
    },
  },
  Commodity: {
    attributes: {
      commodityCode: 'text',
      commodityName: 'text',
      remarks: { of: 'Remarks' },
    },
    code: 'commodityCode',
  },
  Currency: {
    attributes: {
      currencyCode: 'text',
      currencyName: 'text',
      remarks: { of: 'Remarks' },
    },
    code: 'currencyCode',
  },
  Document: {
    attributes: {
      documentNo: 'text',
      documentText: 'text',
      externalDocumentNo: 'text',
      documentType: { code: ['INI', 'INO', 'CRI', 'CRO', 'ACC', 'ACP'] },
      invoicingStatus: { code: ['PEN', 'RFP', 'PST'] },
      documentAmount: 'decimal',
      vat: 'decimal',
      company: { to: 'BusinessPartner' },
      businessPartner: { to: 'BusinessPartner' },
      voyage: { to: 'Voyage' },
      currency: { to: 'Currency' },
      documentLines: { of: 'DocumentLine' },
      remarks: { of: 'Remarks' },
    },
  },
  DocumentLine: {
    attributes: {
      lineText: 'text',
      amount: 'decimal',
      quantity: 'decimal',
      document: { to: 'Document' },
      voyage: { to: 'Voyage' },
      remarks: { of: 'Remarks' },
    },
  },
  EventLog: {
    attributes: {
      event: { code: ['ARR', 'BRT', 'DEP'] },
      eventLogDate: 'dateTime',
      isDateFixed: 'boolean',
      portCall: { to: 'PortCall' },
      remarks: { of: 'Remarks' },
    },
  },
  Port: {
    attributes: {
      portName: 'text',
      unLoCode: 'text',
      country: 'text',
      timezone: 'text',
      isCanal: 'boolean',
      remarks: { of: 'Remarks' },
    },
    code: 'unLoCode',
  },
  PortCall: {
    attributes: {
      portCallSequence: 'integer',
      reasonForCall: { code: ['L', 'D', 'C', 'E', 'DD', 'DEL', 'RED', 'B', 'R', 'CL', 'STS', 'W', 'CC'] },
      eta: 'dateTime',
      etb: 'dateTime',
      etd: 'dateTime',
      arrivalFixed: 'boolean',
      departureFixed: 'boolean',
      speed: 'decimal',
      daysAtSea: 'decimal',
      distanceActual: 'decimal',
      voyage: { to: 'Voyage' },
      port: { to: 'Port' },
      agent: { to: 'BusinessPartner' },
      currency: { to: 'Currency' },
      eventLogs: { of: 'EventLog' },
      remarks: { of: 'Remarks' },
    },
  },
  Remarks: {
    attributes: {
      remarkTitle: 'text',
      remarkText: 'text',
      source: 'key',
      attachments: { of: 'Attachment' },
    },
  },
  Vessel: {
    attributes: {
      vesselName: 'text',
      imoNumber: 'text',
      callSignal: 'text',
      vesselType: 'text',
      flag: 'text',
      builtYear: 'integer',
      dwtSummer: 'decimal',
      remarks: { of: 'Remarks' },
    },
  },
  Voyage: {
    attributes: {
      referenceNo: 'integer',
      voyageStatus: { code: ['EST', 'NOM', 'OPR', 'FIN', 'CLO'] },
      comments: 'text',
      estimatedVoyageStartDate: 'dateTime',
      isTc: 'boolean',
      daysTotal: 'decimal',
      daysLoading: 'decimal',
      daysDischarging: 'decimal',
      daysWaiting: 'decimal',
      milesBallast: 'decimal',
      milesLoaded: 'decimal',
      freight: 'decimal',
      grossFreight: 'decimal',
      commission: 'decimal',
      demurrage: 'decimal',
      despatch: 'decimal',
      foPrice: 'decimal',
      foConsumption: 'decimal',
      foCost: 'decimal',
      vessel: { to: 'Vessel' },
      ballastPort: { to: 'Port' },
      portCalls: { of: 'PortCall' },
      cargos: { of: 'Cargo' },
      remarks: { of: 'Remarks' },
    },
  },
});
