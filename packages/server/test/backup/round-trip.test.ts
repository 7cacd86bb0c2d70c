// A backup has everything, and a restore brings back everything, whatever is in it.

import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import { noteRestored } from '../../src/database/earlier-server.ts';
import { type Service, startService } from '../../src/service.ts';
import { administrator, fetchToken } from '../support/access.ts';
import { create, createFleet, createVoyage } from '../support/fleet.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { useTestService } from '../support/test-service.ts';
import { changedByRestore, contentsOf, settingsOf, succeed, tablesOf, useFolder } from './installations.ts';

const folder = useFolder();
const modelFile = join(folder, 'model.json');
writeFileSync(
  modelFile,
  JSON.stringify({
    types: {
      Berth: {
        attributes: {
          number: { kind: 'integer', isAssigned: true },
          berthName: { kind: 'text', isCode: true, maxLength: 200 },
          terminal: { kind: 'reference', to: 'Port' },
          depth: { kind: 'decimal' },
          notes: { kind: 'textList' },
          plan: { kind: 'binary' },
        },
      },
      Vessel: { attributes: { flagColour: { kind: 'text' } } },
    },
  }),
);
const own = { FLAGHOIST_MODEL_FILE: modelFile };
// Nothing changes by itself, and nothing is sent.
const service = useTestService({ ...own, FLAGHOIST_ROLES: 'api' });
const target = useTestDatabase({ isMigrated: false });
const file = join(folder, 'backup.gz');

const strange = 'tab\t, line\nbreak, \\ backslash, \\. end, \\N null, "quotes", \u{1f6a2} ship, \u0085, é';
let vessel: number;
let berth: number;
/** The bodies that it was sent. */
const received: string[] = [];
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  received.push(body);
  response.end();
});

async function fill(): Promise<void> {
  const fleet = await createFleet(service);
  await createVoyage(service, fleet);
  vessel = (await create(service, 'Vessel', { vesselName: 'Strange', flagColour: strange })).key;
  const plan = Buffer.alloc(3_000_000, 'plan').toString('base64');
  const details = { depth: 1234567.12345678, notes: ['{', 'a,b', '\\', 'NULL'], plan, terminal: fleet.port.key };
  berth = (await create(service, 'Berth', { berthName: '\\.', ...details })).key;
  await create(service, 'Berth', { berthName: 'Plain' });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const { signingSecret } = await create(service, 'WebhookSubscription', { eventType: 'Berth.C', url });
  service.secrets.plant('a signing secret', signingSecret);
  await create(service, 'Berth', { berthName: 'Pending' });
}

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  await fill();
});
afterAll(() => receiver.close());

function startRestored(): Promise<Service> {
  const { settings } = loadSettings({
    ...settingsOf(target.url, own),
    FLAGHOIST_PORT: '0',
    FLAGHOIST_DATA_DIR: folder,
    FLAGHOIST_REFERENCE_DATA: 'skip',
    FLAGHOIST_DNS_SERVERS: inject('dnsServer'),
    FLAGHOIST_STOP_TIMEOUT_SECONDS: '2',
  });
  return startService(settings, () => undefined);
}

