// What `includeChanges` adds to the envelope, and what the log shows of the same changes.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeScript, prepared, put } from '../shape/shaped.ts';
import { create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { type Heard, heardBy, subscribe } from './heard.ts';

const folder = mkdtempSync(join(tmpdir(), 'flaghoist-changes-'));
afterAll(() => rmSync(folder, { recursive: true }));
const modelFile = join(folder, 'model.json');
const parcel = {
  attributes: {
    label: { kind: 'text' },
    weight: { kind: 'decimal' },
    tags: { kind: 'textList' },
    details: { kind: 'json' },
    photo: { kind: 'binary', isOnDemand: true },
    beside: { kind: 'reference', to: 'Parcel' },
  },
};
writeFileSync(modelFile, JSON.stringify({ types: { Parcel: parcel } }));

const service = useTestService({ FLAGHOIST_MODEL_FILE: modelFile });
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

const self = (type: string, key: number) => ({ key, self: `${service.url()}/ws/rest/${type}/${key}` });

/** The envelope ends with the same text that the log shows. */
async function changesIn({ key, text, body, id }: Heard): Promise<unknown> {
  const { text: shown } = await service.get(`/ws/rest/WebhookNotification/${key}?fields={"changes":"*"}`);
  const changes = /"changes":(.*)}$/s.exec(shown)![1]!;
  const [sequence] = id.split('-');
  expect(text!.endsWith(`,"changes":${changes},"sequence":${sequence},"occurredAt":"${body.occurredAt}"}`)).toBe(true);
  return body.changes;
}

async function onlyHeard(subscription: number): Promise<Heard> {
  const heard = await heardBy(service, subscription);
  expect(heard).toHaveLength(1);
  return heard[0]!;
}

test('an update lists each changed attribute with old and new value, without loss', async () => {
  const other = await create(service, 'Port', { unLoCode: 'ZZXXX', portName: 'Other' });
  const voyage = await createVoyage(service, fleet, { ballastPort: other.key });
  await service.database.pool.query('update flaghoist.voyage set freight = 1234567890123456.12345678 where key = $1', [
    voyage.key,
  ]);
  const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}`, includeChanges: true });
  await put(service, 'Voyage', voyage.key, {
    comments: 'é "quoted" \u2028 \\ \u0001',
    estimatedVoyageStartDate: '2026-11-15T08:30:00',
    freight: 0.00000001,
    ballastPort: null,
    vessel: fleet.vessel.key,
  });
  const heard = await onlyHeard(subscription);
  const change = (attribute: string, before: unknown, after: unknown) => {
    return { objectType: 'Voyage', objectKey: voyage.key, attribute, old: before, new: after };
  };
  expect(heard.text).toContain('"attribute":"freight","old":1234567890123456.12345678,"new":0.00000001}');
  expect(await changesIn(heard)).toEqual([
    change('comments', null, 'é "quoted" \u2028 \\ \u0001'),
    change('estimatedVoyageStartDate', null, '2026-11-15T08:30:00'),
    change('freight', expect.any(Number), 1e-8),
    change('ballastPort', self('Port', other.key), null),
  ]);
});

test('a create lists every attribute that has a value, a delete every one that had', async () => {
  const created = await subscribe(service, { eventType: 'Parcel.C', includeChanges: true });
  const deleted = await subscribe(service, { eventType: 'Parcel.D', includeChanges: true });
  const first = await create(service, 'Parcel', { label: 'first' });
  const body = { label: 'l', weight: 2.5, tags: ['b', 'a "q"'], details: { z: [1.0, null] }, beside: first.key };
  const { key } = await create(service, 'Parcel', { ...body, photo: 'AAEC', externalObjectKey: 'X-1' });
  await service.delete(`/ws/rest/Parcel/${key}`);
  const values = [
    ['externalObjectKey', 'X-1'],
    ['label', 'l'],
    ['weight', 2.5],
    ['tags', expect.arrayContaining(body.tags)],
    ['details', { z: [1, null] }],
    ['beside', self('Parcel', first.key)],
  ] as const;
  const [, heard] = await heardBy(service, created);
  const listed = (side: 'old' | 'new') =>
    values.map(([attribute, value]) => {
      return { objectType: 'Parcel', objectKey: key, attribute, old: null, new: null, [side]: value };
    });
  expect(await changesIn(heard!)).toEqual(listed('new'));
  expect(await changesIn(await onlyHeard(deleted))).toEqual(listed('old'));
});

test('for a change in the hierarchy, the row that changed is listed', async () => {
  const voyage = await createVoyage(service, fleet);
  const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}`, includeChanges: true });
  const portCall = voyage.portCalls[0].key;
  await put(service, 'PortCall', portCall, { port: fleet.otherPort.key });
  expect(await changesIn(await onlyHeard(subscription))).toEqual([
    {
      objectType: 'PortCall',
      objectKey: portCall,
      attribute: 'port',
      old: self('Port', fleet.port.key),
      new: self('Port', fleet.otherPort.key),
    },
  ]);
});

