// The types Voyage, PortCall and EventLog.

import { beforeAll, describe, expect, test } from 'vitest';
import { create, createFleet, createVoyage, type Fleet, type Shown } from '../../support/fleet.ts';
import { testRow } from '../../support/object-row.ts';
import { useTestService } from '../../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
let voyage: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
});

testRow(service, {
  resource: 'Voyage',
  least: () => ({}),
  mandatory: [],
  texts: { comments: 64 },
  codes: { voyageStatus: ['EST', 'NOM', 'OPR', 'FIN', 'CLO'] },
  dates: ['estimatedVoyageStartDate'],
  booleans: ['isTc'],
  decimals: [
    'daysTotal',
    'daysLoading',
    'daysDischarging',
    'daysWaiting',
    'milesBallast',
    'milesLoaded',
    'freight',
    'grossFreight',
    'commission',
    'demurrage',
    'despatch',
    'foPrice',
    'foConsumption',
    'foCost',
  ],
  references: {
    vessel: { to: 'Vessel', target: () => fleet.vessel },
    ballastPort: { to: 'Port', target: () => fleet.port },
  },
  collections: ['portCalls', 'cargos'],
  special: ['referenceNo'],
});

testRow(service, {
  resource: 'PortCall',
  least: () => ({ voyage: voyage.key, port: fleet.port.key, reasonForCall: 'L' }),
  mandatory: ['voyage', 'port', 'reasonForCall'],
  codes: { reasonForCall: ['L', 'D', 'C', 'E', 'DD', 'DEL', 'RED', 'B', 'R', 'CL', 'STS', 'W', 'CC'] },
  integers: ['portCallSequence'],
  dates: ['eta', 'etb', 'etd'],
  booleans: ['arrivalFixed', 'departureFixed'],
  decimals: ['speed', 'daysAtSea', 'distanceActual'],
  references: {
    voyage: { to: 'Voyage', target: () => voyage },
    port: { to: 'Port', target: () => fleet.otherPort },
    agent: { to: 'BusinessPartner', target: () => fleet.partner },
    currency: { to: 'Currency', target: () => fleet.currency },
  },
  collections: ['eventLogs'],
});

testRow(service, {
  resource: 'EventLog',
  least: () => ({ portCall: voyage.portCalls[0].key, event: 'ARR' }),
  mandatory: ['portCall', 'event'],
  codes: { event: ['ARR', 'BRT', 'DEP'] },
  dates: ['eventLogDate'],
  booleans: ['isDateFixed'],
  references: { portCall: { to: 'PortCall', target: () => voyage.portCalls[1] } },
});

describe('Voyage.referenceNo', () => {
  test('is an integer assigned by the server, unique for every voyage', async () => {
    const voyages = await create(service, 'Voyage', [{}, {}, { referenceNo: voyage.referenceNo }]);
    const numbers: number[] = [voyage, ...voyages].map(({ referenceNo }) => referenceNo);
    expect(numbers.every(Number.isSafeInteger)).toBe(true);
    expect(new Set(numbers).size).toBe(4);
  });
});