test('every row of every table is restored as it was', async () => {
  // Not a day of today, and a day that no partition is made for.
  for (const day of ['2020-02-03', '2031-01-01'])
    await service.database.pool.query(
      `insert into flaghoist_system.notification_body (notification_key, created_date, body, head)
       values (1, '${day}', $1, '')`,
      [strange],
    );
  await service.database.pool.query(
    `select flaghoist_system.create_day_partition('flaghoist_system.notification_body', '2020-02-03')`,
  );
  // Left over from an attribute that was removed from the model: its column was dropped as our message says.
  await service.database.pool.query('create sequence flaghoist.berth__gone__sequence as integer');
  const result = await succeed(['backup', file], settingsOf(service.database.url, own));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(result).toMatchObject({ file, fileBytes: statSync(file).size, hasEncryptionKey: false });

  const restored = await succeed(['restore', file], settingsOf(target.url, own));
  expect(restored).toMatchObject({ rows: result.rows, tables: result.tables, bytes: result.bytes, savedKeyFile: null });
  const [there, here] = [await contentsOf(service.database.pool), await contentsOf(target.pool)];
  expect([...here.keys()]).toEqual([...there.keys()]);
  const differing = [...here].filter(([table, digest]) => there.get(table) !== digest).map(([table]) => table);
  expect(differing).toEqual(differing.filter((table) => changedByRestore.includes(table)));
  const days = await target.pool.query("select to_regclass('flaghoist_partition.notification_body_20200203') as day");
  expect(days.rows[0].day).not.toBeNull();
});

test('every table of our schemas is in the backup', async () => {
  const { tables } = JSON.parse(gunzipSync(readFileSync(file)).toString().split('\n', 1)[0]!);
  const names = tables.map(({ schema, table }: Record<string, string>) => `${schema}.${table}`);
  const present = (await tablesOf(service.database.pool)).map((name) => name.replaceAll('"', ''));
  expect(names.sort()).toEqual(present.sort());
  expect(names.length).toBeGreaterThan(50);
});

test('the restored service goes on: objects, own types, tokens, pending notifications, new keys', async () => {
  expect(received).toEqual([]);
  const restored = await startRestored();
  onTestFinished(() => restored.stop());
  const token = await fetchToken(restored.localUrl, administrator);
  service.secrets.plantToken('the token of the restored service', token);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const url = (path: string) => `${restored.localUrl}/ws/rest/${path}`;
  const get = async (path: string) => (await (await fetch(url(path), { headers })).json()) as Record<string, unknown>;
  const same = async (path: string) => {
    const [now, then] = [await get(path), (await service.get(`/ws/rest/${path}`)).body];
    expect(JSON.stringify(now).replaceAll(restored.localUrl, service.url())).toBe(JSON.stringify(then));
  };
  await same(`Vessel/${vessel}`);
  await same(`Berth/${berth}`);
  expect((await get(`Vessel/${vessel}`)).flagColour).toBe(strange);
  await expect.poll(() => received.map((body) => JSON.parse(body).resource?.berthName)).toEqual(['Pending']);

  const post = { method: 'POST', headers, body: JSON.stringify({ berthName: 'New' }) };
  const made = (await (await fetch(url('Berth'), post)).json()) as { key: number; number: number };
  // What the original gives out after the backup is never given to something else here.
  const next = await create(service, 'Berth', { berthName: 'On the original' });
  expect(made.key).toBeGreaterThan(next.key + 900_000_000);
  expect(made.number).toBe(next.number);
  const { rows } = await target.pool.query('select max(id)::text as id from flaghoist_system.event');
  expect(Number(rows[0].id)).toBeGreaterThan(900_000_000);
  const changes = { method: 'PUT', headers, body: JSON.stringify({ berthName: 'Changed' }) };
  expect((await fetch(url(`Berth/${made.key}`), changes)).status).toBe(200);
});

test.each([
  ['lower', '999999999999', true],
  ['higher', '3', false],
])('on a server with %s transaction ids, the events are those of an earlier server if need be', async (_, next, is) => {
  const client = await target.pool.connect();
  onTestFinished(() => client.release());
  await client.query('begin');
  await client.query(`insert into flaghoist_system.unmatched_event values (-1, pg_current_snapshot())`);
  await noteRestored(client, next);
  const { rows } = await client.query(
    `select (select last_event_id > 0 from flaghoist_system.earlier_server) as "isEarlier",
       (select bool_and(snapshot is null) from flaghoist_system.unmatched_event) as "isUnknown"`,
  );
  await client.query('rollback');
  expect(rows).toEqual([{ isEarlier: is, isUnknown: is }]);
});
