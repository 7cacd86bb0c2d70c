// The object types of a service, rendered from its API description (/openapi.json). Generated: do not edit it.

export interface Catalogue {
  /** A sailing of one vessel over a series of port calls, with its cargoes and earnings. */
  Voyage: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Number of the voyage, assigned by the service. */
      referenceNo: number;
      /** Estimated, nominated, operational, finished, closed. */
      voyageStatus: 'EST' | 'NOM' | 'OPR' | 'FIN' | 'CLO' | null;
      /** A short note. */
      comments: string | null;
      /** When the voyage is expected to start. */
      estimatedVoyageStartDate: string | null;
      /** Whether the vessel is on time charter. */
      isTc: boolean | null;
      /** Length of the voyage in days. */
      daysTotal: number | null;
      /** Days spent loading. */
      daysLoading: number | null;
      /** Days spent discharging. */
      daysDischarging: number | null;
      /** Days spent waiting. */
      daysWaiting: number | null;
      /** Nautical miles sailed in ballast. */
      milesBallast: number | null;
      /** Nautical miles sailed with cargo. */
      milesLoaded: number | null;
      /** Net freight. */
      freight: number | null;
      /** Freight before commission. */
      grossFreight: number | null;
      /** Commission on the freight. */
      commission: number | null;
      /** Paid to the owner for lost time. */
      demurrage: number | null;
      /** Paid by the owner for saved time. */
      despatch: number | null;
      /** Price of fuel oil. */
      foPrice: number | null;
      /** Consumption of fuel oil. */
      foConsumption: number | null;
      /** Cost of fuel oil. */
      foCost: number | null;
    };
    references: {
      /** Reference to a Vessel. */
      vessel: 'Vessel' | null;
      /** Where the vessel sails from in ballast. */
      ballastPort: 'Port' | null;
    };
    collections: {
      /** The PortCall objects, ordered by portCallSequence. */
      portCalls: 'PortCall';
      /** The Cargo objects, ordered by key. An object that a PUT omits is detached, not deleted. */
      cargos: 'Cargo';
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: 'referenceNo' | 'vessel';
    onlyInObject: 'portCalls' | 'cargos';
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: VoyageCreate;
    change: VoyageChange;
    actions: Record<never, never>;
  };
  /** A call of the vessel at a port. */
  PortCall: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Position in the voyage. Default: after the last one. */
      portCallSequence: number;
      /** Why the vessel calls: L loads, D discharges, B bunkers, and so on. */
      reasonForCall: 'L' | 'D' | 'C' | 'E' | 'DD' | 'DEL' | 'RED' | 'B' | 'R' | 'CL' | 'STS' | 'W' | 'CC';
      /** Estimated time of arrival. */
      eta: string | null;
      /** Estimated time of berthing. */
      etb: string | null;
      /** Estimated time of departure. */
      etd: string | null;
      /** Whether the arrival is known, no longer estimated. */
      arrivalFixed: boolean | null;
      /** Whether the departure is known, no longer estimated. */
      departureFixed: boolean | null;
      /** Speed to this port in knots. */
      speed: number | null;
      /** Days at sea to this port. */
      daysAtSea: number | null;
      /** Nautical miles sailed to this port. */
      distanceActual: number | null;
    };
    references: {
      /** The Voyage that the object belongs to. */
      voyage: 'Voyage';
      /** Reference to a Port. */
      port: 'Port';
      /** Agent: a BusinessPartner. */
      agent: 'BusinessPartner' | null;
      /** Reference to a Currency. */
      currency: 'Currency' | null;
    };
    collections: {
      /** The EventLog objects, ordered by key. */
      eventLogs: 'EventLog';
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: 'reasonForCall' | 'eta' | 'port';
    onlyInObject: 'eventLogs';
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: PortCallCreate;
    change: PortCallChange;
    actions: Record<never, never>;
  };
  /** Something that happened at a port call, and when. */
  EventLog: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Arrived, berthed, departed. */
      event: 'ARR' | 'BRT' | 'DEP';
      /** When it happened. */
      eventLogDate: string | null;
      /** Whether the time is known, no longer estimated. */
      isDateFixed: boolean | null;
    };
    references: {
      /** The PortCall that the object belongs to. */
      portCall: 'PortCall';
    };
    collections: {
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: never;
    onlyInObject: never;
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: EventLogCreate;
    change: EventLogChange;
    actions: Record<never, never>;
  };
  /** Goods that a charterer ships. Can exist without a voyage. */
  Cargo: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Reference of the cargo. */
      cargoReference: string | null;
      /** Spot, or under a contract of affreightment. */
      cargoType: 'SPOT' | 'COA' | null;
      /** Date of the charter party. */
      cpDate: string | null;
      /** How much, in the unit of the cargo. */
      quantity: number | null;
      /** Unit of the quantity: metric tons, cubic metres, long tons. */
      cargoMeasurement: 'MT' | 'CBM' | 'LT';
      /** Freight per unit, in the freight currency. */
      freightRate: number | null;
      /** Whether the cargo is an option, not yet firm. */
      isOption: boolean | null;
      /** Reference of the charterer. */
      externalReference: string | null;
    };
    references: {
      /** The Voyage that the object belongs to. Optional: the object may belong to none. */
      voyage: 'Voyage' | null;
      /** Reference to a Commodity. */
      commodity: 'Commodity';
      /** Charterer: a BusinessPartner. */
      charterer: 'BusinessPartner';
      /** Freight currency: a Currency. */
      freightCurrency: 'Currency';
    };
    collections: {
      /** The CargoPort objects, ordered by cargoPortSequence. At least one when the object is created. */
      cargoPorts: 'CargoPort';
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: 'cargoReference';
    onlyInObject: 'cargoPorts';
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: CargoCreate;
    change: CargoChange;
    actions: Record<never, never>;
  };
  /** A port where the cargo, or a part of it, is loaded or discharged. */
  CargoPort: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Position in the cargo. Default: after the last one. */
      cargoPortSequence: number;
      /** Loads or discharges. */
      reasonForCall: 'L' | 'D';
      /** How much, in the unit of the cargo. */
      quantity: number | null;
    };
    references: {
      /** The Cargo that the object belongs to. */
      cargo: 'Cargo';
      /** Reference to a Port. */
      port: 'Port';
      /** Reference to a PortCall. */
      portCall: 'PortCall' | null;
    };
    collections: {
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: never;
    onlyInObject: never;
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: CargoPortCreate;
    change: CargoPortChange;
    actions: Record<never, never>;
  };
  /** An order of fuel for a vessel, delivered at a port call. */
  BunkerOrder: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Planned, requested, ordered, delivered, invoiced, cancelled. */
      bunkerOrderStatus: 'PLN' | 'REQ' | 'ORD' | 'DLV' | 'INV' | 'CAN';
      /** Reference of the supplier or broker. Unique. Unique. */
      externalReferenceNo: string | null;
      /** When the fuel was delivered. */
      bunkeredDate: string | null;
      /** From the currency of the order to the base currency. */
      exchangeRate: number | null;
      /** Barging, pilotage and other costs. */
      extraCost: number | null;
    };
    references: {
      /** Reference to a PortCall. */
      portCall: 'PortCall';
      /** Reference to a Vessel. */
      vessel: 'Vessel';
      /** Bunker supplier: a BusinessPartner. */
      bunkerSupplier: 'BusinessPartner' | null;
      /** Bunker broker: a BusinessPartner. */
      bunkerBroker: 'BusinessPartner' | null;
      /** Bunker account of: a BusinessPartner. */
      bunkerAccountOf: 'BusinessPartner' | null;
      /** Reference to a Currency. */
      currency: 'Currency' | null;
    };
    collections: {
      /** The BunkerOrderLine objects, ordered by key. Always at least 1. */
      bunkerOrderLines: 'BunkerOrderLine';
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: 'externalReferenceNo';
    onlyInObject: 'bunkerOrderLines';
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: BunkerOrderCreate;
    change: BunkerOrderChange;
    actions: Record<never, never>;
  };
  /** One kind of fuel in a bunker order. */
  BunkerOrderLine: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Least quantity ordered, in metric tons. */
      minQuantity: number;
      /** Greatest quantity ordered, in metric tons. */
      maxQuantity: number;
      /** Quantity delivered, in metric tons. */
      bunkeredQuantity: number | null;
      /** Price of a metric ton. */
      unitPrice: number;
      /** Barging, pilotage and other costs. */
      extraCost: number | null;
    };
    references: {
      /** The BunkerOrder that the object belongs to. */
      bunkerOrder: 'BunkerOrder';
      /** Reference to a BunkerType. */
      bunkerType: 'BunkerType';
    };
    collections: {
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: never;
    onlyInObject: never;
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: BunkerOrderLineCreate;
    change: BunkerOrderLineChange;
    actions: Record<never, never>;
  };
  /** An invoice, credit note or accrual. */
  Document: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Number of the document. */
      documentNo: string | null;
      /** What the document is about. */
      documentText: string | null;
      /** Number in the other system. */
      externalDocumentNo: string | null;
      /** Invoice in or out, credit note in or out, accrued cost, accrued profit. */
      documentType: 'INI' | 'INO' | 'CRI' | 'CRO' | 'ACC' | 'ACP';
      /** Pending, ready for posting, posted. */
      invoicingStatus: 'PEN' | 'RFP' | 'PST' | null;
      /** Amount without VAT. */
      documentAmount: number | null;
      /** Value added tax. */
      vat: number | null;
    };
    references: {
      /** Company: a BusinessPartner. */
      company: 'BusinessPartner';
      /** Reference to a BusinessPartner. */
      businessPartner: 'BusinessPartner' | null;
      /** Reference to a Voyage. */
      voyage: 'Voyage' | null;
      /** Reference to a Currency. */
      currency: 'Currency' | null;
    };
    collections: {
      /** The DocumentLine objects, ordered by key. */
      documentLines: 'DocumentLine';
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: 'documentNo' | 'documentType';
    onlyInObject: 'documentLines';
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: DocumentCreate;
    change: DocumentChange;
    actions: Record<never, never>;
  };
  /** One line of a document. */
  DocumentLine: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** What the line is about. */
      lineText: string | null;
      /** Amount of the line. */
      amount: number | null;
      /** Quantity of the line. */
      quantity: number | null;
    };
    references: {
      /** The Document that the object belongs to. */
      document: 'Document';
      /** Reference to a Voyage. */
      voyage: 'Voyage' | null;
    };
    collections: {
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: never;
    onlyInObject: never;
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: DocumentLineCreate;
    change: DocumentLineChange;
    actions: Record<never, never>;
  };
  /** A note about any object. It is deleted with the object and is never notified. */
  Remarks: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Title of the remark. */
      remarkTitle: string | null;
      /** The remark itself. */
      remarkText: string | null;
      /** Key of the object that the remark is about. */
      source: number;
    };
    references: Record<never, never>;
    collections: {
      /** The Attachment objects, ordered by key. */
      attachments: 'Attachment';
    };
    shownBy: 'remarkTitle';
    onlyInObject: 'attachments';
    onlyByFields: never;
    shownOnce: Record<never, never>;
    create: RemarksCreate;
    change: RemarksChange;
    actions: Record<never, never>;
  };
  /** A file attached to a remark. */
  Attachment: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Name of the file, as the caller gave it. */
      fileName: string;
      /** The content in Base64. Shown only if `fields` selects it. */
      file: string;
    };
    references: {
      /** The Remarks that the object belongs to. */
      remarks: 'Remarks';
    };
    collections: Record<never, never>;
    shownBy: never;
    onlyInObject: never;
    onlyByFields: 'file';
    shownOnce: Record<never, never>;
    create: AttachmentCreate;
    change: AttachmentChange;
    actions: Record<never, never>;
  };
  /** A ship. */
  Vessel: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Vessel name. */
      vesselName: string;
      /** Seven digits, the last a check digit. An IMO number. */
      imoNumber: string | null;
      /** Radio call sign. */
      callSignal: string | null;
      /** Kind of ship. */
      vesselType: string | null;
      /** State of registration. */
      flag: string | null;
      /** Year of building. */
      builtYear: number | null;
      /** Deadweight at summer draught, in metric tons. */
      dwtSummer: number | null;
    };
    references: Record<never, never>;
    collections: {
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: 'vesselName' | 'imoNumber';
    onlyInObject: never;
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: VesselCreate;
    change: VesselChange;
    actions: Record<never, never>;
  };
  /** A port or canal. */
  Port: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Port name. */
      portName: string | null;
      /** UN/LOCODE. Unique. */
      unLoCode: string;
      /** ISO 3166-1 code of the country. */
      country: string | null;
      /** IANA name of the time zone. */
      timezone: string | null;
      /** Whether it is a canal. */
      isCanal: boolean | null;
    };
    references: Record<never, never>;
    collections: {
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: 'portName' | 'unLoCode';
    onlyInObject: never;
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: PortCreate;
    change: PortChange;
    actions: Record<never, never>;
  };
  /** A company we deal with, or one of our own. */
  BusinessPartner: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Name of the company. */
      businessPartnerName: string | null;
      /** Business partner code. Unique. */
      businessPartnerCode: string;
      /** Charterer, agent, supplier, broker, owner, own company, other. */
      businessPartnerType: 'CHR' | 'AGT' | 'SUP' | 'BRK' | 'OWN' | 'CMP' | 'OTH' | null;
    };
    references: Record<never, never>;
    collections: {
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: 'businessPartnerName' | 'businessPartnerCode';
    onlyInObject: never;
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: BusinessPartnerCreate;
    change: BusinessPartnerChange;
    actions: Record<never, never>;
  };
  /** A currency of ISO 4217. */
  Currency: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Currency code. Unique. */
      currencyCode: string;
      /** Currency name. */
      currencyName: string | null;
    };
    references: Record<never, never>;
    collections: {
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: 'currencyCode' | 'currencyName';
    onlyInObject: never;
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: CurrencyCreate;
    change: CurrencyChange;
    actions: Record<never, never>;
  };
  /** A kind of goods. */
  Commodity: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Commodity code. Unique. */
      commodityCode: string;
      /** Name of the goods. */
      commodityName: string | null;
    };
    references: Record<never, never>;
    collections: {
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: 'commodityCode' | 'commodityName';
    onlyInObject: never;
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: CommodityCreate;
    change: CommodityChange;
    actions: Record<never, never>;
  };
  /** A grade of fuel. */
  BunkerType: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** Bunker type code. Unique. */
      bunkerTypeCode: string;
      /** Name of the grade. */
      bunkerTypeName: string | null;
      /** Sulphur percent. */
      sulphurPercent: number | null;
    };
    references: Record<never, never>;
    collections: {
      /** Remarks about the object; written at their own resource. Shown only if `fields` selects it. */
      remarks: 'Remarks';
    };
    shownBy: 'bunkerTypeCode' | 'bunkerTypeName';
    onlyInObject: never;
    onlyByFields: 'remarks';
    shownOnce: Record<never, never>;
    create: BunkerTypeCreate;
    change: BunkerTypeChange;
    actions: Record<never, never>;
  };
  /** A person or system that clients act for. Every change names its user. */
  ApiUser: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** User code. Unique. */
      userCode: string;
      /** Name. */
      name: string;
      /** Alerts go here, such as the alert of a deactivated subscription. One e-mail address. */
      email: string | null;
      /** The edition of the API that the user has. Default `ENTERPRISE`. */
      edition: 'STANDARD' | 'ENTERPRISE';
      /** The API version of requests that name none. Null: the newest version. From 3.3 to 6.44. */
      apiVersion: string | null;
      /** false: requests of its clients are rejected. Default `true`. */
      active: boolean;
    };
    references: Record<never, never>;
    collections: Record<never, never>;
    shownBy: 'userCode' | 'name';
    onlyInObject: never;
    onlyByFields: never;
    shownOnce: Record<never, never>;
    create: ApiUserCreate;
    change: ApiUserChange;
    actions: Record<never, never>;
  };
  /** A program that gets tokens with its id and secret, and acts as its user. */
  ApiClient: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /**
       * Created by the service if none is given. With an external issuer: the id of the client at that
       * issuer. Unique. 3 to 128 visible ASCII characters, no space, quote or backslash. Set on create;
       * cannot be changed later.
       */
      clientId: string;
      /** What the client may do. A set: the order does not matter. At least 1. */
      scopes: ('read' | 'write' | 'webhook' | 'admin')[];
      /**
       * The audiences that the client can request tokens for. Default: the audience of this environment. A
       * set: the order does not matter. At least 1.
       */
      audiences: string[];
      /** false: its tokens are rejected, and it gets no new ones. Default `true`. */
      active: boolean;
      /** Until when the previous secret is still accepted. */
      previousSecretExpiresDate: string | null;
      /** When the current secret was created. */
      secretDate: string | null;
    };
    references: {
      /** The user that the client acts as. */
      user: 'ApiUser';
    };
    collections: Record<never, never>;
    shownBy: never;
    onlyInObject: never;
    onlyByFields: never;
    shownOnce: {
      /** Shown once, in the response that creates the client. Only a hash is stored. */
      clientSecret: string;
    };
    create: ApiClientCreate;
    change: ApiClientChange;
    actions: {
      /** Give an ApiClient a new secret */
      rotateSecret: {
        on: 'object';
        method: 'POST';
        takes: ApiClientRotateSecretRequest;
        answers: ApiClientRotateSecretAnswer;
      };
    };
  };
  /** Who changed users, clients and keys, signed in to the console, or looked as another user. Read-only. */
  AuditLog: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** The operation. `createdDate` says when, `createdById` by whom. */
      action: 'CREATE' | 'CHANGE' | 'DELETE' | 'ROTATE_KEY' | 'DISTRUST_KEYS' | 'CREATE_LINK' | 'SIGN_IN' | 'SIGN_OUT' | 'VIEW_AS';
      /** Object type. */
      objectType: string;
      /** Key of the object; null for a signing key. */
      objectKey: number | null;
      /** Its code, or the id of the signing key. */
      objectName: string | null;
      /** Who made the change; null for a change by SQL. */
      userCode: string | null;
      /** The client that was used, `console <userCode>` for a link, or `command line`. */
      clientId: string | null;
      /** Attribute → `[before, after]`. Never contains secrets. */
      changes: unknown;
    };
    references: Record<never, never>;
    collections: Record<never, never>;
    shownBy: never;
    onlyInObject: never;
    onlyByFields: never;
    shownOnce: Record<never, never>;
    create: never;
    change: never;
    actions: Record<never, never>;
  };
  /**
   * A script that decides whether a subscription is notified, and can write the message. It runs in a
   * sandbox and sees only its inputs.
   */
  AlertScript: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** The code that subscriptions use in `dlpAlertScript`. Unique. */
      code: string;
      /** Name. */
      name: string;
      /** The purpose of the script. */
      description: string | null;
      /**
       * JavaScript: the body of a function with `svcObject`, `oldSvcObject`, `user`, `parameters`, `message`
       * and `console`. It returns true or false, or sets `message.subject` and `message.body`.
       */
      body: string;
      /** The parameters that subscriptions set in `scriptParameterValues`: exactly those that the body uses. */
      parameters: ScriptParameter[] | null;
      /**
       * A field selection: attributes that the script sees in addition to those of the notification. Must
       * fit the type of every subscription that uses the script.
       */
      fields: Record<string, unknown> | null;
    };
    references: Record<never, never>;
    collections: Record<never, never>;
    shownBy: never;
    onlyInObject: 'body';
    onlyByFields: never;
    shownOnce: Record<never, never>;
    create: AlertScriptCreate;
    change: AlertScriptChange;
    actions: Record<never, never>;
  };
  /**
   * Requests notifications, by HTTP or e-mail or stream or NATS, when matching objects are created,
   * updated or deleted.
   */
  WebhookSubscription: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /**
       * What the subscription matches. Each is `<Resource>.<C|U|D>` or, for one object,
       * `<Resource>.<C|U|D>.<key>`. `*` stands for every operation (`BunkerOrder.*`) or every type (`*.D`).
       * Mandatory, here or as `eventType`. The order is kept. At least 1. Set on create; cannot be changed
       * later.
       */
      eventTypes: string[];
      /**
       * Instead of `eventTypes`, if there is one without a wildcard. Otherwise null. Can also be the letter
       * alone, with `objectType` and, for one object, `objectKey`. Set on create; cannot be changed later.
       */
      eventType: string | null;
      /** The first part of `eventType`. Set on create; cannot be changed later. */
      objectType: string | null;
      /** The second part of `eventType`. Set on create; cannot be changed later. */
      operation: 'C' | 'U' | 'D' | null;
      /**
       * The third part of `eventType`: one object. Null: all objects. Set on create; cannot be changed
       * later.
       */
      objectKey: number | null;
      /** A name for people. Mails about the subscription show it. */
      name: string | null;
      /**
       * Where notifications are sent: for HTTP an `http` or `https` URL, for EMAIL one e-mail address, for
       * NATS one or several `nats` or `tls` URLs with commas between them. Required, here or in
       * `channelInfo`; null for STREAM.
       */
      url: string | null;
      /** The channel and the address of notifications. `URL` is the same as `url`. Since 3.9. */
      channelInfo: ChannelInfo;
      /**
       * Headers to send along with each notification over HTTP, at most 20 of 4 kB in all. The values are
       * encrypted at rest and shown as `***`; sent back like that, they stay.
       */
      headers: Record<string, string> | null;
      /**
       * For STREAM: a notification that is not acknowledged within this time is sent again. Null: 30
       * seconds.
       */
      acknowledgeSeconds: number | null;
      /**
       * When failed attempts are repeated; at most 100 attempts over 30 days, or over
       * `FLAGHOIST_BODY_RETENTION_DAYS` if shorter. Null: the default of the service.
       */
      retryPolicy: RetryPolicy | null;
      /** At most this many attempts per second. Notifications over the rate wait. Null: no limit. */
      ratePerSecond: number | null;
      /** Set to true to unsubscribe. This cannot be undone. Default `false`. */
      unsubscribed: boolean;
      /** Sent with `webhookPassword` as HTTP Basic, or as user and password of NATS. */
      webhookUsername: string | null;
      /**
       * A field selection: the attributes that the notification contains. Sent in Base64, or as a JSON
       * object; shown in Base64. Since 3.9.
       */
      json: string | null;
      /**
       * A Java expression over `svcObject`, `oldSvcObject`, `changedObject` and `oldChangedObject`, or its
       * short form. A notification is sent only if it is true. Since 3.9.
       */
      expression: string | null;
      /**
       * The AlertScript that decides whether a notification is sent. Sent as its code, its key or an object
       * with its `key`; shown as its code. Since 3.9.
       */
      dlpAlertScript: string | null;
      /** Values for the parameters of the script, by name. Since 3.9. */
      scriptParameterValues: Record<string, unknown> | null;
      /** Sends the script's message instead of the usual body. Default `false`. Since 3.9. */
      useMsg: boolean;
      /**
       * true: only changes to the subscribed object itself, not to its hierarchy. Default `false`. Set on
       * create; cannot be changed later. Since 3.16.
       */
      onlyMainObject: boolean;
      /**
       * true: only the object is sent, without the envelope. Default `false`. Set on create; cannot be
       * changed later. Since 5.23.
       */
      rawObject: boolean;
      /**
       * true: the envelope also contains `changes`: each changed attribute, with its old and new value.
       * Default `false`. Set on create; cannot be changed later.
       */
      includeChanges: boolean;
      /**
       * An XSLT 1.0 stylesheet in Base64 that creates the body from the object's XML. Set on create; cannot
       * be changed later. Since 5.24. Edition ENTERPRISE only.
       */
      xsl: string | null;
      /** true: never deactivated because of failed deliveries. Default `false`. Since 6.10. */
      doNotUnsubscribe: boolean;
      /**
       * true: changes by the subscription's own user are not notified. Default `false`. Set on create;
       * cannot be changed later. Since 6.44.
       */
      notSendMyChanges: boolean;
      /**
       * OBJECT: notifications about one subscribed object are sent one after the other, in the order of the
       * changes. The next one is sent when the one before was delivered or has failed for good. Default
       * `NONE`. Set on create; cannot be changed later.
       */
      ordering: 'NONE' | 'OBJECT';
      /**
       * DEACTIVATED: deliveries have failed, and nothing more is sent. UNSUBSCRIBED: ended for good. Default
       * `ACTIVE`.
       */
      state: 'ACTIVE' | 'DEACTIVATED' | 'UNSUBSCRIBED';
      /** Since when the subscription has been in this state. */
      stateDate: string | null;
      /** Why the subscription is in this state. */
      stateReason: string | null;
      /** Since when all attempts have failed. Null if the last attempt succeeded. */
      failingSince: string | null;
      /** Number of consecutive failed attempts. */
      consecutiveFailures: number | null;
      /** Number of consecutive failures of the script or stylesheet. */
      shapingFailures: number | null;
      /** The last error of the script or stylesheet, after three consecutive failures. Otherwise null. */
      shapingError: string | null;
      /**
       * Key of an active or deactivated subscription of the same user. Its pending and failed notifications
       * go to this subscription, and it is unsubscribed. Its signing secret is kept unless `signingSecret`
       * is sent. Set on create; cannot be changed later.
       */
      replaces: number | null;
    };
    references: {
      /**
       * The owner of the subscription. Only an administrator can name another user than the caller. Set on
       * create; cannot be changed later.
       */
      user: 'ApiUser';
    };
    collections: Record<never, never>;
    shownBy: never;
    onlyInObject: never;
    onlyByFields: never;
    shownOnce: {
      /**
       * Signs deliveries (Standard Webhooks). Created by the service unless it is sent on POST. Shown once,
       * in the response that creates the subscription; not shown if `replaces` keeps the old one. `whsec_`
       * followed by 24 to 64 bytes in Base64.
       */
      signingSecret: string;
    };
    create: WebhookSubscriptionCreate;
    change: WebhookSubscriptionChange;
    actions: {
      /** Give a WebhookSubscription a new signing secret */
      rotateSecret: {
        on: 'object';
        method: 'POST';
        takes: WebhookSubscriptionRotateSecretRequest;
        answers: WebhookSubscriptionRotateSecretAnswer;
      };
      /** Send a test message to a WebhookSubscription */
      ping: {
        on: 'object';
        method: 'POST';
        takes: WebhookSubscriptionPingRequest;
        answers: WebhookSubscriptionPingAnswer;
      };
      /** Send the failed notifications of a WebhookSubscription again */
      sendFailedNotifications: {
        on: 'both';
        method: 'POST';
        takes: WebhookSubscriptionSendFailedNotificationsRequest;
        answers: WebhookSubscriptionSendFailedNotificationsAnswer;
      };
      /** Send delivered and failed notifications of a WebhookSubscription again */
      replay: {
        on: 'object';
        method: 'POST';
        takes: WebhookSubscriptionReplayRequest;
        answers: WebhookSubscriptionReplayAnswer;
      };
      /** Fetch the next notifications of a WebhookSubscription */
      pull: {
        on: 'object';
        method: 'POST';
        takes: WebhookSubscriptionPullRequest;
        answers: WebhookSubscriptionPullAnswer[];
      };
      /** Acknowledge notifications that were fetched from a WebhookSubscription */
      acknowledge: {
        on: 'object';
        method: 'POST';
        takes: WebhookSubscriptionAcknowledgeRequest;
        answers: WebhookSubscriptionAcknowledgeAnswer;
      };
      /** Complete an expression while it is written */
      completions: {
        on: 'type';
        method: 'POST';
        takes: WebhookSubscriptionCompletionsRequest;
        answers: WebhookSubscriptionCompletionsAnswer;
      };
      /** Check an expression */
      checkExpression: {
        on: 'type';
        method: 'POST';
        takes: WebhookSubscriptionCheckExpressionRequest;
        answers: WebhookSubscriptionCheckExpressionAnswer;
      };
      /** How well WebhookSubscriptions are delivered */
      health: {
        on: 'type';
        method: 'GET';
        takes: {
          /**
           * Keys of subscriptions, separated by commas, at most 1000. Those that do not exist are left out.
           * Default: all, at most the 1000 newest; unsubscribed ones come last.
           */
          subscriptions?: string;
        };
        answers: WebhookSubscriptionHealthAnswer;
      };
      /** Why a WebhookSubscription was notified of recent changes, and why not */
      decisions: {
        on: 'both';
        method: 'GET';
        takes: {
          /** Only decisions about this event. */
          event?: number;
          /** Key of the changed object, or of an object that has it in its hierarchy. */
          objectKey?: number;
          /** Maximum number of decisions. */
          limit?: number;
        };
        answers: WebhookSubscriptionDecisionsAnswer[];
      };
      /** Try a WebhookSubscription out */
      test: {
        on: 'type';
        method: 'POST';
        takes: WebhookSubscriptionTestRequest;
        answers: WebhookSubscriptionTestAnswer;
      };
      /** Try a WebhookSubscription out on recent changes */
      testRecent: {
        on: 'type';
        method: 'POST';
        takes: WebhookSubscriptionTestRecentRequest;
        answers: WebhookSubscriptionTestRecentAnswer;
      };
      /** Find out which subscriptions would be notified of a change */
      affected: {
        on: 'type';
        method: 'POST';
        takes: WebhookSubscriptionAffectedRequest;
        answers: WebhookSubscriptionAffectedAnswer;
      };
    };
  };
  /** The notification of one subscription about one change, with its outcome. */
  WebhookNotification: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** The `id` of the message: event id and notification key. Set on create; cannot be changed later. */
      id: string;
      /** Type of the changed object. */
      objectType: string;
      /** Key of the changed object. */
      objectKey: number;
      /** The operation: created, updated or deleted. */
      eventType: 'C' | 'U' | 'D';
      /** Key of the object that the subscription is notified about. */
      subscribedObjectKey: number;
      /**
       * What people know that object by: the number of a voyage, the code of a port, or its
       * `externalObjectKey`. Null once the object is deleted. Shown only if `fields` selects it.
       */
      subscribedObjectCode: string | null;
      /** When the change was made. */
      eventTime: string;
      /** Number of the event. Of two changes to the same object, the later one has the higher number. */
      sequence: number;
      /** When the change was made, with microseconds. */
      occurredAt: string;
      /**
       * PENDING: still to be sent. DELIVERED: the receiver has confirmed it. FAILED: no further attempts;
       * `errorMessage` says why.
       */
      status: 'PENDING' | 'DELIVERED' | 'FAILED';
      /** Whether `status` is FAILED. */
      isFailed: boolean;
      /** Number of attempts. Default `0`. */
      attempts: number;
      /** When it was first delivered. */
      deliveryDate: string | null;
      /** When the next attempt is due. */
      nextAttemptDate: string | null;
      /** Why it failed. */
      errorMessage: string | null;
      /** Content type of the body. */
      contentType: string | null;
      /** What is sent, byte for byte. Null if it was too large or is no longer kept. */
      body: string | null;
      /**
       * Each changed attribute with its old and new value. Null if the event is no longer kept. Shown only
       * if `fields` selects it.
       */
      changes: AttributeChange[] | null;
      /** The attempts, oldest first. Only the last 50 are kept. */
      attemptLog: DeliveryAttempt[] | null;
    };
    references: {
      /** The subscription that is notified. */
      subscription: 'WebhookSubscription';
      /** The owner of the subscription. Set on create; cannot be changed later. */
      user: 'ApiUser';
    };
    collections: Record<never, never>;
    shownBy: never;
    onlyInObject: 'body' | 'attemptLog';
    onlyByFields: 'subscribedObjectCode' | 'changes';
    shownOnce: Record<never, never>;
    create: never;
    change: never;
    actions: {
      /** Send all WebhookNotification objects again that match a filter */
      resend: {
        on: 'type';
        method: 'POST';
        takes: WebhookNotificationResendRequest;
        answers: WebhookNotificationResendAnswer;
      };
      /** How many notifications were created, delivered and failed, and how quickly */
      statistics: {
        on: 'type';
        method: 'GET';
        takes: {
          /** How far back: 60 points, 96, or 84. */
          range?: 'HOUR' | 'DAY' | 'WEEK';
          /** Only the notifications of this subscription. */
          subscription?: number;
        };
        answers: WebhookNotificationStatisticsAnswer;
      };
    };
  };
  /**
   * Sends notifications again, in the background. Started by `sendFailedNotifications`, by `replay`, by
   * `resend` of notifications, or by a subscription that `replaces` another.
   */
  ResendJob: {
    scalars: {
      /** Unique over the whole installation. */
      key: number;
      /** URL of the object. */
      self: string;
      /** When the object was created. */
      createdDate: string;
      /** When it was changed last. */
      modifiedDate: string;
      /** Key of the user who created the object, if known. */
      createdById: number | null;
      /** Key of the user who changed it last, if known. */
      changedById: number | null;
      /** The caller's own id of the object. */
      externalObjectKey: string | null;
      /** RESEND: failed notifications. REPLAY: delivered ones as well. Default `RESEND`. */
      kind: 'RESEND' | 'REPLAY';
      /** Only notifications of changes at or after this time. */
      from: string | null;
      /** Only notifications of changes before this time. */
      to: string | null;
      /** Keys of the notifications to send again. Null: all. */
      notifications: number[] | null;
      /** Of a replay: only notifications of this object, changed or subscribed to. Null: all. */
      objectKey: number | null;
      /** Of a replay: only notifications with this status. Null: both. */
      notificationStatus: 'DELIVERED' | 'FAILED' | null;
      /** Of a `resend` of notifications: the filters that select them. */
      filter: string[] | null;
      /**
       * DONE: each notification was delivered or has failed. CANCELLED: the job was cancelled, or its
       * subscription was unsubscribed. Default `RUNNING`.
       */
      status: 'RUNNING' | 'DONE' | 'CANCELLED';
      /** Number of notifications to send again. May be an estimate until the job is done. Default `0`. */
      total: number;
      /** How many of them were delivered. Default `0`. */
      done: number;
      /** How many of them have failed. Default `0`. */
      failed: number;
      /**
       * Set to true to cancel the job. Notifications that are not sent by then stay as they were. Default
       * `false`.
       */
      cancelled: boolean;
      /** When the job ended. */
      endedDate: string | null;
    };
    references: {
      /**
       * The owner of the subscriptions. Null: an administrator sends those of all users. Set on create;
       * cannot be changed later.
       */
      user: 'ApiUser' | null;
      /** The subscription to resend. Null: all subscriptions of the user. */
      subscription: 'WebhookSubscription' | null;
      /** The subscription whose failed notifications are carried over to `subscription`. */
      replacedSubscription: 'WebhookSubscription' | null;
    };
    collections: Record<never, never>;
    shownBy: never;
    onlyInObject: never;
    onlyByFields: never;
    shownOnce: Record<never, never>;
    create: never;
    change: ResendJobChange;
    actions: Record<never, never>;
  };
}

