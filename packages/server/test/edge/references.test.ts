// How references are written.

import { beforeAll, describe, expect, test } from 'vitest';
import { create, createFleet, createVoyage, type Fleet, read, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
let voyage: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
});

function call(more: object) {
  return { voyage: voyage.key, port: fleet.port.key, reasonForCall: 'L', ...more };
}

describe('a reference is written', () => {
  test('as a key', async () => {
    const { currency } = await create(service, 'PortCall', call({ currency: fleet.currency.key }));
    expect(currency.key).toBe(fleet.currency.key);
  });

  test('as {"key": n}', async () => {
    const { currency } = await create(service, 'PortCall', call({ currency: { key: fleet.currency.key } }));
    expect(currency.key).toBe(fleet.currency.key);
  });

  test('as the code string of a coded type', async () => {
    const { currency, port, agent } = await create(
      service,
      'PortCall',
      call({
        currency: fleet.currency.currencyCode,
        port: fleet.otherPort.unLoCode,
        agent: fleet.partner.businessPartnerCode,
      }),
    );
    expect([currency.key, port.key, agent.key]).toEqual([fleet.currency.key, fleet.otherPort.key, fleet.partner.key]);
  });

  test('as it was shown, with its code and name', async () => {
    const { key } = await createVoyage(service, fleet);
    const shown = await read(service, 'Voyage', voyage.key);
    const answer = await service.put(`/ws/rest/Voyage/${key}`, { vessel: shown.vessel, ballastPort: fleet.port });
    expect(answer.body).toMatchObject({ vessel: shown.vessel, ballastPort: { key: fleet.port.key } });
  });

  test('inside an element of a collection in the same ways', async () => {
    const { portCalls } = await create(service, 'Voyage', {
      portCalls: [
        { port: fleet.port.key, reasonForCall: 'L' },
        { port: { key: fleet.port.key }, reasonForCall: 'L' },
        { port: fleet.port.unLoCode, reasonForCall: 'L' },
      ],
    });
    expect(portCalls.map(({ port }: Shown) => port.key)).toEqual(Array(3).fill(fleet.port.key));
  });
});

describe('a reference is a 400 that names it', () => {
  test.each<[string, () => unknown]>([
    ['when no object has that key', () => 999_999_999],
    ['when that key is an object of another type', () => fleet.vessel.key],
    ['when no object has that code', () => 'NONE!'],
    ['when the code is written in another case', () => fleet.port.unLoCode.toLowerCase()],
    ['when the object has no key', () => ({ unLoCode: fleet.port.unLoCode })],
    ['when the key is no positive integer', () => -5],
    ['when the key is not an integer', () => 1.5],
    ['when it is a boolean', () => true],
    ['when it is an array', () => [fleet.port.key]],
    ['when it is mandatory and null', () => null],
    ['when what comes with the key is not what the object has', () => ({ key: fleet.port.key, portName: 'Else' })],
    ['when what comes with the key is no attribute', () => ({ key: fleet.port.key, nonsense: 1 })],
  ])('%s', async (_, value) => {
    const answer = await service.post('/ws/rest/PortCall', call({ port: value() }));
    expect(answer.status).toBe(400);
    expect(answer.body.violations).toHaveLength(1);
    expect(answer.body.violations[0].path).toMatch(/^port(\.|$)/);
  });

  test('if it is text and the type has no code', async () => {
    const answer = await service.post('/ws/rest/Voyage', { vessel: fleet.vessel.vesselName });
    expect(answer.body).toMatchObject({ statusCode: 400, violations: [{ path: 'vessel' }] });
  });
});
