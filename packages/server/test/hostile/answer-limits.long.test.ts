// Answers that are too large: refused while they arrive, without harm to anybody else.

import { beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import { useTestService } from '../support/test-service.ts';

const megabyte = 1024 * 1024;

/** Remarks of a megabyte each, on one voyage. */
async function addRemarks(service: ReturnType<typeof useTestService>, count: number): Promise<void> {
  await service.database.pool.query(
    `with v as (insert into flaghoist.voyage default values returning key)
     insert into flaghoist.remarks (source, remark_text) select v.key, repeat('x', ${megabyte})
       from v, generate_series(1, $1)`,
    [count],
  );
}

const texts = '/ws/rest/Remarks?fields={"remarkText":"*"}';

describe('a list of more than 64 MB', () => {
  const service = useTestService({ FLAGHOIST_DATABASE_CONNECTIONS: '2', FLAGHOIST_ROLES: 'api' });
  beforeAll(() => addRemarks(service, 70));

  test('is 413, and says what to do', async () => {
    const answer = await service.get(`${texts}&limit=100`);
    expectErrorBody(answer, 413);
    expect(answer.body.message).toMatch(/64 MB. Page through the list with limit, or select less with fields/);
  });

  test('costs no connection for good, however often it is asked for', async () => {
    for (let n = 0; n < 3; n += 1) expect((await service.get(`${texts}&limit=100`)).status).toBe(413);
    expect((await service.get('/ws/rest/Voyage')).status).toBe(200);
  });

  test('can be had in pages', async () => {
    const { status, body } = await service.get(`${texts}&limit=50`);
    expect(status).toBe(200);
    expect(body.map(({ remarkText }: { remarkText: string }) => remarkText.length)).toEqual(
      Array.from({ length: 50 }, () => megabyte),
    );
  });
});

describe('a selection that multiplies what it reaches', () => {
  const service = useTestService({ FLAGHOIST_ROLES: 'api' });
  const select = (fields: object) => `fields=${encodeURIComponent(JSON.stringify(fields))}`;
  let voyage: number;
  beforeAll(async () => {
    const { rows } = await service.database.pool.query(
      `with v as (insert into flaghoist.voyage default values returning key),
       p as (insert into flaghoist.port (port_name, un_lo_code) values ('Oslo', 'NOOSL') returning key),
       o as (insert into flaghoist.commodity (commodity_code, commodity_name) values ('ORE', 'Ore') returning key),
       b as (insert into flaghoist.business_partner (business_partner_code, business_partner_name)
         values ('C', 'C') returning key),
       u as (insert into flaghoist.currency (currency_code, currency_name) values ('USD', 'US dollar') returning key),
       c as (insert into flaghoist.port_call (voyage, port, reason_for_call)
         select v.key, p.key, 'L' from v, p, generate_series(1, 1000)),
       g as (insert into flaghoist.cargo (voyage, commodity, charterer, freight_currency, cargo_measurement)
         select v.key, o.key, b.key, u.key, 'MT' from v, o, b, u, generate_series(1, 1000))
       select key::int from v`,
    );
    voyage = rows[0].key;
  });

  test('what fits is answered, down to the last row', async () => {
    const fields = { portCalls: { eventLogs: '*', voyage: { vessel: '*' } }, cargos: { cargoPorts: '*' } };
    const answer = await service.get(`/ws/rest/Voyage/${voyage}?${select(fields)}`);
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect([answer.body.portCalls.length, answer.body.cargos.length]).toEqual([1000, 1000]);
  });

  test.each([
    { portCalls: { voyage: { cargos: '*' } } },
    { portCalls: { port: '*', voyage: { cargos: { voyage: { vessel: '*' } } } }, vessel: '*' },
  ])('a thousand times a thousand is 413, and the message says what to do: %j', async (fields) => {
    for (const path of [`/ws/rest/Voyage/${voyage}?`, '/ws/rest/Voyage?limit=1&']) {
      const { message } = expectErrorBody(await service.get(path + select(fields)), 413);
      expect(message).toMatch(/more than 18 MB. Select less with fields, or page through a list of what it contains/);
    }
  });

  test('the answer to an array POST is 413 as a whole, and nothing is created', async () => {
    const body = Array.from({ length: 50 }, () => ({ voyage, port: 'NOOSL', reasonForCall: 'L' }));
    const answer = await service.post(`/ws/rest/PortCall?${select({ voyage: { cargos: '*' } })}`, body);
    expectErrorBody(answer, 413);
    const { rows } = await service.database.pool.query('select count(*)::int from flaghoist.port_call');
    expect(rows[0].count).toBe(1000);
  });
});

describe('an object that is larger than its kind usually is', () => {
  const service = useTestService({ FLAGHOIST_ROLES: 'api' });
  const calls = 3000;
  let voyage: number;
  beforeAll(async () => {
    const { rows } = await service.database.pool.query(
      `with v as (insert into flaghoist.voyage default values returning key),
       p as (insert into flaghoist.port (port_name, un_lo_code) values ('Oslo', 'NOOSL') returning key),
       c as (insert into flaghoist.port_call (voyage, port, reason_for_call)
         select v.key, p.key, 'L' from v, p, generate_series(1, ${calls}))
       select key::int from v`,
    );
    voyage = rows[0].key;
  });

  test('is read, and changed once', async () => {
    const path = `/ws/rest/Voyage/${voyage}`;
    expect((await service.get(path)).body.portCalls).toHaveLength(calls);
    const changed = await service.put(path, { comments: 'large' });
    expect([changed.status, changed.body.comments, changed.body.portCalls.length]).toEqual([200, 'large', calls]);
    const { rows } = await service.database.pool.query(
      `select count(*)::int from flaghoist_system.event where object_type = 'Voyage' and operation = 'U'`,
    );
    expect(rows[0].count).toBe(1);
  });

  test('a file that fits into a body of 16 MB is read together with its remark', async () => {
    const file = Buffer.alloc(11 * megabyte, 'flaghoist').toString('base64');
    const fields = encodeURIComponent('{"remarkText":"*","attachments":{"fileName":"*","file":"*"}}');
    const body = { source: voyage, remarkText: 'x'.repeat(megabyte), attachments: [{ fileName: 'large', file }] };
    const created = await service.post(`/ws/rest/Remarks?fields=${fields}`, body);
    expect(created.status, created.text.slice(0, 300)).toBe(201);
    expect(created.body.attachments[0].file === file).toBe(true);
    const read = await service.get(`/ws/rest/Remarks/${created.body.key}?fields=${fields}`);
    expect([read.status, read.text === created.text]).toEqual([200, true]);
  });
});

describe('where answers of all clients together may have 4 MB', () => {
  const service = useTestService({ FLAGHOIST_ANSWER_BYTES_MAX: String(4 * megabyte), FLAGHOIST_ROLES: 'api' });
  beforeAll(() => addRemarks(service, 5));

  test('one answer may have half: 3 MB are 413, without a hint to try again, and 1 MB is answered', async () => {
    const refused = await service.get(`${texts}&limit=3`);
    expectErrorBody(refused, 413);
    expect(refused.headers.has('retry-after')).toBe(false);
    expect(refused.body.message).toMatch(/than 2 MB. Page through the list with limit, or select less with fields/);
    expect((await service.get(`${texts}&limit=1`)).body).toHaveLength(1);
  });

  test('nothing is held when answers were refused, left out or unchanged', async () => {
    const [{ self }] = (await service.get('/ws/rest/Remarks?limit=1')).body;
    const path = `${new URL(self).pathname}?fields={"remarkText":"*"}`;
    const { headers } = await service.get(path);
    for (let n = 0; n < 8; n += 1) {
      expect((await service.get(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304);
      expect((await service.get(`${texts}&limit=3`)).status).toBe(413);
      const head = await fetch(service.url() + path, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${service.token()}` },
      });
      expect(Number(head.headers.get('content-length'))).toBeGreaterThan(megabyte);
    }
    expect((await service.get(`${texts}&limit=1`)).status).toBe(200);
  });
});