/** A new Voyage. */
export interface VoyageCreate {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Estimated, nominated, operational, finished, closed. */
  voyageStatus?: 'EST' | 'NOM' | 'OPR' | 'FIN' | 'CLO' | null;
  /** A short note. */
  comments?: string | null;
  /** When the voyage is expected to start. */
  estimatedVoyageStartDate?: string | null;
  /** Whether the vessel is on time charter. */
  isTc?: boolean | null;
  /** Length of the voyage in days. */
  daysTotal?: number | null;
  /** Days spent loading. */
  daysLoading?: number | null;
  /** Days spent discharging. */
  daysDischarging?: number | null;
  /** Days spent waiting. */
  daysWaiting?: number | null;
  /** Nautical miles sailed in ballast. */
  milesBallast?: number | null;
  /** Nautical miles sailed with cargo. */
  milesLoaded?: number | null;
  /** Net freight. */
  freight?: number | null;
  /** Freight before commission. */
  grossFreight?: number | null;
  /** Commission on the freight. */
  commission?: number | null;
  /** Paid to the owner for lost time. */
  demurrage?: number | null;
  /** Paid by the owner for saved time. */
  despatch?: number | null;
  /** Price of fuel oil. */
  foPrice?: number | null;
  /** Consumption of fuel oil. */
  foConsumption?: number | null;
  /** Cost of fuel oil. */
  foCost?: number | null;
  /** Reference to a Vessel. */
  vessel?: VesselReferenceInput | null;
  /** Where the vessel sails from in ballast. */
  ballastPort?: PortReferenceInput | null;
  /** The PortCall objects, ordered by portCallSequence. Each element is added. */
  portCalls?: PortCallElementCreate[];
  /**
   * The Cargo objects, ordered by key. An object that a PUT omits is detached, not deleted. An element
   * without `key` is added, one with `key` is changed.
   */
  cargos?: CargoElement[];
}

