// The types Vessel, Port, BusinessPartner, Currency, Commodity and BunkerType.

import { describe, expect, test } from 'vitest';
import { create, freshCode } from '../../support/fleet.ts';
import { anyLength, testRow } from '../../support/object-row.ts';
import { useTestService } from '../../support/test-service.ts';

const service = useTestService();

testRow(service, {
  resource: 'Vessel',
  least: () => ({ vesselName: 'Least' }),
  mandatory: ['vesselName'],
  texts: { vesselName: 40, callSignal: 7, vesselType: anyLength, flag: anyLength },
  integers: ['builtYear'],
  decimals: ['dwtSummer'],
  special: ['imoNumber'],
});

testRow(service, {
  resource: 'Port',
  least: () => ({ unLoCode: freshCode('Z', 5) }),
  mandatory: ['unLoCode'],
  texts: { portName: 64, country: 2, timezone: anyLength },
  code: { unLoCode: 5 },
  booleans: ['isCanal'],
});

testRow(service, {
  resource: 'BusinessPartner',
  least: () => ({ businessPartnerCode: freshCode('Z', 9) }),
  mandatory: ['businessPartnerCode'],
  texts: { businessPartnerName: 128 },
  code: { businessPartnerCode: 32 },
  codes: { businessPartnerType: ['CHR', 'AGT', 'SUP', 'BRK', 'OWN', 'CMP', 'OTH'] },
});

testRow(service, {
  resource: 'Currency',
  least: () => ({ currencyCode: freshCode('0', 3) }),
  mandatory: ['currencyCode'],
  texts: { currencyName: 128 },
  code: { currencyCode: 3 },
});

testRow(service, {
  resource: 'Commodity',
  least: () => ({ commodityCode: freshCode('Z', 9) }),
  mandatory: ['commodityCode'],
  texts: { commodityName: 128 },
  code: { commodityCode: 32 },
});

testRow(service, {
  resource: 'BunkerType',
  least: () => ({ bunkerTypeCode: freshCode('Z', 9) }),
  mandatory: ['bunkerTypeCode'],
  texts: { bunkerTypeName: 128 },
  code: { bunkerTypeCode: 32 },
  decimals: ['sulphurPercent'],
});

describe('Vessel.imoNumber', () => {
  test.each(['9074729', '9319466', '8814275'])(
    'accepts seven digits with a correct check digit: %s',
    async (imoNumber) => {
      expect((await create(service, 'Vessel', { vesselName: 'Numbered', imoNumber })).imoNumber).toBe(imoNumber);
    },
  );

  test.each(['9074728', '9074720', '907472', '90747290', 'IMO9074729', '907472X', '', '٩٠٧٤٧٢٩', 9_074_729])(
    'rejects an invalid IMO number: %s',
    async (imoNumber) => {
      const answer = await service.post('/ws/rest/Vessel', { vesselName: 'Numbered', imoNumber });
      expect(answer.body).toMatchObject({ statusCode: 400, violations: [{ path: 'imoNumber' }] });
    },
  );
});

describe('a code', () => {
  test.each([
    ['Port', 'unLoCode', 'ZZDUP'],
    ['BusinessPartner', 'businessPartnerCode', 'DUP'],
    ['Currency', 'currencyCode', '0ZZ'],
    ['Commodity', 'commodityCode', 'DUP'],
    ['BunkerType', 'bunkerTypeCode', 'DUP'],
  ])('is mandatory and unique: %s.%s', async (resource, name, code) => {
    const { key } = await create(service, resource, { [name]: code });
    const again = await service.post(`/ws/rest/${resource}`, { [name]: code });
    expect(again.status).toBe(409);
    expect(again.body.message).toContain(name);
    for (const bad of [null, ''])
      expect((await service.put(`/ws/rest/${resource}/${key}`, { [name]: bad })).status).toBe(400);
  });
});