test('a change of a file lists nothing, and json does not limit what is listed', async () => {
  const { key } = await create(service, 'Parcel', { label: 'l', photo: 'AAEC' });
  const json = Buffer.from('{"weight":"*"}').toString('base64');
  const subscription = await subscribe(service, { eventType: `Parcel.U.${key}`, includeChanges: true, json });
  await put(service, 'Parcel', key, { photo: 'AAED' });
  await put(service, 'Parcel', key, { label: 'other' });
  const [file, label] = await heardBy(service, subscription);
  expect(await changesIn(file!)).toEqual([]);
  expect(await changesIn(label!)).toMatchObject([{ attribute: 'label', old: 'l', new: 'other' }]);
});

test('a script that sends the default body has them too; rawObject and the message of a script have not', async () => {
  const { code } = await makeScript(service, 'return true;');
  const { code: writing } = await makeScript(service, 'message.body = "written";');
  const vessel = await create(service, 'Vessel', { vesselName: 'Ærø' });
  const common = { eventType: `Vessel.U.${vessel.key}`, includeChanges: true };
  const [shaped, raw, written, plain] = [
    await subscribe(service, { ...common, dlpAlertScript: code }),
    await subscribe(service, { ...common, rawObject: true }),
    await subscribe(service, { ...common, dlpAlertScript: writing, useMsg: true }),
    await subscribe(service, { ...common, includeChanges: false }),
  ];
  await put(service, 'Vessel', vessel.key, { flag: 'NO' });
  await prepared(service);
  const heard = await onlyHeard(shaped);
  expect(await changesIn(heard)).toMatchObject([{ attribute: 'flag', old: null, new: 'NO' }]);
  const { text } = await service.get(`/ws/rest/Vessel/${vessel.key}`);
  expect((await onlyHeard(raw)).text).toBe(text);
  const { rows } = await service.database.pool.query(
    `select flaghoist_system.body(key) as body from flaghoist_service.webhook_notification where subscription = $1`,
    [written],
  );
  expect(rows).toEqual([{ body: 'written' }]);
  const without = (await onlyHeard(plain)).body;
  expect(Object.keys(without).slice(-3)).toEqual(['resource', 'sequence', 'occurredAt']);
});

test('a dry run shows them for a stored event', async () => {
  const vessel = await create(service, 'Vessel', { vesselName: 'Ærø' });
  const subscription = await subscribe(service, { eventType: `Vessel.U.${vessel.key}`, includeChanges: true });
  await put(service, 'Vessel', vessel.key, { flag: 'NO' });
  const heard = await onlyHeard(subscription);
  const answer = await service.post('/ws/rest/WebhookSubscription/test', { subscription, event: heard.body.sequence });
  const tried: Shown = JSON.parse(answer.body.body);
  expect(tried).toEqual({ ...heard.body, id: `${heard.body.sequence}-0` });
});

test('includeChanges is false by default, a boolean, and fixed', async () => {
  const url = 'http://127.0.0.1:9/hook';
  const made = await service.post('/ws/rest/WebhookSubscription', { eventType: 'Vessel.U', url });
  expect(made.body.includeChanges).toBe(false);
  const wrong = await service.post('/ws/rest/WebhookSubscription', {
    eventType: 'Vessel.U',
    url,
    includeChanges: 'yes',
  });
  expect([wrong.status, wrong.body.violations]).toMatchObject([400, [{ path: 'includeChanges' }]]);
  const changed = await service.put(`/ws/rest/WebhookSubscription/${made.body.key}`, { includeChanges: true });
  expect([changed.status, changed.body.violations]).toMatchObject([400, [{ path: 'includeChanges' }]]);
});

test('changes of the log are null when the event is no longer kept, and shown only on demand', async () => {
  const vessel = await create(service, 'Vessel', { vesselName: 'Ærø' });
  const subscription = await subscribe(service, { eventType: `Vessel.U.${vessel.key}` });
  await put(service, 'Vessel', vessel.key, { flag: 'NO' });
  const { key, id } = await onlyHeard(subscription);
  const path = `/ws/rest/WebhookNotification/${key}`;
  expect((await service.get(path)).body).not.toHaveProperty('changes');
  expect((await service.get(`${path}?fields={"changes":"*"}`)).body.changes).toMatchObject([{ attribute: 'flag' }]);
  await service.database.pool.query('delete from flaghoist_system.event where id = $1', [id.split('-')[0]]);
  expect((await service.get(`${path}?fields={"changes":"*"}`)).body.changes).toBeNull();
  expect((await service.get('/ws/rest/WebhookNotification?filter=changes(NULL)')).status).toBe(400);
});