/** Identifies a Vessel by its key, by an object with its `key`. */
export type VesselReferenceInput = number | {
  key: number;
};

/** Identifies a Port by its key, by an object with its `key`, or by its `unLoCode`. */
export type PortReferenceInput = number | {
  key: number;
} | string;

/** A new PortCall inside its Voyage: an element without `key` is added. */
export interface PortCallElementCreate {
  /** Why the vessel calls: L loads, D discharges, B bunkers, and so on. */
  reasonForCall: 'L' | 'D' | 'C' | 'E' | 'DD' | 'DEL' | 'RED' | 'B' | 'R' | 'CL' | 'STS' | 'W' | 'CC';
  /** Reference to a Port. */
  port: PortReferenceInput;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Position in the voyage. Default: after the last one. */
  portCallSequence?: number | null;
  /** Estimated time of arrival. */
  eta?: string | null;
  /** Estimated time of berthing. */
  etb?: string | null;
  /** Estimated time of departure. */
  etd?: string | null;
  /** Whether the arrival is known, no longer estimated. */
  arrivalFixed?: boolean | null;
  /** Whether the departure is known, no longer estimated. */
  departureFixed?: boolean | null;
  /** Speed to this port in knots. */
  speed?: number | null;
  /** Days at sea to this port. */
  daysAtSea?: number | null;
  /** Nautical miles sailed to this port. */
  distanceActual?: number | null;
  /** The Voyage that the object belongs to. */
  voyage?: VoyageReferenceInput;
  /** Agent: a BusinessPartner. */
  agent?: BusinessPartnerReferenceInput | null;
  /** Reference to a Currency. */
  currency?: CurrencyReferenceInput | null;
  /** The EventLog objects, ordered by key. Each element is added. */
  eventLogs?: EventLogElementCreate[];
}

/** Identifies a Voyage by its key, by an object with its `key`. */
export type VoyageReferenceInput = number | {
  key: number;
};

/**
 * Identifies a BusinessPartner by its key, by an object with its `key`, or by its
 * `businessPartnerCode`.
 */
export type BusinessPartnerReferenceInput = number | {
  key: number;
} | string;

/** Identifies a Currency by its key, by an object with its `key`, or by its `currencyCode`. */
export type CurrencyReferenceInput = number | {
  key: number;
} | string;

/** A new EventLog inside its PortCall: an element without `key` is added. */
export interface EventLogElementCreate {
  /** Arrived, berthed, departed. */
  event: 'ARR' | 'BRT' | 'DEP';
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** When it happened. */
  eventLogDate?: string | null;
  /** Whether the time is known, no longer estimated. */
  isDateFixed?: boolean | null;
  /** The PortCall that the object belongs to. */
  portCall?: PortCallReferenceInput;
}

/** Identifies a PortCall by its key, by an object with its `key`. */
export type PortCallReferenceInput = number | {
  key: number;
};

/** An element of a collection: a new Cargo, or an existing one with its `key`. */
export type CargoElement = CargoElementCreate | CargoElementChange;

/** A new Cargo inside its Voyage: an element without `key` is added. */
export interface CargoElementCreate {
  /** Unit of the quantity: metric tons, cubic metres, long tons. */
  cargoMeasurement: 'MT' | 'CBM' | 'LT';
  /** Reference to a Commodity. */
  commodity: CommodityReferenceInput;
  /** Charterer: a BusinessPartner. */
  charterer: BusinessPartnerReferenceInput;
  /** Freight currency: a Currency. */
  freightCurrency: CurrencyReferenceInput;
  /**
   * The CargoPort objects, ordered by cargoPortSequence. At least one when the object is created. Each
   * element is added.
   */
  cargoPorts: CargoPortElementCreate[];
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Reference of the cargo. */
  cargoReference?: string | null;
  /** Spot, or under a contract of affreightment. */
  cargoType?: 'SPOT' | 'COA' | null;
  /** Date of the charter party. */
  cpDate?: string | null;
  /** How much, in the unit of the cargo. */
  quantity?: number | null;
  /** Freight per unit, in the freight currency. */
  freightRate?: number | null;
  /** Whether the cargo is an option, not yet firm. */
  isOption?: boolean | null;
  /** Reference of the charterer. */
  externalReference?: string | null;
  /** The Voyage that the object belongs to. Optional: the object may belong to none. */
  voyage?: VoyageReferenceInput | null;
}

/** Identifies a Commodity by its key, by an object with its `key`, or by its `commodityCode`. */
export type CommodityReferenceInput = number | {
  key: number;
} | string;

/** A new CargoPort inside its Cargo: an element without `key` is added. */
export interface CargoPortElementCreate {
  /** Loads or discharges. */
  reasonForCall: 'L' | 'D';
  /** Reference to a Port. */
  port: PortReferenceInput;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Position in the cargo. Default: after the last one. */
  cargoPortSequence?: number | null;
  /** How much, in the unit of the cargo. */
  quantity?: number | null;
  /** The Cargo that the object belongs to. */
  cargo?: CargoReferenceInput;
  /** Reference to a PortCall. */
  portCall?: PortCallReferenceInput | null;
}

/** Identifies a Cargo by its key, by an object with its `key`. */
export type CargoReferenceInput = number | {
  key: number;
};

/** An existing Cargo of its Voyage, with `key`. Only sent attributes change. */
export interface CargoElementChange {
  /** Unique over the whole installation. */
  key: number;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Reference of the cargo. */
  cargoReference?: string | null;
  /** Spot, or under a contract of affreightment. */
  cargoType?: 'SPOT' | 'COA' | null;
  /** Date of the charter party. */
  cpDate?: string | null;
  /** How much, in the unit of the cargo. */
  quantity?: number | null;
  /** Unit of the quantity: metric tons, cubic metres, long tons. */
  cargoMeasurement?: 'MT' | 'CBM' | 'LT';
  /** Freight per unit, in the freight currency. */
  freightRate?: number | null;
  /** Whether the cargo is an option, not yet firm. */
  isOption?: boolean | null;
  /** Reference of the charterer. */
  externalReference?: string | null;
  /** The Voyage that the object belongs to. Optional: the object may belong to none. */
  voyage?: VoyageReferenceInput | null;
  /** Reference to a Commodity. */
  commodity?: CommodityReferenceInput;
  /** Charterer: a BusinessPartner. */
  charterer?: BusinessPartnerReferenceInput;
  /** Freight currency: a Currency. */
  freightCurrency?: CurrencyReferenceInput;
  /**
   * The CargoPort objects, ordered by cargoPortSequence. At least one when the object is created. An
   * element without `key` is added, one with `key` is changed, an omitted one is removed.
   */
  cargoPorts?: CargoPortElement[];
}

/** An element of a collection: a new CargoPort, or an existing one with its `key`. */
export type CargoPortElement = CargoPortElementCreate | CargoPortElementChange;

/** An existing CargoPort of its Cargo, with `key`. Only sent attributes change. */
export interface CargoPortElementChange {
  /** Unique over the whole installation. */
  key: number;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Position in the cargo. Default: after the last one. */
  cargoPortSequence?: number;
  /** Loads or discharges. */
  reasonForCall?: 'L' | 'D';
  /** How much, in the unit of the cargo. */
  quantity?: number | null;
  /** The Cargo that the object belongs to. */
  cargo?: CargoReferenceInput;
  /** Reference to a Port. */
  port?: PortReferenceInput;
  /** Reference to a PortCall. */
  portCall?: PortCallReferenceInput | null;
}

/** Changes to a Voyage. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface VoyageChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Estimated, nominated, operational, finished, closed. */
  voyageStatus?: 'EST' | 'NOM' | 'OPR' | 'FIN' | 'CLO' | null;
  /** A short note. */
  comments?: string | null;
  /** When the voyage is expected to start. */
  estimatedVoyageStartDate?: string | null;
  /** Whether the vessel is on time charter. */
  isTc?: boolean | null;
  /** Length of the voyage in days. */
  daysTotal?: number | null;
  /** Days spent loading. */
  daysLoading?: number | null;
  /** Days spent discharging. */
  daysDischarging?: number | null;
  /** Days spent waiting. */
  daysWaiting?: number | null;
  /** Nautical miles sailed in ballast. */
  milesBallast?: number | null;
  /** Nautical miles sailed with cargo. */
  milesLoaded?: number | null;
  /** Net freight. */
  freight?: number | null;
  /** Freight before commission. */
  grossFreight?: number | null;
  /** Commission on the freight. */
  commission?: number | null;
  /** Paid to the owner for lost time. */
  demurrage?: number | null;
  /** Paid by the owner for saved time. */
  despatch?: number | null;
  /** Price of fuel oil. */
  foPrice?: number | null;
  /** Consumption of fuel oil. */
  foConsumption?: number | null;
  /** Cost of fuel oil. */
  foCost?: number | null;
  /** Reference to a Vessel. */
  vessel?: VesselReferenceInput | null;
  /** Where the vessel sails from in ballast. */
  ballastPort?: PortReferenceInput | null;
  /**
   * The PortCall objects, ordered by portCallSequence. An element without `key` is added, one with `key`
   * is changed, an omitted one is removed.
   */
  portCalls?: PortCallElement[];
  /**
   * The Cargo objects, ordered by key. An object that a PUT omits is detached, not deleted. An element
   * without `key` is added, one with `key` is changed, an omitted one is removed.
   */
  cargos?: CargoElement[];
}

/** An element of a collection: a new PortCall, or an existing one with its `key`. */
export type PortCallElement = PortCallElementCreate | PortCallElementChange;

