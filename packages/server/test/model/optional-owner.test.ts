// A model file with an owner that may be null in the middle of a hierarchy: a Depot owns Racks, a Rack may own Boxes, a
// Box owns Items. A Box outlives its Rack; whoever listens to the Depot hears that it has left.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { changesHeardBy, subscribe } from '../match/heard.ts';
import { eventNamesDuring, eventsDuring } from '../support/events-written.ts';
import { create, read, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const named = { name: { kind: 'text', maxLength: 20 } };
const types = {
  Depot: { attributes: named },
  Rack: { attributes: { ...named, depot: { kind: 'owner', to: 'Depot', collection: 'racks', isRequired: true } } },
  Box: { attributes: { ...named, rack: { kind: 'owner', to: 'Rack', collection: 'boxes' } } },
  Item: { attributes: { ...named, box: { kind: 'owner', to: 'Box', collection: 'items', isRequired: true } } },
  Contract: { attributes: { ...named, depot: { kind: 'reference', to: 'Depot', isFollowed: true } } },
};

const folder = mkdtempSync(join(tmpdir(), 'flaghoist-model-'));
const file = join(folder, 'model.json');
writeFileSync(file, JSON.stringify({ types }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const service = useTestService({ FLAGHOIST_MODEL_FILE: file });
let depot: Shown;
let contract: Shown;
let [rack, box, item]: number[] = [];

beforeEach(async () => {
  const racks = [{ boxes: [{ items: [{ name: 'first' }] }] }];
  depot = await create(service, 'Depot', { racks });
  contract = await create(service, 'Contract', { depot: depot.key });
  rack = depot.racks[0].key;
  box = (await read(service, 'Rack', rack!)).boxes[0].key;
  item = (await read(service, 'Box', box!)).items[0].key;
});

const path = (resource: string, key: number | undefined) => `/ws/rest/${resource}/${key}`;
const depotPath = () => path('Depot', depot.key);

const removals: Record<string, () => Promise<{ status: number }>> = {
  'its rack is deleted': () => service.delete(path('Rack', rack)),
  'its rack is left out of a PUT': () => service.put(depotPath(), { racks: [] }),
};

describe.each(Object.entries(removals))('a box, when %s', (_, remove) => {
  test('is detached with its items', async () => {
    expect((await remove()).status).toBeLessThan(300);
    expect(await read(service, 'Box', box!)).toMatchObject({ rack: null, items: [{ key: item }] });
    expect((await service.get(path('Rack', rack))).status).toBe(404);
  });

  test('was in the hierarchy of everything above the rack, and no longer is', async () => {
    const events = await eventsDuring(service, remove);
    expect(events.map(({ name }) => name).sort()).toEqual([`Box.U.${box}`, `Rack.D.${rack}`]);
    const above = { Depot: [depot.key], Contract: [contract.key] };
    const [left, gone] = ['Box', 'Rack'].map((type) => events.find(({ name }) => name.startsWith(type)));
    expect(left).toMatchObject({ rootsBefore: { Rack: [rack], ...above }, rootsAfter: {} });
    expect(gone).toMatchObject({ rootsBefore: above, rootsAfter: null });
  });

  test('is notified to subscribers of the depot, and of the contract that follows the depot', async () => {
    const subscriptions = [
      await subscribe(service, { eventType: `Depot.U.${depot.key}` }),
      await subscribe(service, { eventType: `Contract.U.${contract.key}` }),
    ];
    await remove();
    const [byDepot, byContract] = await Promise.all(subscriptions.map((key) => changesHeardBy(service, key)));
    expect(byDepot!.sort()).toEqual([`Box.U.${box} of ${depot.key}`, `Rack.D.${rack} of ${depot.key}`]);
    expect(byContract!.sort()).toEqual([`Box.U.${box} of ${contract.key}`, `Rack.D.${rack} of ${contract.key}`]);
  });
});

test('a box whose whole depot is deleted was in the hierarchy of rack and depot', async () => {
  await service.delete(path('Contract', contract.key));
  const events = await eventsDuring(service, () => service.delete(depotPath()));
  expect(events.map(({ name }) => name).sort()).toEqual([`Box.U.${box}`, `Depot.D.${depot.key}`, `Rack.D.${rack}`]);
  const left = events.find(({ name }) => name.startsWith('Box'));
  expect(left).toMatchObject({ rootsBefore: { Rack: [rack], Depot: [depot.key] }, rootsAfter: {} });
});

test('a box that is detached is in no hierarchy, and its items in that of the box alone', async () => {
  expect((await service.put(path('Box', box), { rack: null })).status).toBe(200);
  const [changed] = await eventsDuring(service, () => service.put(path('Item', item), { name: 'second' }));
  expect(changed).toMatchObject({ rootsBefore: { Box: [box] }, rootsAfter: { Box: [box] } });
  expect(await eventNamesDuring(service, () => service.delete(depotPath()))).not.toContain(`Box.D.${box}`);
});

test('a box that is moved leaves one hierarchy and joins another, with everything above', async () => {
  const other = await create(service, 'Depot', { racks: [{}] });
  const to = other.racks[0].key;
  const [moved] = await eventsDuring(service, () => service.put(path('Box', box), { rack: to }));
  expect(moved?.rootsBefore).toEqual({ Rack: [rack], Depot: [depot.key], Contract: [contract.key] });
  expect(moved?.rootsAfter).toEqual({ Rack: [to], Depot: [other.key] });
});

test('the state of the depot covers the items of the boxes in its racks, and no others', async () => {
  const tag = async () => (await service.get(depotPath())).headers.get('etag');
  const first = await tag();
  await service.put(path('Item', item), { name: 'changed' });
  const changed = await tag();
  expect(changed).not.toBe(first);
  await service.put(path('Box', box), { rack: null });
  const detached = await tag();
  expect(detached).not.toBe(changed);
  await service.put(path('Item', item), { name: 'elsewhere' });
  expect(await tag()).toBe(detached);
  const stale = await service.put(depotPath(), { racks: [] }, { 'if-match': changed! });
  expect(stale.status).toBe(412);
});
