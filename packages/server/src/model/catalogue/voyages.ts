// A voyage with its port calls and the events logged at each.

import type { TypeDeclaration } from '../object-type.ts';

export const voyages: Record<string, TypeDeclaration> = {
  Voyage: {
    description: 'A sailing of one vessel over a series of port calls, with its cargoes and earnings.',
    shownBy: ['referenceNo', 'vessel'],
    attributes: {
      referenceNo: { kind: 'integer', isAssigned: true, description: 'Number of the voyage, assigned by the service.' },
      voyageStatus: {
        kind: 'code',
        values: ['EST', 'NOM', 'OPR', 'FIN', 'CLO'],
        description: 'Estimated, nominated, operational, finished, closed.',
        example: 'NOM',
      },
      comments: { kind: 'text', maxLength: 64, description: 'A short note.' },
      estimatedVoyageStartDate: { kind: 'dateTime', description: 'When the voyage is expected to start.' },
      isTc: { kind: 'boolean', description: 'Whether the vessel is on time charter.' },
      daysTotal: { kind: 'decimal', description: 'Length of the voyage in days.' },
      daysLoading: { kind: 'decimal', description: 'Days spent loading.' },
      daysDischarging: { kind: 'decimal', description: 'Days spent discharging.' },
      daysWaiting: { kind: 'decimal', description: 'Days spent waiting.' },
      milesBallast: { kind: 'decimal', description: 'Nautical miles sailed in ballast.' },
      milesLoaded: { kind: 'decimal', description: 'Nautical miles sailed with cargo.' },
      freight: { kind: 'decimal', description: 'Net freight.' },
      grossFreight: { kind: 'decimal', description: 'Freight before commission.' },
      commission: { kind: 'decimal', description: 'Commission on the freight.' },
      demurrage: { kind: 'decimal', description: 'Paid to the owner for lost time.' },
      despatch: { kind: 'decimal', description: 'Paid by the owner for saved time.' },
      foPrice: { kind: 'decimal', description: 'Price of fuel oil.' },
      foConsumption: { kind: 'decimal', description: 'Consumption of fuel oil.' },
      foCost: { kind: 'decimal', description: 'Cost of fuel oil.' },
      vessel: { kind: 'reference', to: 'Vessel' },
      ballastPort: { kind: 'reference', to: 'Port', description: 'Where the vessel sails from in ballast.' },
    },
  },
  PortCall: {
    description: 'A call of the vessel at a port.',
    shownBy: ['port', 'eta', 'reasonForCall'],
    attributes: {
      portCallSequence: {
        kind: 'integer',
        isSequence: true,
        description: 'Position in the voyage. Default: after the last one.',
      },
      reasonForCall: {
        kind: 'code',
        values: ['L', 'D', 'C', 'E', 'DD', 'DEL', 'RED', 'B', 'R', 'CL', 'STS', 'W', 'CC'],
        isRequired: true,
        description: 'Why the vessel calls: L loads, D discharges, B bunkers, and so on.',
        example: 'L',
      },
      eta: { kind: 'dateTime', description: 'Estimated time of arrival.' },
      etb: { kind: 'dateTime', description: 'Estimated time of berthing.' },
      etd: { kind: 'dateTime', description: 'Estimated time of departure.' },
      arrivalFixed: { kind: 'boolean', description: 'Whether the arrival is known, no longer estimated.' },
      departureFixed: { kind: 'boolean', description: 'Whether the departure is known, no longer estimated.' },
      speed: { kind: 'decimal', description: 'Speed to this port in knots.' },
      daysAtSea: { kind: 'decimal', description: 'Days at sea to this port.' },
      distanceActual: { kind: 'decimal', description: 'Nautical miles sailed to this port.' },
      voyage: { kind: 'owner', to: 'Voyage', collection: 'portCalls', isRequired: true },
      port: { kind: 'reference', to: 'Port', isRequired: true },
      agent: { kind: 'reference', to: 'BusinessPartner' },
      currency: { kind: 'reference', to: 'Currency' },
    },
  },
  EventLog: {
    description: 'Something that happened at a port call, and when.',
    shownBy: ['event', 'eventLogDate'],
    attributes: {
      event: {
        kind: 'code',
        values: ['ARR', 'BRT', 'DEP'],
        isRequired: true,
        description: 'Arrived, berthed, departed.',
        example: 'ARR',
      },
      eventLogDate: { kind: 'dateTime', description: 'When it happened.' },
      isDateFixed: { kind: 'boolean', description: 'Whether the time is known, no longer estimated.' },
      portCall: { kind: 'owner', to: 'PortCall', collection: 'eventLogs', isRequired: true },
    },
  },
};