/** An existing PortCall of its Voyage, with `key`. Only sent attributes change. */
export interface PortCallElementChange {
  /** Unique over the whole installation. */
  key: number;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Position in the voyage. Default: after the last one. */
  portCallSequence?: number;
  /** Why the vessel calls: L loads, D discharges, B bunkers, and so on. */
  reasonForCall?: 'L' | 'D' | 'C' | 'E' | 'DD' | 'DEL' | 'RED' | 'B' | 'R' | 'CL' | 'STS' | 'W' | 'CC';
  /** Estimated time of arrival. */
  eta?: string | null;
  /** Estimated time of berthing. */
  etb?: string | null;
  /** Estimated time of departure. */
  etd?: string | null;
  /** Whether the arrival is known, no longer estimated. */
  arrivalFixed?: boolean | null;
  /** Whether the departure is known, no longer estimated. */
  departureFixed?: boolean | null;
  /** Speed to this port in knots. */
  speed?: number | null;
  /** Days at sea to this port. */
  daysAtSea?: number | null;
  /** Nautical miles sailed to this port. */
  distanceActual?: number | null;
  /** The Voyage that the object belongs to. */
  voyage?: VoyageReferenceInput;
  /** Reference to a Port. */
  port?: PortReferenceInput;
  /** Agent: a BusinessPartner. */
  agent?: BusinessPartnerReferenceInput | null;
  /** Reference to a Currency. */
  currency?: CurrencyReferenceInput | null;
  /**
   * The EventLog objects, ordered by key. An element without `key` is added, one with `key` is changed,
   * an omitted one is removed.
   */
  eventLogs?: EventLogElement[];
}

/** An element of a collection: a new EventLog, or an existing one with its `key`. */
export type EventLogElement = EventLogElementCreate | EventLogElementChange;

/** An existing EventLog of its PortCall, with `key`. Only sent attributes change. */
export interface EventLogElementChange {
  /** Unique over the whole installation. */
  key: number;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Arrived, berthed, departed. */
  event?: 'ARR' | 'BRT' | 'DEP';
  /** When it happened. */
  eventLogDate?: string | null;
  /** Whether the time is known, no longer estimated. */
  isDateFixed?: boolean | null;
  /** The PortCall that the object belongs to. */
  portCall?: PortCallReferenceInput;
}

/** A new PortCall. */
export interface PortCallCreate {
  /** Why the vessel calls: L loads, D discharges, B bunkers, and so on. */
  reasonForCall: 'L' | 'D' | 'C' | 'E' | 'DD' | 'DEL' | 'RED' | 'B' | 'R' | 'CL' | 'STS' | 'W' | 'CC';
  /** The Voyage that the object belongs to. */
  voyage: VoyageReferenceInput;
  /** Reference to a Port. */
  port: PortReferenceInput;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Position in the voyage. Default: after the last one. */
  portCallSequence?: number | null;
  /** Estimated time of arrival. */
  eta?: string | null;
  /** Estimated time of berthing. */
  etb?: string | null;
  /** Estimated time of departure. */
  etd?: string | null;
  /** Whether the arrival is known, no longer estimated. */
  arrivalFixed?: boolean | null;
  /** Whether the departure is known, no longer estimated. */
  departureFixed?: boolean | null;
  /** Speed to this port in knots. */
  speed?: number | null;
  /** Days at sea to this port. */
  daysAtSea?: number | null;
  /** Nautical miles sailed to this port. */
  distanceActual?: number | null;
  /** Agent: a BusinessPartner. */
  agent?: BusinessPartnerReferenceInput | null;
  /** Reference to a Currency. */
  currency?: CurrencyReferenceInput | null;
  /** The EventLog objects, ordered by key. Each element is added. */
  eventLogs?: EventLogElementCreate[];
}

/** Changes to a PortCall. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface PortCallChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Position in the voyage. Default: after the last one. */
  portCallSequence?: number;
  /** Why the vessel calls: L loads, D discharges, B bunkers, and so on. */
  reasonForCall?: 'L' | 'D' | 'C' | 'E' | 'DD' | 'DEL' | 'RED' | 'B' | 'R' | 'CL' | 'STS' | 'W' | 'CC';
  /** Estimated time of arrival. */
  eta?: string | null;
  /** Estimated time of berthing. */
  etb?: string | null;
  /** Estimated time of departure. */
  etd?: string | null;
  /** Whether the arrival is known, no longer estimated. */
  arrivalFixed?: boolean | null;
  /** Whether the departure is known, no longer estimated. */
  departureFixed?: boolean | null;
  /** Speed to this port in knots. */
  speed?: number | null;
  /** Days at sea to this port. */
  daysAtSea?: number | null;
  /** Nautical miles sailed to this port. */
  distanceActual?: number | null;
  /** The Voyage that the object belongs to. */
  voyage?: VoyageReferenceInput;
  /** Reference to a Port. */
  port?: PortReferenceInput;
  /** Agent: a BusinessPartner. */
  agent?: BusinessPartnerReferenceInput | null;
  /** Reference to a Currency. */
  currency?: CurrencyReferenceInput | null;
  /**
   * The EventLog objects, ordered by key. An element without `key` is added, one with `key` is changed,
   * an omitted one is removed.
   */
  eventLogs?: EventLogElement[];
}

/** A new EventLog. */
export interface EventLogCreate {
  /** Arrived, berthed, departed. */
  event: 'ARR' | 'BRT' | 'DEP';
  /** The PortCall that the object belongs to. */
  portCall: PortCallReferenceInput;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** When it happened. */
  eventLogDate?: string | null;
  /** Whether the time is known, no longer estimated. */
  isDateFixed?: boolean | null;
}

/** Changes to a EventLog. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface EventLogChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Arrived, berthed, departed. */
  event?: 'ARR' | 'BRT' | 'DEP';
  /** When it happened. */
  eventLogDate?: string | null;
  /** Whether the time is known, no longer estimated. */
  isDateFixed?: boolean | null;
  /** The PortCall that the object belongs to. */
  portCall?: PortCallReferenceInput;
}

/** A new Cargo. */
export interface CargoCreate {
  /** Unit of the quantity: metric tons, cubic metres, long tons. */
  cargoMeasurement: 'MT' | 'CBM' | 'LT';
  /** Reference to a Commodity. */
  commodity: CommodityReferenceInput;
  /** Charterer: a BusinessPartner. */
  charterer: BusinessPartnerReferenceInput;
  /** Freight currency: a Currency. */
  freightCurrency: CurrencyReferenceInput;
  /**
   * The CargoPort objects, ordered by cargoPortSequence. At least one when the object is created. Each
   * element is added.
   */
  cargoPorts: CargoPortElementCreate[];
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Reference of the cargo. */
  cargoReference?: string | null;
  /** Spot, or under a contract of affreightment. */
  cargoType?: 'SPOT' | 'COA' | null;
  /** Date of the charter party. */
  cpDate?: string | null;
  /** How much, in the unit of the cargo. */
  quantity?: number | null;
  /** Freight per unit, in the freight currency. */
  freightRate?: number | null;
  /** Whether the cargo is an option, not yet firm. */
  isOption?: boolean | null;
  /** Reference of the charterer. */
  externalReference?: string | null;
  /** The Voyage that the object belongs to. Optional: the object may belong to none. */
  voyage?: VoyageReferenceInput | null;
}

/** Changes to a Cargo. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface CargoChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Reference of the cargo. */
  cargoReference?: string | null;
  /** Spot, or under a contract of affreightment. */
  cargoType?: 'SPOT' | 'COA' | null;
  /** Date of the charter party. */
  cpDate?: string | null;
  /** How much, in the unit of the cargo. */
  quantity?: number | null;
  /** Unit of the quantity: metric tons, cubic metres, long tons. */
  cargoMeasurement?: 'MT' | 'CBM' | 'LT';
  /** Freight per unit, in the freight currency. */
  freightRate?: number | null;
  /** Whether the cargo is an option, not yet firm. */
  isOption?: boolean | null;
  /** Reference of the charterer. */
  externalReference?: string | null;
  /** The Voyage that the object belongs to. Optional: the object may belong to none. */
  voyage?: VoyageReferenceInput | null;
  /** Reference to a Commodity. */
  commodity?: CommodityReferenceInput;
  /** Charterer: a BusinessPartner. */
  charterer?: BusinessPartnerReferenceInput;
  /** Freight currency: a Currency. */
  freightCurrency?: CurrencyReferenceInput;
  /**
   * The CargoPort objects, ordered by cargoPortSequence. At least one when the object is created. An
   * element without `key` is added, one with `key` is changed, an omitted one is removed.
   */
  cargoPorts?: CargoPortElement[];
}

/** A new CargoPort. */
export interface CargoPortCreate {
  /** Loads or discharges. */
  reasonForCall: 'L' | 'D';
  /** The Cargo that the object belongs to. */
  cargo: CargoReferenceInput;
  /** Reference to a Port. */
  port: PortReferenceInput;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Position in the cargo. Default: after the last one. */
  cargoPortSequence?: number | null;
  /** How much, in the unit of the cargo. */
  quantity?: number | null;
  /** Reference to a PortCall. */
  portCall?: PortCallReferenceInput | null;
}

/** Changes to a CargoPort. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface CargoPortChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Position in the cargo. Default: after the last one. */
  cargoPortSequence?: number;
  /** Loads or discharges. */
  reasonForCall?: 'L' | 'D';
  /** How much, in the unit of the cargo. */
  quantity?: number | null;
  /** The Cargo that the object belongs to. */
  cargo?: CargoReferenceInput;
  /** Reference to a Port. */
  port?: PortReferenceInput;
  /** Reference to a PortCall. */
  portCall?: PortCallReferenceInput | null;
}

/** A new BunkerOrder. */
export interface BunkerOrderCreate {
  /** Planned, requested, ordered, delivered, invoiced, cancelled. */
  bunkerOrderStatus: 'PLN' | 'REQ' | 'ORD' | 'DLV' | 'INV' | 'CAN';
  /** Reference to a PortCall. */
  portCall: PortCallReferenceInput;
  /** Reference to a Vessel. */
  vessel: VesselReferenceInput;
  /** The BunkerOrderLine objects, ordered by key. Always at least 1. Each element is added. */
  bunkerOrderLines: BunkerOrderLineElementCreate[];
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Reference of the supplier or broker. Unique. Unique. */
  externalReferenceNo?: string | null;
  /** When the fuel was delivered. */
  bunkeredDate?: string | null;
  /** From the currency of the order to the base currency. */
  exchangeRate?: number | null;
  /** Barging, pilotage and other costs. */
  extraCost?: number | null;
  /** Bunker supplier: a BusinessPartner. */
  bunkerSupplier?: BusinessPartnerReferenceInput | null;
  /** Bunker broker: a BusinessPartner. */
  bunkerBroker?: BusinessPartnerReferenceInput | null;
  /** Bunker account of: a BusinessPartner. */
  bunkerAccountOf?: BusinessPartnerReferenceInput | null;
  /** Reference to a Currency. */
  currency?: CurrencyReferenceInput | null;
}

/** A new BunkerOrderLine inside its BunkerOrder: an element without `key` is added. */
export interface BunkerOrderLineElementCreate {
  /** Least quantity ordered, in metric tons. */
  minQuantity: number;
  /** Greatest quantity ordered, in metric tons. */
  maxQuantity: number;
  /** Price of a metric ton. */
  unitPrice: number;
  /** Reference to a BunkerType. */
  bunkerType: BunkerTypeReferenceInput;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Quantity delivered, in metric tons. */
  bunkeredQuantity?: number | null;
  /** Barging, pilotage and other costs. */
  extraCost?: number | null;
  /** The BunkerOrder that the object belongs to. */
  bunkerOrder?: BunkerOrderReferenceInput;
}

/** Identifies a BunkerType by its key, by an object with its `key`, or by its `bunkerTypeCode`. */
export type BunkerTypeReferenceInput = number | {
  key: number;
} | string;

/** Identifies a BunkerOrder by its key, by an object with its `key`. */
export type BunkerOrderReferenceInput = number | {
  key: number;
};

/** Changes to a BunkerOrder. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface BunkerOrderChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Planned, requested, ordered, delivered, invoiced, cancelled. */
  bunkerOrderStatus?: 'PLN' | 'REQ' | 'ORD' | 'DLV' | 'INV' | 'CAN';
  /** Reference of the supplier or broker. Unique. Unique. */
  externalReferenceNo?: string | null;
  /** When the fuel was delivered. */
  bunkeredDate?: string | null;
  /** From the currency of the order to the base currency. */
  exchangeRate?: number | null;
  /** Barging, pilotage and other costs. */
  extraCost?: number | null;
  /** Reference to a PortCall. */
  portCall?: PortCallReferenceInput;
  /** Reference to a Vessel. */
  vessel?: VesselReferenceInput;
  /** Bunker supplier: a BusinessPartner. */
  bunkerSupplier?: BusinessPartnerReferenceInput | null;
  /** Bunker broker: a BusinessPartner. */
  bunkerBroker?: BusinessPartnerReferenceInput | null;
  /** Bunker account of: a BusinessPartner. */
  bunkerAccountOf?: BusinessPartnerReferenceInput | null;
  /** Reference to a Currency. */
  currency?: CurrencyReferenceInput | null;
  /**
   * The BunkerOrderLine objects, ordered by key. Always at least 1. An element without `key` is added,
   * one with `key` is changed, an omitted one is removed.
   */
  bunkerOrderLines?: BunkerOrderLineElement[];
}

/** An element of a collection: a new BunkerOrderLine, or an existing one with its `key`. */
export type BunkerOrderLineElement = BunkerOrderLineElementCreate | BunkerOrderLineElementChange;

/** An existing BunkerOrderLine of its BunkerOrder, with `key`. Only sent attributes change. */
export interface BunkerOrderLineElementChange {
  /** Unique over the whole installation. */
  key: number;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Least quantity ordered, in metric tons. */
  minQuantity?: number;
  /** Greatest quantity ordered, in metric tons. */
  maxQuantity?: number;
  /** Quantity delivered, in metric tons. */
  bunkeredQuantity?: number | null;
  /** Price of a metric ton. */
  unitPrice?: number;
  /** Barging, pilotage and other costs. */
  extraCost?: number | null;
  /** The BunkerOrder that the object belongs to. */
  bunkerOrder?: BunkerOrderReferenceInput;
  /** Reference to a BunkerType. */
  bunkerType?: BunkerTypeReferenceInput;
}

/** A new BunkerOrderLine. */
export interface BunkerOrderLineCreate {
  /** Least quantity ordered, in metric tons. */
  minQuantity: number;
  /** Greatest quantity ordered, in metric tons. */
  maxQuantity: number;
  /** Price of a metric ton. */
  unitPrice: number;
  /** The BunkerOrder that the object belongs to. */
  bunkerOrder: BunkerOrderReferenceInput;
  /** Reference to a BunkerType. */
  bunkerType: BunkerTypeReferenceInput;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Quantity delivered, in metric tons. */
  bunkeredQuantity?: number | null;
  /** Barging, pilotage and other costs. */
  extraCost?: number | null;
}

/** Changes to a BunkerOrderLine. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface BunkerOrderLineChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Least quantity ordered, in metric tons. */
  minQuantity?: number;
  /** Greatest quantity ordered, in metric tons. */
  maxQuantity?: number;
  /** Quantity delivered, in metric tons. */
  bunkeredQuantity?: number | null;
  /** Price of a metric ton. */
  unitPrice?: number;
  /** Barging, pilotage and other costs. */
  extraCost?: number | null;
  /** The BunkerOrder that the object belongs to. */
  bunkerOrder?: BunkerOrderReferenceInput;
  /** Reference to a BunkerType. */
  bunkerType?: BunkerTypeReferenceInput;
}

