// Naughty strings are stored as they are and come back equal, in every text attribute of every type.

import { beforeAll, describe, expect, test } from 'vitest';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import type { ScalarAttribute } from '../../src/model/object-type.ts';
import { bunkerOrderBody, cargoBody, create, createFleet, createVoyage, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { naughtyStrings } from './naughty-strings.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();
const model = buildModel(catalogue);
/** One object of each type. */
let keys: Record<string, number>;
beforeAll(async () => {
  const fleet = await createFleet(service);
  const voyage = await createVoyage(service, fleet);
  const call = (await service.get(`/ws/rest/PortCall/${voyage.portCalls[0].key}`)).body;
  const cargo = await create(service, 'Cargo', cargoBody(fleet));
  const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, call.key));
  const document = await create(service, 'Document', {
    documentType: 'INI',
    company: fleet.partner.key,
    documentLines: [{}],
  });
  const remark = await create(service, 'Remarks', {
    source: fleet.vessel.key,
    attachments: [{ fileName: 'a', file: '' }],
  });
  const user = await create(service, 'ApiUser', { userCode: 'naughty', name: 'Naughty' });
  const byType: Record<string, Shown> = {
    AlertScript: await create(service, 'AlertScript', { code: 'naughty', name: 'Naughty', body: 'return true;' }),
    ApiUser: user,
    ApiClient: await create(service, 'ApiClient', { user: user.key, scopes: ['read'] }),
    Vessel: fleet.vessel,
    Port: fleet.port,
    BusinessPartner: fleet.partner,
    Currency: fleet.currency,
    Commodity: fleet.commodity,
    BunkerType: fleet.bunkerType,
    Voyage: voyage,
    PortCall: call,
    EventLog: call.eventLogs[0],
    Cargo: cargo,
    CargoPort: cargo.cargoPorts[0],
    BunkerOrder: order,
    BunkerOrderLine: order.bunkerOrderLines[0],
    Document: document,
    DocumentLine: document.documentLines[0],
    Remarks: remark,
    Attachment: remark.attachments[0],
  };
  keys = Object.fromEntries(Object.entries(byType).map(([name, { key }]) => [name, key]));
});

/** The texts of a subscription have forms of their own, which the model does not know (test/subscriptions). */
const types = [...model.types.values()]
  .filter(
    ({ name, access, isCreatedByService }) =>
      access.write !== 'nobody' && !isCreatedByService && name !== 'WebhookSubscription',
  )
  .map(({ name, scalars }) => ({
    name,
    texts: scalars.filter(
      (attribute) =>
        attribute.kind === 'text' &&
        attribute.format === undefined &&
        !attribute.isReadOnly &&
        !isCode(name, attribute),
    ),
  }));

/** Text that has to compile. */
function isCode(type: string, { name }: ScalarAttribute): boolean {
  return type === 'AlertScript' && name === 'body';
}

/** What the attribute can hold of the string: all of it, or nothing. */
function fits({ maxLength, isUnique, isRequired }: ScalarAttribute, text: string): boolean {
  const isTooLong = maxLength !== undefined && [...text].length > maxLength;
  return !isTooLong && !(text === '' && isUnique && isRequired);
}

test('there is an object of every type that can be written', () => {
  expect(Object.keys(keys).sort()).toEqual(types.map(({ name }) => name).sort());
});

describe('every string is read back equal after a change', () => {
  test.each(types)('$name', async ({ name, texts }) => {
    const path = `/ws/rest/${name}/${keys[name]}`;
    for (const text of naughtyStrings) {
      const body = Object.fromEntries(texts.filter((attribute) => fits(attribute, text)).map((a) => [a.name, text]));
      const changed = await service.put(path, body);
      expect(changed.status, `${JSON.stringify(text)}: ${changed.text}`).toBe(200);
      expect(changed.body).toMatchObject(body);
    }
  });
});

describe('every string is read back equal after its object was created', () => {
  test('one in each object of an array', async () => {
    const bodies = naughtyStrings.map((text) => ({ vesselName: 'Naughty', vesselType: text, flag: text }));
    const created = await service.post('/ws/rest/Vessel', bodies);
    expect(created.status, created.text).toBe(201);
    expect(created.body.map(({ vesselType }: Shown) => vesselType)).toEqual(naughtyStrings);
    const listed = await service.get('/ws/rest/Vessel?filter=vesselName(EQ)Naughty&sort=key(AS)');
    expect(listed.body.map(({ flag }: Shown) => flag)).toEqual(naughtyStrings);
  });

  test('and can be filtered by, found by nothing else', async () => {
    for (const [index, text] of naughtyStrings.entries()) {
      const quoted = encodeURIComponent(`"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);
      if (quoted.length > 7000) continue;
      const path = `/ws/rest/Vessel?filter=vesselName(EQ)Naughty&filter=flag(EQ)${quoted}`;
      const found = await service.get(path);
      expect(
        found.body.map(({ flag }: Shown) => flag),
        `number ${index}`,
      ).toEqual([text]);
    }
  });
});

describe('a text of 1 MB', () => {
  test.each([
    ['letters', 'x'],
    ['quotes', '"'],
    ['backslashes', '\\'],
    ['line feeds', '\n'],
    ['angle brackets', '<'],
    ['four bytes each', '𠀀'],
  ])('is stored and read back equal: %s', async (_, letter) => {
    const room = 1_000_000 / Buffer.byteLength(JSON.stringify(letter).slice(1, -1));
    const vesselType = letter.repeat(Math.floor(room));
    const created = await service.post('/ws/rest/Vessel', { vesselName: 'Large', vesselType });
    expect(created.status, created.text.slice(0, 300)).toBe(201);
    const read = await service.get(`/ws/rest/Vessel/${created.body.key}`);
    expect(read.body.vesselType === vesselType).toBe(true);
  });

  test('without any pattern that could be compressed, where it can be sorted by', async () => {
    const vesselType = Array.from({ length: 100_000 }, (_, index) => (index * 2_654_435_761).toString(36))
      .join('')
      .slice(0, 900_000);
    const created = await service.post('/ws/rest/Vessel', { vesselName: 'Random', vesselType });
    expect(created.status).toBe(201);
    const sorted = await service.get('/ws/rest/Vessel?filter=vesselName(EQ)Random&sort=vesselType(ASI)&limit=1');
    expect(sorted.body[0].vesselType === vesselType).toBe(true);
  });
});

describeUnharmed(service);