/** A new Document. */
export interface DocumentCreate {
  /** Invoice in or out, credit note in or out, accrued cost, accrued profit. */
  documentType: 'INI' | 'INO' | 'CRI' | 'CRO' | 'ACC' | 'ACP';
  /** Company: a BusinessPartner. */
  company: BusinessPartnerReferenceInput;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Number of the document. */
  documentNo?: string | null;
  /** What the document is about. */
  documentText?: string | null;
  /** Number in the other system. */
  externalDocumentNo?: string | null;
  /** Pending, ready for posting, posted. */
  invoicingStatus?: 'PEN' | 'RFP' | 'PST' | null;
  /** Amount without VAT. */
  documentAmount?: number | null;
  /** Value added tax. */
  vat?: number | null;
  /** Reference to a BusinessPartner. */
  businessPartner?: BusinessPartnerReferenceInput | null;
  /** Reference to a Voyage. */
  voyage?: VoyageReferenceInput | null;
  /** Reference to a Currency. */
  currency?: CurrencyReferenceInput | null;
  /** The DocumentLine objects, ordered by key. Each element is added. */
  documentLines?: DocumentLineElementCreate[];
}

/** A new DocumentLine inside its Document: an element without `key` is added. */
export interface DocumentLineElementCreate {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** What the line is about. */
  lineText?: string | null;
  /** Amount of the line. */
  amount?: number | null;
  /** Quantity of the line. */
  quantity?: number | null;
  /** The Document that the object belongs to. */
  document?: DocumentReferenceInput;
  /** Reference to a Voyage. */
  voyage?: VoyageReferenceInput | null;
}

/** Identifies a Document by its key, by an object with its `key`. */
export type DocumentReferenceInput = number | {
  key: number;
};

/** Changes to a Document. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface DocumentChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Number of the document. */
  documentNo?: string | null;
  /** What the document is about. */
  documentText?: string | null;
  /** Number in the other system. */
  externalDocumentNo?: string | null;
  /** Invoice in or out, credit note in or out, accrued cost, accrued profit. */
  documentType?: 'INI' | 'INO' | 'CRI' | 'CRO' | 'ACC' | 'ACP';
  /** Pending, ready for posting, posted. */
  invoicingStatus?: 'PEN' | 'RFP' | 'PST' | null;
  /** Amount without VAT. */
  documentAmount?: number | null;
  /** Value added tax. */
  vat?: number | null;
  /** Company: a BusinessPartner. */
  company?: BusinessPartnerReferenceInput;
  /** Reference to a BusinessPartner. */
  businessPartner?: BusinessPartnerReferenceInput | null;
  /** Reference to a Voyage. */
  voyage?: VoyageReferenceInput | null;
  /** Reference to a Currency. */
  currency?: CurrencyReferenceInput | null;
  /**
   * The DocumentLine objects, ordered by key. An element without `key` is added, one with `key` is
   * changed, an omitted one is removed.
   */
  documentLines?: DocumentLineElement[];
}

/** An element of a collection: a new DocumentLine, or an existing one with its `key`. */
export type DocumentLineElement = DocumentLineElementCreate | DocumentLineElementChange;

/** An existing DocumentLine of its Document, with `key`. Only sent attributes change. */
export interface DocumentLineElementChange {
  /** Unique over the whole installation. */
  key: number;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** What the line is about. */
  lineText?: string | null;
  /** Amount of the line. */
  amount?: number | null;
  /** Quantity of the line. */
  quantity?: number | null;
  /** The Document that the object belongs to. */
  document?: DocumentReferenceInput;
  /** Reference to a Voyage. */
  voyage?: VoyageReferenceInput | null;
}

/** A new DocumentLine. */
export interface DocumentLineCreate {
  /** The Document that the object belongs to. */
  document: DocumentReferenceInput;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** What the line is about. */
  lineText?: string | null;
  /** Amount of the line. */
  amount?: number | null;
  /** Quantity of the line. */
  quantity?: number | null;
  /** Reference to a Voyage. */
  voyage?: VoyageReferenceInput | null;
}

/** Changes to a DocumentLine. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface DocumentLineChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** What the line is about. */
  lineText?: string | null;
  /** Amount of the line. */
  amount?: number | null;
  /** Quantity of the line. */
  quantity?: number | null;
  /** The Document that the object belongs to. */
  document?: DocumentReferenceInput;
  /** Reference to a Voyage. */
  voyage?: VoyageReferenceInput | null;
}

/** A new Remarks. */
export interface RemarksCreate {
  /** Key of the object that the remark is about. */
  source: number;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Title of the remark. */
  remarkTitle?: string | null;
  /** The remark itself. */
  remarkText?: string | null;
  /** The Attachment objects, ordered by key. Each element is added. */
  attachments?: AttachmentElementCreate[];
}

/** A new Attachment inside its Remarks: an element without `key` is added. */
export interface AttachmentElementCreate {
  /** Name of the file, as the caller gave it. */
  fileName: string;
  /** The content in Base64. Shown only if `fields` selects it. */
  file: string;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** The Remarks that the object belongs to. */
  remarks?: RemarksReferenceInput;
}

/** Identifies a Remarks by its key, by an object with its `key`. */
export type RemarksReferenceInput = number | {
  key: number;
};

/** Changes to a Remarks. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface RemarksChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Title of the remark. */
  remarkTitle?: string | null;
  /** The remark itself. */
  remarkText?: string | null;
  /** Key of the object that the remark is about. */
  source?: number;
  /**
   * The Attachment objects, ordered by key. An element without `key` is added, one with `key` is
   * changed, an omitted one is removed.
   */
  attachments?: AttachmentElement[];
}

/** An element of a collection: a new Attachment, or an existing one with its `key`. */
export type AttachmentElement = AttachmentElementCreate | AttachmentElementChange;

/** An existing Attachment of its Remarks, with `key`. Only sent attributes change. */
export interface AttachmentElementChange {
  /** Unique over the whole installation. */
  key: number;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Name of the file, as the caller gave it. */
  fileName?: string;
  /** The content in Base64. Shown only if `fields` selects it. */
  file?: string;
  /** The Remarks that the object belongs to. */
  remarks?: RemarksReferenceInput;
}

/** A new Attachment. */
export interface AttachmentCreate {
  /** Name of the file, as the caller gave it. */
  fileName: string;
  /** The content in Base64. Shown only if `fields` selects it. */
  file: string;
  /** The Remarks that the object belongs to. */
  remarks: RemarksReferenceInput;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
}

/** Changes to a Attachment. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface AttachmentChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Name of the file, as the caller gave it. */
  fileName?: string;
  /** The content in Base64. Shown only if `fields` selects it. */
  file?: string;
  /** The Remarks that the object belongs to. */
  remarks?: RemarksReferenceInput;
}

/** A new Vessel. */
export interface VesselCreate {
  /** Vessel name. */
  vesselName: string;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Seven digits, the last a check digit. An IMO number. */
  imoNumber?: string | null;
  /** Radio call sign. */
  callSignal?: string | null;
  /** Kind of ship. */
  vesselType?: string | null;
  /** State of registration. */
  flag?: string | null;
  /** Year of building. */
  builtYear?: number | null;
  /** Deadweight at summer draught, in metric tons. */
  dwtSummer?: number | null;
}

/** Changes to a Vessel. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface VesselChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Vessel name. */
  vesselName?: string;
  /** Seven digits, the last a check digit. An IMO number. */
  imoNumber?: string | null;
  /** Radio call sign. */
  callSignal?: string | null;
  /** Kind of ship. */
  vesselType?: string | null;
  /** State of registration. */
  flag?: string | null;
  /** Year of building. */
  builtYear?: number | null;
  /** Deadweight at summer draught, in metric tons. */
  dwtSummer?: number | null;
}

/** A new Port. */
export interface PortCreate {
  /** UN/LOCODE. Unique. */
  unLoCode: string;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Port name. */
  portName?: string | null;
  /** ISO 3166-1 code of the country. */
  country?: string | null;
  /** IANA name of the time zone. */
  timezone?: string | null;
  /** Whether it is a canal. */
  isCanal?: boolean | null;
}

/** Changes to a Port. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface PortChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Port name. */
  portName?: string | null;
  /** UN/LOCODE. Unique. */
  unLoCode?: string;
  /** ISO 3166-1 code of the country. */
  country?: string | null;
  /** IANA name of the time zone. */
  timezone?: string | null;
  /** Whether it is a canal. */
  isCanal?: boolean | null;
}

/** A new BusinessPartner. */
export interface BusinessPartnerCreate {
  /** Business partner code. Unique. */
  businessPartnerCode: string;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Name of the company. */
  businessPartnerName?: string | null;
  /** Charterer, agent, supplier, broker, owner, own company, other. */
  businessPartnerType?: 'CHR' | 'AGT' | 'SUP' | 'BRK' | 'OWN' | 'CMP' | 'OTH' | null;
}

/** Changes to a BusinessPartner. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface BusinessPartnerChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Name of the company. */
  businessPartnerName?: string | null;
  /** Business partner code. Unique. */
  businessPartnerCode?: string;
  /** Charterer, agent, supplier, broker, owner, own company, other. */
  businessPartnerType?: 'CHR' | 'AGT' | 'SUP' | 'BRK' | 'OWN' | 'CMP' | 'OTH' | null;
}

/** A new Currency. */
export interface CurrencyCreate {
  /** Currency code. Unique. */
  currencyCode: string;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Currency name. */
  currencyName?: string | null;
}

/** Changes to a Currency. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface CurrencyChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Currency code. Unique. */
  currencyCode?: string;
  /** Currency name. */
  currencyName?: string | null;
}

/** A new Commodity. */
export interface CommodityCreate {
  /** Commodity code. Unique. */
  commodityCode: string;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Name of the goods. */
  commodityName?: string | null;
}

/** Changes to a Commodity. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface CommodityChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Commodity code. Unique. */
  commodityCode?: string;
  /** Name of the goods. */
  commodityName?: string | null;
}

/** A new BunkerType. */
export interface BunkerTypeCreate {
  /** Bunker type code. Unique. */
  bunkerTypeCode: string;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Name of the grade. */
  bunkerTypeName?: string | null;
  /** Sulphur percent. */
  sulphurPercent?: number | null;
}

/** Changes to a BunkerType. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface BunkerTypeChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Bunker type code. Unique. */
  bunkerTypeCode?: string;
  /** Name of the grade. */
  bunkerTypeName?: string | null;
  /** Sulphur percent. */
  sulphurPercent?: number | null;
}

/** A new ApiUser. */
export interface ApiUserCreate {
  /** User code. Unique. */
  userCode: string;
  /** Name. */
  name: string;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** Alerts go here, such as the alert of a deactivated subscription. One e-mail address. */
  email?: string | null;
  /** The edition of the API that the user has. Default `ENTERPRISE`. */
  edition?: 'STANDARD' | 'ENTERPRISE';
  /** The API version of requests that name none. Null: the newest version. From 3.3 to 6.44. */
  apiVersion?: string | null;
  /** false: requests of its clients are rejected. Default `true`. */
  active?: boolean;
}

/** Changes to a ApiUser. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface ApiUserChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** User code. Unique. */
  userCode?: string;
  /** Name. */
  name?: string;
  /** Alerts go here, such as the alert of a deactivated subscription. One e-mail address. */
  email?: string | null;
  /** The edition of the API that the user has. Default `ENTERPRISE`. */
  edition?: 'STANDARD' | 'ENTERPRISE';
  /** The API version of requests that name none. Null: the newest version. From 3.3 to 6.44. */
  apiVersion?: string | null;
  /** false: requests of its clients are rejected. Default `true`. */
  active?: boolean;
}

/** A new ApiClient. */
export interface ApiClientCreate {
  /** The user that the client acts as. */
  user: ApiUserReferenceInput;
  /** What the client may do. A set: the order does not matter. At least 1. */
  scopes: ('read' | 'write' | 'webhook' | 'admin')[];
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /**
   * Created by the service if none is given. With an external issuer: the id of the client at that
   * issuer. Unique. 3 to 128 visible ASCII characters, no space, quote or backslash. Set on create;
   * cannot be changed later.
   */
  clientId?: string | null;
  /**
   * The audiences that the client can request tokens for. Default: the audience of this environment. A
   * set: the order does not matter. At least 1.
   */
  audiences?: string[] | null;
  /** false: its tokens are rejected, and it gets no new ones. Default `true`. */
  active?: boolean;
}

/** Identifies a ApiUser by its key, by an object with its `key`, or by its `userCode`. */
export type ApiUserReferenceInput = number | {
  key: number;
} | string;

/** Changes to a ApiClient. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface ApiClientChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /**
   * Created by the service if none is given. With an external issuer: the id of the client at that
   * issuer. Unique. 3 to 128 visible ASCII characters, no space, quote or backslash. Set on create;
   * cannot be changed later.
   */
  clientId?: string;
  /** The user that the client acts as. */
  user?: ApiUserReferenceInput;
  /** What the client may do. A set: the order does not matter. At least 1. */
  scopes?: ('read' | 'write' | 'webhook' | 'admin')[];
  /**
   * The audiences that the client can request tokens for. Default: the audience of this environment. A
   * set: the order does not matter. At least 1.
   */
  audiences?: string[];
  /** false: its tokens are rejected, and it gets no new ones. Default `true`. */
  active?: boolean;
}

/** The request body of rotateSecret of a ApiClient. */
export interface ApiClientRotateSecretRequest {
  /** How long the current secret is still accepted, at most 30 days. Default `86400`. */
  graceSeconds?: number;
}

/** The response of rotateSecret of a ApiClient. */
export interface ApiClientRotateSecretAnswer {
  /** Client id. */
  clientId: string;
  /** Shown only here. */
  clientSecret: string;
  /** Previous secret expires date. */
  previousSecretExpiresDate: string;
}

/** A parameter of a script. */
export interface ScriptParameter {
  /** Name. */
  name: string;
  /** Type. */
  type: 'text' | 'number' | 'integer' | 'boolean' | 'dateTime';
  /** The value if a subscription sets none. */
  default?: unknown;
  /** true: every subscription must set it. Default: false. */
  required?: boolean;
  /** Description. */
  description?: string;
}

/** A new AlertScript. */
export interface AlertScriptCreate {
  /** The code that subscriptions use in `dlpAlertScript`. Unique. */
  code: string;
  /** Name. */
  name: string;
  /**
   * JavaScript: the body of a function with `svcObject`, `oldSvcObject`, `user`, `parameters`, `message`
   * and `console`. It returns true or false, or sets `message.subject` and `message.body`.
   */
  body: string;
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** The purpose of the script. */
  description?: string | null;
  /** The parameters that subscriptions set in `scriptParameterValues`: exactly those that the body uses. */
  parameters?: ScriptParameter[] | null;
  /**
   * A field selection: attributes that the script sees in addition to those of the notification. Must
   * fit the type of every subscription that uses the script.
   */
  fields?: Record<string, unknown> | null;
}

/** Changes to a AlertScript. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface AlertScriptChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /** The code that subscriptions use in `dlpAlertScript`. Unique. */
  code?: string;
  /** Name. */
  name?: string;
  /** The purpose of the script. */
  description?: string | null;
  /**
   * JavaScript: the body of a function with `svcObject`, `oldSvcObject`, `user`, `parameters`, `message`
   * and `console`. It returns true or false, or sets `message.subject` and `message.body`.
   */
  body?: string;
  /** The parameters that subscriptions set in `scriptParameterValues`: exactly those that the body uses. */
  parameters?: ScriptParameter[] | null;
  /**
   * A field selection: attributes that the script sees in addition to those of the notification. Must
   * fit the type of every subscription that uses the script.
   */
  fields?: Record<string, unknown> | null;
}

/** The channel and the address of notifications. `URL` is the same as `url`. Since 3.9. */
export interface ChannelInfo {
  /**
   * HTTP: a signed POST, with `webhookUsername` and `webhookPassword` if they are set. EMAIL: a readable
   * mail with the body attached. STREAM: nothing is sent: the receiver connects to the service (`GET
   * …/stream`) or asks for notifications (`POST …/pull`), and acknowledges them. NATS: published to
   * JetStream with the headers of HTTP and `Nats-Msg-Id`, with `webhookUsername` and `webhookPassword`
   * if they are set, and delivered when the stream has acknowledged. Default: HTTP.
   */
  channelType: 'HTTP' | 'EMAIL' | 'STREAM' | 'NATS';
  /**
   * The address: for HTTP an `http` or `https` URL, for EMAIL one e-mail address, for NATS one or
   * several `nats` or `tls` URLs with commas between them.
   */
  URL?: string;
  /**
   * For NATS, where notifications are published. `{objectType}`, `{operation}` and `{objectKey}` are
   * those of the changed object, `{subscription}` is the key of the subscription. Default:
   * `flaghoist.{objectType}.{operation}.{objectKey}`.
   */
  subject?: string;
  /**
   * How the service authenticates itself: for HTTP OAUTH2 or MTLS, for NATS CREDENTIALS or MTLS. Null:
   * not, or by the password.
   */
  auth?: ReceiverAuth | null;
}

/**
 * How the service authenticates itself: for HTTP OAUTH2 or MTLS, for NATS CREDENTIALS or MTLS. Null:
 * not, or by the password.
 */
export type ReceiverAuth = OAuth2Auth | MtlsAuth | CredentialsAuth;

/**
 * OAuth 2.0 client credentials: notifications carry a Bearer token of this server. The token is
 * fetched when it is needed, kept until shortly before it expires, and fetched again once if the
 * receiver answers 401.
 */
export interface OAuth2Auth {
  /** Type. */
  type: 'OAUTH2';
  /** The token endpoint: an `http` or `https` URL. */
  tokenUrl: string;
  /** Client id. */
  clientId: string;
  /** Scope. */
  scope?: string;
  /** Audience. */
  audience?: string;
}

/** Mutual TLS: the service presents this certificate to the receiver. */
export interface MtlsAuth {
  /** Type. */
  type: 'MTLS';
  /** PEM: the certificate, and those between it and its issuer. */
  certificate: string;
}

/** Credentials of NATS: the service signs in as the user of a `.creds` file. */
export interface CredentialsAuth {
  /** Type. */
  type: 'CREDENTIALS';
}

/**
 * When failed attempts are repeated; at most 100 attempts over 30 days, or over
 * `FLAGHOIST_BODY_RETENTION_DAYS` if shorter. Null: the default of the service.
 */
export interface RetryPolicy {
  /** How many attempts. Omitted: the default of the service (`FLAGHOIST_DELIVERY_ATTEMPTS`). */
  attempts?: number;
  /**
   * From the start of the first attempt to the start of the second one. Omitted: the default of the
   * service (`FLAGHOIST_DELIVERY_INTERVAL_SECONDS`).
   */
  intervalSeconds?: number;
  /**
   * EXPONENTIAL: the interval doubles after each attempt, and up to 20 % are added at random. Default:
   * FIXED.
   */
  backoff?: 'FIXED' | 'EXPONENTIAL';
  /** With EXPONENTIAL, the longest interval. Default: 86400. */
  maxIntervalSeconds?: number;
}

/**
 * A new WebhookSubscription. Needs `eventTypes`, or `eventType`, or `objectType` and `operation`.
 * Needs `url`, or `channelInfo`.
 */
export interface WebhookSubscriptionCreate {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /**
   * What the subscription matches. Each is `<Resource>.<C|U|D>` or, for one object,
   * `<Resource>.<C|U|D>.<key>`. `*` stands for every operation (`BunkerOrder.*`) or every type (`*.D`).
   * Mandatory, here or as `eventType`. The order is kept. At least 1. Set on create; cannot be changed
   * later.
   */
  eventTypes?: string[] | null;
  /**
   * Instead of `eventTypes`, if there is one without a wildcard. Otherwise null. Can also be the letter
   * alone, with `objectType` and, for one object, `objectKey`. Set on create; cannot be changed later.
   */
  eventType?: string | null;
  /** The first part of `eventType`. Set on create; cannot be changed later. */
  objectType?: string | null;
  /** The second part of `eventType`. Set on create; cannot be changed later. */
  operation?: 'C' | 'U' | 'D' | null;
  /**
   * The third part of `eventType`: one object. Null: all objects. Set on create; cannot be changed
   * later.
   */
  objectKey?: number | null;
  /**
   * The owner of the subscription. Only an administrator can name another user than the caller. Set on
   * create; cannot be changed later.
   */
  user?: ApiUserReferenceInput;
  /** A name for people. Mails about the subscription show it. */
  name?: string | null;
  /**
   * Where notifications are sent: for HTTP an `http` or `https` URL, for EMAIL one e-mail address, for
   * NATS one or several `nats` or `tls` URLs with commas between them. Required, here or in
   * `channelInfo`; null for STREAM.
   */
  url?: string | null;
  /** The channel and the address of notifications. `URL` is the same as `url`. Since 3.9. */
  channelInfo?: ChannelInfoInput | null;
  /**
   * Headers to send along with each notification over HTTP, at most 20 of 4 kB in all. The values are
   * encrypted at rest and shown as `***`; sent back like that, they stay.
   */
  headers?: Record<string, string> | null;
  /**
   * For STREAM: a notification that is not acknowledged within this time is sent again. Null: 30
   * seconds.
   */
  acknowledgeSeconds?: number | null;
  /**
   * When failed attempts are repeated; at most 100 attempts over 30 days, or over
   * `FLAGHOIST_BODY_RETENTION_DAYS` if shorter. Null: the default of the service.
   */
  retryPolicy?: RetryPolicy | null;
  /** At most this many attempts per second. Notifications over the rate wait. Null: no limit. */
  ratePerSecond?: number | null;
  /** Set to true to unsubscribe. This cannot be undone. Default `false`. */
  unsubscribed?: boolean;
  /** Sent with `webhookPassword` as HTTP Basic, or as user and password of NATS. */
  webhookUsername?: string | null;
  /**
   * A field selection: the attributes that the notification contains. Sent in Base64, or as a JSON
   * object; shown in Base64. Since 3.9.
   */
  json?: WebhookSubscriptionJson | null;
  /**
   * A Java expression over `svcObject`, `oldSvcObject`, `changedObject` and `oldChangedObject`, or its
   * short form. A notification is sent only if it is true. Since 3.9.
   */
  expression?: string | null;
  /**
   * The AlertScript that decides whether a notification is sent. Sent as its code, its key or an object
   * with its `key`; shown as its code. Since 3.9.
   */
  dlpAlertScript?: WebhookSubscriptionDlpAlertScript | null;
  /** Values for the parameters of the script, by name. Since 3.9. */
  scriptParameterValues?: Record<string, unknown> | null;
  /** Sends the script's message instead of the usual body. Default `false`. Since 3.9. */
  useMsg?: boolean;
  /**
   * true: only changes to the subscribed object itself, not to its hierarchy. Default `false`. Set on
   * create; cannot be changed later. Since 3.16.
   */
  onlyMainObject?: boolean;
  /**
   * true: only the object is sent, without the envelope. Default `false`. Set on create; cannot be
   * changed later. Since 5.23.
   */
  rawObject?: boolean;
  /**
   * true: the envelope also contains `changes`: each changed attribute, with its old and new value.
   * Default `false`. Set on create; cannot be changed later.
   */
  includeChanges?: boolean;
  /**
   * An XSLT 1.0 stylesheet in Base64 that creates the body from the object's XML. Set on create; cannot
   * be changed later. Since 5.24. Edition ENTERPRISE only.
   */
  xsl?: string | null;
  /** true: never deactivated because of failed deliveries. Default `false`. Since 6.10. */
  doNotUnsubscribe?: boolean;
  /**
   * true: changes by the subscription's own user are not notified. Default `false`. Set on create;
   * cannot be changed later. Since 6.44.
   */
  notSendMyChanges?: boolean;
  /**
   * OBJECT: notifications about one subscribed object are sent one after the other, in the order of the
   * changes. The next one is sent when the one before was delivered or has failed for good. Default
   * `NONE`. Set on create; cannot be changed later.
   */
  ordering?: 'NONE' | 'OBJECT';
  /**
   * Key of an active or deactivated subscription of the same user. Its pending and failed notifications
   * go to this subscription, and it is unsubscribed. Its signing secret is kept unless `signingSecret`
   * is sent. Set on create; cannot be changed later.
   */
  replaces?: number | null;
  /** Encrypted at rest and never shown. */
  webhookPassword?: string | null;
  /**
   * Signs deliveries (Standard Webhooks). Created by the service unless it is sent on POST. Shown once,
   * in the response that creates the subscription; not shown if `replaces` keeps the old one. `whsec_`
   * followed by 24 to 64 bytes in Base64.
   */
  signingSecret?: string | null;
}

/** The channel and the address of notifications. `URL` is the same as `url`. Since 3.9. */
export interface ChannelInfoInput {
  /**
   * HTTP: a signed POST, with `webhookUsername` and `webhookPassword` if they are set. EMAIL: a readable
   * mail with the body attached. STREAM: nothing is sent: the receiver connects to the service (`GET
   * …/stream`) or asks for notifications (`POST …/pull`), and acknowledges them. NATS: published to
   * JetStream with the headers of HTTP and `Nats-Msg-Id`, with `webhookUsername` and `webhookPassword`
   * if they are set, and delivered when the stream has acknowledged. Default: HTTP.
   */
  channelType?: 'HTTP' | 'EMAIL' | 'STREAM' | 'NATS';
  /**
   * The address: for HTTP an `http` or `https` URL, for EMAIL one e-mail address, for NATS one or
   * several `nats` or `tls` URLs with commas between them.
   */
  URL?: string;
  /**
   * For NATS, where notifications are published. `{objectType}`, `{operation}` and `{objectKey}` are
   * those of the changed object, `{subscription}` is the key of the subscription. Default:
   * `flaghoist.{objectType}.{operation}.{objectKey}`.
   */
  subject?: string;
  /**
   * How the service authenticates itself: for HTTP OAUTH2 or MTLS, for NATS CREDENTIALS or MTLS. Null:
   * not, or by the password.
   */
  auth?: ReceiverAuthInput | null;
}

/**
 * How the service authenticates itself: for HTTP OAUTH2 or MTLS, for NATS CREDENTIALS or MTLS. Null:
 * not, or by the password.
 */
export type ReceiverAuthInput = OAuth2AuthInput | MtlsAuthInput | CredentialsAuthInput;

/**
 * OAuth 2.0 client credentials: notifications carry a Bearer token of this server. The token is
 * fetched when it is needed, kept until shortly before it expires, and fetched again once if the
 * receiver answers 401.
 */
export interface OAuth2AuthInput {
  /** Type. */
  type: 'OAUTH2';
  /** The token endpoint: an `http` or `https` URL. */
  tokenUrl: string;
  /** Client id. */
  clientId: string;
  /** Encrypted at rest and never shown. Required again only with another tokenUrl or clientId. */
  clientSecret: string;
  /** Scope. */
  scope?: string;
  /** Audience. */
  audience?: string;
}

/** Mutual TLS: the service presents this certificate to the receiver. */
export interface MtlsAuthInput {
  /** Type. */
  type: 'MTLS';
  /** PEM: the certificate, and those between it and its issuer. */
  certificate: string;
  /**
   * PEM, without a passphrase. Encrypted at rest and never shown. Required again only with another
   * certificate.
   */
  privateKey: string;
}

/** Credentials of NATS: the service signs in as the user of a `.creds` file. */
export interface CredentialsAuthInput {
  /** Type. */
  type: 'CREDENTIALS';
  /**
   * The text of the `.creds` file: JWT and seed. Encrypted at rest and never shown. It can be left out
   * of a change.
   */
  credentials: string;
}

/**
 * A field selection: the attributes that the notification contains. Sent in Base64, or as a JSON
 * object; shown in Base64. Since 3.9.
 */
export type WebhookSubscriptionJson = string | Record<string, unknown>;

/**
 * The AlertScript that decides whether a notification is sent. Sent as its code, its key or an object
 * with its `key`; shown as its code. Since 3.9.
 */
export type WebhookSubscriptionDlpAlertScript = string | number | AlertScriptWithKey;

/** An AlertScript, identified by its key. */
export interface AlertScriptWithKey {
  /** Key. */
  key: number;
}

/** Changes to a WebhookSubscription. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface WebhookSubscriptionChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /**
   * What the subscription matches. Each is `<Resource>.<C|U|D>` or, for one object,
   * `<Resource>.<C|U|D>.<key>`. `*` stands for every operation (`BunkerOrder.*`) or every type (`*.D`).
   * Mandatory, here or as `eventType`. The order is kept. At least 1. Set on create; cannot be changed
   * later.
   */
  eventTypes?: string[];
  /**
   * Instead of `eventTypes`, if there is one without a wildcard. Otherwise null. Can also be the letter
   * alone, with `objectType` and, for one object, `objectKey`. Set on create; cannot be changed later.
   */
  eventType?: string | null;
  /** The first part of `eventType`. Set on create; cannot be changed later. */
  objectType?: string | null;
  /** The second part of `eventType`. Set on create; cannot be changed later. */
  operation?: 'C' | 'U' | 'D' | null;
  /**
   * The third part of `eventType`: one object. Null: all objects. Set on create; cannot be changed
   * later.
   */
  objectKey?: number | null;
  /**
   * The owner of the subscription. Only an administrator can name another user than the caller. Set on
   * create; cannot be changed later.
   */
  user?: ApiUserReferenceInput;
  /** A name for people. Mails about the subscription show it. */
  name?: string | null;
  /**
   * Where notifications are sent: for HTTP an `http` or `https` URL, for EMAIL one e-mail address, for
   * NATS one or several `nats` or `tls` URLs with commas between them. Required, here or in
   * `channelInfo`; null for STREAM.
   */
  url?: string | null;
  /** The channel and the address of notifications. `URL` is the same as `url`. Since 3.9. */
  channelInfo?: ChannelInfoChange;
  /**
   * Headers to send along with each notification over HTTP, at most 20 of 4 kB in all. The values are
   * encrypted at rest and shown as `***`; sent back like that, they stay.
   */
  headers?: Record<string, string> | null;
  /**
   * For STREAM: a notification that is not acknowledged within this time is sent again. Null: 30
   * seconds.
   */
  acknowledgeSeconds?: number | null;
  /**
   * When failed attempts are repeated; at most 100 attempts over 30 days, or over
   * `FLAGHOIST_BODY_RETENTION_DAYS` if shorter. Null: the default of the service.
   */
  retryPolicy?: RetryPolicy | null;
  /** At most this many attempts per second. Notifications over the rate wait. Null: no limit. */
  ratePerSecond?: number | null;
  /** Set to true to unsubscribe. This cannot be undone. Default `false`. */
  unsubscribed?: boolean;
  /** Sent with `webhookPassword` as HTTP Basic, or as user and password of NATS. */
  webhookUsername?: string | null;
  /**
   * A field selection: the attributes that the notification contains. Sent in Base64, or as a JSON
   * object; shown in Base64. Since 3.9.
   */
  json?: WebhookSubscriptionJson | null;
  /**
   * A Java expression over `svcObject`, `oldSvcObject`, `changedObject` and `oldChangedObject`, or its
   * short form. A notification is sent only if it is true. Since 3.9.
   */
  expression?: string | null;
  /**
   * The AlertScript that decides whether a notification is sent. Sent as its code, its key or an object
   * with its `key`; shown as its code. Since 3.9.
   */
  dlpAlertScript?: WebhookSubscriptionDlpAlertScript | null;
  /** Values for the parameters of the script, by name. Since 3.9. */
  scriptParameterValues?: Record<string, unknown> | null;
  /** Sends the script's message instead of the usual body. Default `false`. Since 3.9. */
  useMsg?: boolean;
  /**
   * true: only changes to the subscribed object itself, not to its hierarchy. Default `false`. Set on
   * create; cannot be changed later. Since 3.16.
   */
  onlyMainObject?: boolean;
  /**
   * true: only the object is sent, without the envelope. Default `false`. Set on create; cannot be
   * changed later. Since 5.23.
   */
  rawObject?: boolean;
  /**
   * true: the envelope also contains `changes`: each changed attribute, with its old and new value.
   * Default `false`. Set on create; cannot be changed later.
   */
  includeChanges?: boolean;
  /**
   * An XSLT 1.0 stylesheet in Base64 that creates the body from the object's XML. Set on create; cannot
   * be changed later. Since 5.24. Edition ENTERPRISE only.
   */
  xsl?: string | null;
  /** true: never deactivated because of failed deliveries. Default `false`. Since 6.10. */
  doNotUnsubscribe?: boolean;
  /**
   * true: changes by the subscription's own user are not notified. Default `false`. Set on create;
   * cannot be changed later. Since 6.44.
   */
  notSendMyChanges?: boolean;
  /**
   * OBJECT: notifications about one subscribed object are sent one after the other, in the order of the
   * changes. The next one is sent when the one before was delivered or has failed for good. Default
   * `NONE`. Set on create; cannot be changed later.
   */
  ordering?: 'NONE' | 'OBJECT';
  /**
   * Key of an active or deactivated subscription of the same user. Its pending and failed notifications
   * go to this subscription, and it is unsubscribed. Its signing secret is kept unless `signingSecret`
   * is sent. Set on create; cannot be changed later.
   */
  replaces?: number | null;
  /** Encrypted at rest and never shown. */
  webhookPassword?: string | null;
}

/** The channel and the address of notifications. `URL` is the same as `url`. Since 3.9. */
export interface ChannelInfoChange {
  /**
   * HTTP: a signed POST, with `webhookUsername` and `webhookPassword` if they are set. EMAIL: a readable
   * mail with the body attached. STREAM: nothing is sent: the receiver connects to the service (`GET
   * …/stream`) or asks for notifications (`POST …/pull`), and acknowledges them. NATS: published to
   * JetStream with the headers of HTTP and `Nats-Msg-Id`, with `webhookUsername` and `webhookPassword`
   * if they are set, and delivered when the stream has acknowledged. Default: HTTP.
   */
  channelType?: 'HTTP' | 'EMAIL' | 'STREAM' | 'NATS';
  /**
   * The address: for HTTP an `http` or `https` URL, for EMAIL one e-mail address, for NATS one or
   * several `nats` or `tls` URLs with commas between them.
   */
  URL?: string;
  /**
   * For NATS, where notifications are published. `{objectType}`, `{operation}` and `{objectKey}` are
   * those of the changed object, `{subscription}` is the key of the subscription. Default:
   * `flaghoist.{objectType}.{operation}.{objectKey}`.
   */
  subject?: string;
  /**
   * How the service authenticates itself: for HTTP OAUTH2 or MTLS, for NATS CREDENTIALS or MTLS. Null:
   * not, or by the password.
   */
  auth?: ReceiverAuthChange | null;
}

/**
 * How the service authenticates itself: for HTTP OAUTH2 or MTLS, for NATS CREDENTIALS or MTLS. Null:
 * not, or by the password.
 */
export type ReceiverAuthChange = OAuth2AuthChange | MtlsAuthChange | CredentialsAuthChange;

/**
 * OAuth 2.0 client credentials: notifications carry a Bearer token of this server. The token is
 * fetched when it is needed, kept until shortly before it expires, and fetched again once if the
 * receiver answers 401.
 */
export interface OAuth2AuthChange {
  /** Type. */
  type: 'OAUTH2';
  /** The token endpoint: an `http` or `https` URL. */
  tokenUrl: string;
  /** Client id. */
  clientId: string;
  /** Encrypted at rest and never shown. Required again only with another tokenUrl or clientId. */
  clientSecret?: string;
  /** Scope. */
  scope?: string;
  /** Audience. */
  audience?: string;
}

/** Mutual TLS: the service presents this certificate to the receiver. */
export interface MtlsAuthChange {
  /** Type. */
  type: 'MTLS';
  /** PEM: the certificate, and those between it and its issuer. */
  certificate: string;
  /**
   * PEM, without a passphrase. Encrypted at rest and never shown. Required again only with another
   * certificate.
   */
  privateKey?: string;
}

/** Credentials of NATS: the service signs in as the user of a `.creds` file. */
export interface CredentialsAuthChange {
  /** Type. */
  type: 'CREDENTIALS';
  /**
   * The text of the `.creds` file: JWT and seed. Encrypted at rest and never shown. It can be left out
   * of a change.
   */
  credentials?: string;
}

/** The request body of rotateSecret of a WebhookSubscription. */
export interface WebhookSubscriptionRotateSecretRequest {
  /** How long the current secret also signs, at most 30 days. Default `86400`. */
  graceSeconds?: number;
  /**
   * The new secret. Omitted or null: the service creates one. `whsec_` followed by 24 to 64 bytes in
   * Base64.
   */
  signingSecret?: string | null;
}

/** The response of rotateSecret of a WebhookSubscription. */
export interface WebhookSubscriptionRotateSecretAnswer {
  /** Key of the subscription. */
  key: number;
  /** Both secrets sign until this time. */
  previousSecretExpiresDate: string;
  /**
   * The new secret. Shown only once: a repeated request with the same Idempotency-Key does not return
   * it.
   */
  signingSecret?: string | null;
}

/** The request body of ping of a WebhookSubscription. */
export type WebhookSubscriptionPingRequest = Record<never, never>;

/** The response of ping of a WebhookSubscription. */
export interface WebhookSubscriptionPingAnswer {
  /** Is delivered. */
  isDelivered: boolean;
  /** The `id` of the message. */
  id: string;
  /** Channel type. */
  channelType: 'HTTP' | 'EMAIL' | 'STREAM' | 'NATS';
  /** The address that it was sent to. */
  url: string;
  /** How long it took. */
  durationMs: number;
  /** The status code of the response. Null if there was none. */
  statusCode?: number | null;
  /** The first bytes of the body of the response. */
  answer?: string | null;
  /** Why it failed. Null if it succeeded. */
  errorMessage?: string | null;
}

/** The request body of sendFailedNotifications of a WebhookSubscription. */
export interface WebhookSubscriptionSendFailedNotificationsRequest {
  /** Only notifications of changes at or after this time (`eventTime`). */
  from?: string | null;
  /** Only notifications of changes before this time. */
  to?: string | null;
  /** Keys of the notifications to resend, at most 1,000. Default: all failed ones. */
  notifications?: number[] | null;
  /** true: only counts the notifications. Default `false`. */
  dryRun?: boolean;
}

/** The response of sendFailedNotifications of a WebhookSubscription. */
export interface WebhookSubscriptionSendFailedNotificationsAnswer {
  /** How many notifications are resent, without those that a running ResendJob is still to resend. */
  total: number;
  /** Key of the ResendJob. Null if there is nothing to send, or with `dryRun`. */
  job?: number | null;
  /** URL of the ResendJob. */
  jobSelf?: string | null;
}

/** The request body of replay of a WebhookSubscription. */
export interface WebhookSubscriptionReplayRequest {
  /** Only notifications of changes at or after this time (`eventTime`). */
  from?: string | null;
  /** Only notifications of changes before this time. */
  to?: string | null;
  /** Keys of the notifications to replay, at most 1,000. Default: all. */
  notifications?: number[] | null;
  /** Only notifications of this object, changed or subscribed to. */
  objectKey?: number | null;
  /** `DELIVERED` or `FAILED`, or an array of them. Default: both. */
  status?: ReplayedStatus | null;
  /** true: only counts the notifications. Default `false`. */
  dryRun?: boolean;
}

/** `DELIVERED` or `FAILED`, or an array of them. Default: both. */
export type ReplayedStatus = 'DELIVERED' | 'FAILED' | ('DELIVERED' | 'FAILED')[];

/** The response of replay of a WebhookSubscription. */
export interface WebhookSubscriptionReplayAnswer {
  /** How many notifications are replayed. */
  total: number;
  /** Key of the ResendJob. Null if there is nothing to send, or with `dryRun`. */
  job?: number | null;
  /** URL of the ResendJob. */
  jobSelf?: string | null;
}

/** The request body of pull of a WebhookSubscription. */
export interface WebhookSubscriptionPullRequest {
  /** Maximum number of notifications. Default `100`. */
  limit?: number;
  /** How long to wait if there is none. Default `0`. */
  waitSeconds?: number;
}

/** One element of the response of pull of a WebhookSubscription. */
export interface WebhookSubscriptionPullAnswer {
  /** Key of the WebhookNotification, by which it is acknowledged. */
  notification: number;
  /** The headers that HTTP would send, including the signature. */
  headers: Record<string, string>;
  /** The body, exactly as it was signed. */
  body: string;
}

/** The request body of acknowledge of a WebhookSubscription. */
export interface WebhookSubscriptionAcknowledgeRequest {
  /** Keys of notifications that were sent. Those that are acknowledged already are ignored. */
  notifications?: number[] | null;
  /**
   * Instead of `notifications`: this one, and all that were sent before it over the same connection or
   * by the same pull; this one alone if it was sent more than once.
   */
  upTo?: number | null;
}

/** The response of acknowledge of a WebhookSubscription. */
export interface WebhookSubscriptionAcknowledgeAnswer {
  /** How many were acknowledged. */
  acknowledged: number;
}

/** The request body of completions of a WebhookSubscription. */
export interface WebhookSubscriptionCompletionsRequest {
  /** The text so far, in Java or as a short form. It may be unfinished. */
  expression: string;
  /** The type of the subscribed objects. Either this or `eventTypes`. */
  objectType?: string | null;
  /**
   * The event types of the subscription, all of one object type. Instead of `objectType`. The order is
   * kept. At least 1.
   */
  eventTypes?: string[] | null;
  /** The place in the text. Default: its end. */
  offset?: number | null;
}

/** The response of completions of a WebhookSubscription. */
export interface WebhookSubscriptionCompletionsAnswer {
  /** Where the word begins that a completion replaces. */
  from: number;
  /** Where it ends: at `offset`. */
  to: number;
  /** In the order in which to list them; empty inside a text or a comment. */
  completions: ExpressionCompletion[];
}

/** What can be written at a place in an expression. */
export interface ExpressionCompletion {
  /** What to show, such as `startsWith(String)`. */
  label: string;
  /** A value is a variable, a class, a constant, or a value of a code. */
  kind: 'attribute' | 'method' | 'operator' | 'value';
  /** The type, such as `String`. Empty for an operator. */
  detail: string;
  /** What to write instead of the word. */
  insert: string;
  /** What it is, in words. May be empty. */
  description: string;
}

/** The request body of checkExpression of a WebhookSubscription. */
export interface WebhookSubscriptionCheckExpressionRequest {
  /** The text so far, in Java or as a short form. It may be unfinished. */
  expression: string;
  /** The type of the subscribed objects. Either this or `eventTypes`. */
  objectType?: string | null;
  /**
   * The event types of the subscription, all of one object type. Instead of `objectType`. The order is
   * kept. At least 1.
   */
  eventTypes?: string[] | null;
}

/** The response of checkExpression of a WebhookSubscription. */
export interface WebhookSubscriptionCheckExpressionAnswer {
  /** The mistakes, at most 20. Empty if the expression can be saved. */
  errors: ExpressionError[];
}

/** A mistake in an expression, with its place in the text. */
export interface ExpressionError {
  /** What is wrong, and what to do. */
  message: string;
  /** Where the mistake begins. */
  from: number;
  /** Where it ends. Equal to `from` at the end of the text. */
  to: number;
  /** The line where it begins. */
  line: number;
  /** The column where it begins. */
  column: number;
  /** What to write from `from` to `to` to correct it, if that is known. */
  suggestion: string | null;
}

/** The response of health of a WebhookSubscription. */
export interface WebhookSubscriptionHealthAnswer {
  /** The subscriptions, newest first. */
  subscriptions: SubscriptionHealth[];
}

/** How well a subscription is delivered. */
export interface SubscriptionHealth {
  /** Key of the subscription. */
  subscription: number;
  /**
   * Its state. FAILING: it is active, and its last attempt has failed, or its script or stylesheet keeps
   * failing.
   */
  status: 'ACTIVE' | 'FAILING' | 'DEACTIVATED' | 'UNSUBSCRIBED';
  /** Notifications that were delivered in the last hour, to within 15 minutes. */
  deliveredLastHour: number;
  /** Notifications that have failed for good in the same time. */
  failedLastHour: number;
  /** Notifications that are still to be delivered, at most 1000. */
  pending: number;
  /** When the oldest of these was created. Null if there is none. */
  oldestPendingAt: string | null;
  /** The last failed attempt of the last 8 days. Null if there was none. */
  lastError: LastError | null;
  /** Since when all attempts have failed. Null if the last attempt succeeded. */
  failingSince: string | null;
  /** The last 24 hours, oldest first. */
  points: HealthPoint[];
}

/** The last failed attempt of the last 8 days. Null if there was none. */
export interface LastError {
  /** When the attempt started. */
  at: string;
  /** Why it failed. */
  text: string;
  /** The status code of the response. Null if there was none. */
  status: number | null;
}

/** What was delivered in one hour, and what has failed. */
export interface HealthPoint {
  /** The start of the hour. */
  at: string;
  /** Notifications that were delivered. */
  delivered: number;
  /** Notifications that have failed for good. */
  failed: number;
}

/** One element of the response of decisions of a WebhookSubscription. */
export interface WebhookSubscriptionDecisionsAnswer {
  /** Id of the event. */
  event: number;
  /** When the change was made. */
  eventTime: string;
  /** Type of the changed object. */
  objectType: string;
  /** The operation. */
  eventType: 'C' | 'U' | 'D';
  /** Key of the changed object. */
  objectKey: number;
  /** Key of the subscription. */
  subscription: number;
  /** Key of the object that the subscription would be notified about. */
  subscribedObjectKey: number;
  /** Is notified. */
  isNotified: boolean;
  /** The reason for the decision. */
  reason: 'NOTIFIED' | 'ANOTHER_OPERATION' | 'ANOTHER_KEY' | 'ONLY_MAIN_OBJECT' | 'SAME_TRANSACTION' | 'OWN_CHANGE' | 'OBJECT_DELETED' | 'EXPRESSION_FALSE' | 'EXPRESSION_ERROR' | 'SCRIPT_FALSE' | 'SCRIPT_ERROR' | 'NOT_ACTIVE' | 'BEFORE_SUBSCRIPTION' | 'WAITING' | 'SHAPING' | 'NOT_RECORDED';
  /** The reason in words, or the error of an expression or script. */
  message: string;
  /** Name of the subscription. */
  subscriptionName?: string | null;
  /** Key of the WebhookNotification, if there is one. */
  notification?: number | null;
  /** The `id` of its message. */
  notificationId?: string | null;
  /** The lines that the script wrote with console.log. Null if there is no script. */
  log?: string[] | null;
  /**
   * How the expression was evaluated. Only for the newest 20 decisions, and null if none was evaluated
   * or if the expression was changed since.
   */
  evaluation?: ExpressionEvaluation | null;
}

/**
 * How the expression was evaluated. Only for the newest 20 decisions, and null if none was evaluated
 * or if the expression was changed since.
 */
export interface ExpressionEvaluation {
  /** The part as written, abbreviated if it is long. */
  text: string;
  /** Where it begins in the expression, in UTF-16 code units. */
  from: number;
  /** Where it ends. */
  to: number;
  /** Its type in Java, such as `Double` or `List<PortCall>`. */
  type: string;
  /**
   * Its value, such as `"NOM"`, `12.5`, `2026-11-15T08:30:00`, `Voyage 1042` or `null`, abbreviated if
   * it is long. JSON null: it was not evaluated, or it failed.
   */
  value: string | null;
  /** The message of the failure, at the part that failed. */
  error: string | null;
  /** In a lambda: the element that it was evaluated for, such as `PortCall 1007`. */
  element: string | null;
  /** Whether it decided the value of the expression. */
  isDecisive: boolean;
  /** The parts that it is made of. A part of a lambda comes once for each element, at most ten times. */
  children: ExpressionEvaluation[];
  /** How many children were left out. */
  omitted: number;
}

/** The request body of test of a WebhookSubscription. */
export interface WebhookSubscriptionTestRequest {
  /** A key; or a subscription as in a POST; or, with `key`, the changes to a subscription as in a PUT. */
  subscription: TestedSubscription;
  /**
   * Key of an object of a subscribed type, used in its current state: as if it had just been created,
   * deleted, or updated without a difference. With `event`: which of its objects.
   */
  objectKey?: number | null;
  /** The operation. Default: that of the first event type for the object, or U if that is `*`. */
  operation?: 'C' | 'U' | 'D' | null;
  /** Id of a recent event, instead of an object: the same change, as if it were made now. */
  event?: number | null;
  /**
   * JavaScript to run instead of the saved script, to try it before it is saved. Needs the scope admin,
   * like saving it.
   */
  script?: string | null;
}

/** A key; or a subscription as in a POST; or, with `key`, the changes to a subscription as in a PUT. */
export type TestedSubscription = number | WebhookSubscriptionCreate | WebhookSubscriptionChangeWithKey;

/** Changes to an existing subscription. */
export type WebhookSubscriptionChangeWithKey = WebhookSubscriptionChange & {
  key: number;
};

/** The response of test of a WebhookSubscription. */
export interface WebhookSubscriptionTestAnswer {
  /** Is notified. */
  isNotified: boolean;
  /** The reason for the decision. */
  reason: 'NOTIFIED' | 'ANOTHER_OPERATION' | 'ANOTHER_KEY' | 'ONLY_MAIN_OBJECT' | 'SAME_TRANSACTION' | 'OWN_CHANGE' | 'OBJECT_DELETED' | 'EXPRESSION_FALSE' | 'EXPRESSION_ERROR' | 'SCRIPT_FALSE' | 'SCRIPT_ERROR' | 'NOT_ACTIVE' | 'BODY_TOO_LARGE' | 'STYLESHEET_ERROR';
  /** The reason in words, or the error of an expression, script or stylesheet. */
  message: string;
  /** Key of the object that the subscription would be notified about. */
  subscribedObjectKey: number;
  /** Channel type. */
  channelType: 'HTTP' | 'EMAIL' | 'STREAM' | 'NATS';
  /** The address that it would be sent to. */
  url: string;
  /** Content type of the body. */
  contentType?: string | null;
  /** What would be sent. Null if nothing would be. */
  body?: string | null;
  /** Subject of the mail, if the script has set one. */
  subject?: string | null;
  /** The lines that the script wrote with console.log. Null if there is no script. */
  log?: string[] | null;
  /** How the expression was evaluated. Null if none was. */
  evaluation?: ExpressionEvaluation | null;
  /**
   * The attempts that would follow if a first attempt failed now. Null if the channel has no retries.
   * Jitter, and what a receiver asks for with `Retry-After`, come on top.
   */
  retries?: RetryForecast | null;
}

/**
 * The attempts that would follow if a first attempt failed now. Null if the channel has no retries.
 * Jitter, and what a receiver asks for with `Retry-After`, come on top.
 */
export interface RetryForecast {
  /** How many there are, including the first one. */
  attempts: number;
  /** When the second attempt comes. Null if there is only one. */
  nextAttemptDate: string | null;
  /** When the last attempt comes. Null if there is only one. */
  lastAttemptDate: string | null;
}

/** The request body of testRecent of a WebhookSubscription. */
export interface WebhookSubscriptionTestRecentRequest {
  /** A key; or a subscription as in a POST; or, with `key`, the changes to a subscription as in a PUT. */
  subscription: TestedSubscription;
  /**
   * JavaScript to run instead of the saved script, to try it before it is saved. Needs the scope admin,
   * like saving it.
   */
  script?: string | null;
  /** Maximum number of changes. Default `50`. */
  limit?: number;
}

/** The response of testRecent of a WebhookSubscription. */
export interface WebhookSubscriptionTestRecentAnswer {
  /** Newest first. Of each type, the newest 2,000 changes are searched. */
  changes: RecentChange[];
  /** How many of the changes match. */
  matched: number;
  /** How many changes there are. */
  examined: number;
}

/** A change that the event types cover, and what the subscription would have made of it. */
export interface RecentChange {
  /** Id of the event. */
  id: number;
  /** The type of the changed object and the operation, such as `PortCall.U`. */
  event: string;
  /** Type of the changed object. */
  objectType: string;
  /** Key of the changed object. */
  objectKey: number;
  /** What identifies the changed object to a person, as its reference shows it. Null if nothing does. */
  name: string | null;
  /** When the change was made, in UTC. */
  occurredAt: string;
  /** Type of the object that would be notified. */
  subscribedObjectType: string;
  /** Its key. */
  subscribedObjectKey: number;
  /** Whether the subscription matches the change. */
  isMatch: boolean;
  /** The reason for the decision. */
  reason: 'NOTIFIED' | 'ONLY_MAIN_OBJECT' | 'OWN_CHANGE' | 'OBJECT_DELETED' | 'EXPRESSION_FALSE' | 'EXPRESSION_ERROR' | 'SCRIPT_FALSE' | 'SCRIPT_ERROR' | 'BODY_TOO_LARGE' | 'STYLESHEET_ERROR' | 'NOT_RUN';
  /** The reason in words, or the error of an expression, script or stylesheet. */
  message: string;
  /** How the expression was evaluated, of a change that does not match. It has at most 60 parts. */
  evaluation: ExpressionEvaluationAnswer | null;
  /** What would be sent, of the newest three matches. Null for all others. */
  body: RecentChangeBody | null;
  /** The lines that the script wrote with console.log. Null if there is no script. */
  log: string[] | null;
}

/** A part of an expression, with its value and the parts that it is made of. Literals are left out. */
export interface ExpressionEvaluationAnswer {
  /** The part as written, abbreviated if it is long. */
  text: string;
  /** Where it begins in the expression, in UTF-16 code units. */
  from: number;
  /** Where it ends. */
  to: number;
  /** Its type in Java, such as `Double` or `List<PortCall>`. */
  type: string;
  /**
   * Its value, such as `"NOM"`, `12.5`, `2026-11-15T08:30:00`, `Voyage 1042` or `null`, abbreviated if
   * it is long. JSON null: it was not evaluated, or it failed.
   */
  value: string | null;
  /** The message of the failure, at the part that failed. */
  error: string | null;
  /** In a lambda: the element that it was evaluated for, such as `PortCall 1007`. */
  element: string | null;
  /** Whether it decided the value of the expression. */
  isDecisive: boolean;
  /** The parts that it is made of. A part of a lambda comes once for each element, at most ten times. */
  children: ExpressionEvaluationAnswer[];
  /** How many children were left out. */
  omitted: number;
}

/** What would be sent. */
export interface RecentChangeBody {
  /** Content type of the body. */
  contentType: string;
  /** The body, exactly as it would be sent. */
  text: string;
  /** How many bytes it has. */
  bytes: number;
  /** Subject of the mail, if the script has set one. */
  subject: string | null;
}

/** The request body of affected of a WebhookSubscription. */
export interface WebhookSubscriptionAffectedRequest {
  /** The type of the object that would change. */
  objectType: string;
  /** Its key. Not for a new object. */
  objectKey?: number | null;
  /** The operation. Default: U with `objectKey`, C without. */
  operation?: 'C' | 'U' | 'D' | null;
  /** The attributes, as in a PUT of the object, or as in a POST for a new one. Not with D. */
  changes?: Record<string, unknown> | null;
}

/** The response of affected of a WebhookSubscription. */
export interface WebhookSubscriptionAffectedAnswer {
  /**
   * Those of the caller's user, or of all users for an administrator, at most 100. Certain ones come
   * first.
   */
  subscriptions: AffectedSubscription[];
  /** How many subscriptions of all users would be notified, certain or not. */
  count: number;
  /** How many of them are not certain. */
  uncertain: number;
}

/** A subscription that would be notified. */
export interface AffectedSubscription {
  /** Key of the subscription. */
  key: number;
  /** Its name. */
  name: string | null;
  /** Key of its user. */
  userKey: number;
  /** False: a script decides, or the condition could not be evaluated in time. */
  certain: boolean;
}

/** A changed attribute, with its old and new value. */
export interface AttributeChange {
  /** Type of the changed object. */
  objectType: string;
  /** Key of the changed object. */
  objectKey: number;
  /** Name of the changed attribute. */
  attribute: string;
  /** The value before the change. A reference has `key` and `self`. Null on create. */
  old: unknown;
  /** The value after the change, in the same form. Null on delete. */
  new: unknown;
}

/** One attempt to deliver a notification. */
export interface DeliveryAttempt {
  /** When the attempt started, in UTC. */
  date: string;
  /** Duration of the attempt. */
  durationMs: number;
  /** The status code of the response. Null if there was none. */
  statusCode: number | null;
  /** The first bytes of the body of the response. */
  answer: string | null;
  /** Why the attempt failed. Null if it succeeded. */
  error: string | null;
}

/** The request body of resend of a WebhookNotification. */
export interface WebhookNotificationResendRequest {
  /** At least one filter, each written as in the query of the list. `(OR)` separates groups. */
  filter: string[];
  /** true: only counts the notifications. Default `false`. */
  dryRun?: boolean;
}

/** The response of resend of a WebhookNotification. */
export interface WebhookNotificationResendAnswer {
  /** How many notifications are sent again. */
  count: number;
  /** Whether `count` is an estimate, because counting would have taken more than 5 seconds. */
  isEstimate: boolean;
  /** The oldest `eventTime` among them. */
  oldest?: string | null;
  /** The newest `eventTime` among them. Null with an estimate. */
  newest?: string | null;
  /** Key of the ResendJob. Null if there is nothing to send, or with `dryRun`. */
  resendJob?: number | null;
}

/** The response of statistics of a WebhookNotification. */
export interface WebhookNotificationStatisticsAnswer {
  /** Range. */
  range: 'HOUR' | 'DAY' | 'WEEK';
  /** The start of the first step, in UTC. */
  from: string;
  /** The end of the last step, which is still to come. */
  to: string;
  /** The length of a step. */
  stepSeconds: number;
  /** One for each step. The last one has only just begun, or is still incomplete. */
  points: StatisticsPoint[];
  /** The same for the whole range. */
  totals: StatisticsTotals;
}

/** The counts of one step. */
export interface StatisticsPoint {
  /** The start of the step. */
  at: string;
  /** Changes to objects, of all users. */
  changes: number;
  /** Notifications that were created. */
  created: number;
  /** Notifications that were delivered. */
  delivered: number;
  /** Failed attempts that others follow. */
  retried: number;
  /** Notifications that have failed for good. */
  failed: number;
  /**
   * Within how many milliseconds after the change half of them were delivered, to within 19 %. What was
   * sent again on request is left out. Null if there is none.
   */
  p50Ms: number | null;
  /**
   * Within how many milliseconds after the change 99 % of them were delivered, to within 19 %. What was
   * sent again on request is left out. Null if there is none.
   */
  p99Ms: number | null;
}

/** The same for the whole range. */
export interface StatisticsTotals {
  /** Changes to objects, of all users. */
  changes: number;
  /** Notifications that were created. */
  created: number;
  /** Notifications that were delivered. */
  delivered: number;
  /** Failed attempts that others follow. */
  retried: number;
  /** Notifications that have failed for good. */
  failed: number;
  /**
   * Within how many milliseconds after the change half of them were delivered, to within 19 %. What was
   * sent again on request is left out. Null if there is none.
   */
  p50Ms: number | null;
  /**
   * Within how many milliseconds after the change 99 % of them were delivered, to within 19 %. What was
   * sent again on request is left out. Null if there is none.
   */
  p99Ms: number | null;
}

/** Changes to a ResendJob. Omitted attributes stay unchanged. `null` clears an attribute. */
export interface ResendJobChange {
  /** The caller's own id of the object. */
  externalObjectKey?: string | null;
  /**
   * The owner of the subscriptions. Null: an administrator sends those of all users. Set on create;
   * cannot be changed later.
   */
  user?: ApiUserReferenceInput | null;
  /** The subscription to resend. Null: all subscriptions of the user. */
  subscription?: WebhookSubscriptionReferenceInput | null;
  /** The subscription whose failed notifications are carried over to `subscription`. */
  replacedSubscription?: WebhookSubscriptionReferenceInput | null;
  /**
   * Set to true to cancel the job. Notifications that are not sent by then stay as they were. Default
   * `false`.
   */
  cancelled?: boolean;
}

/** Identifies a WebhookSubscription by its key, by an object with its `key`. */
export type WebhookSubscriptionReferenceInput = number | {
  key: number;
};

export type ServiceErrorCode = 'malformedRequest' | 'malformedJson' | 'invalidBody' | 'invalidFilter' | 'invalidSort' | 'invalidFields' | 'invalidPage' | 'invalidQuery' | 'invalidKey' | 'invalidHeader' | 'newerVersion' | 'tooManyObjects' | 'unauthorized' | 'tokenExpired' | 'signInFailed' | 'sessionEnded' | 'notFromConsole' | 'noAccess' | 'insufficientScope' | 'editionRequired' | 'viewOnly' | 'notPermitted' | 'unknownResource' | 'notFound' | 'methodNotAllowed' | 'alreadyExists' | 'stillReferred' | 'secretElsewhere' | 'unsubscribed' | 'notReactivated' | 'stillSubscribed' | 'notStreamed' | 'hasNotifications' | 'unreadableSecrets' | 'resendEnded' | 'noDemo' | 'lastElement' | 'stillRunning' | 'stale' | 'tooLarge' | 'answerTooLarge' | 'headersTooLarge' | 'requestTimeout' | 'unsupportedMediaType' | 'keyReused' | 'tooManyRequests' | 'internal' | 'busy' | 'queryTooSlow' | 'issuerAway' | 'issuerFault' | 'starting' | 'stopping' | 'modelOutdated' | 'databaseAway' | 'diskFull';
