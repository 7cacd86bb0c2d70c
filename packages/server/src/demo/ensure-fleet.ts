// Creates the partners, vessels and first voyages of the demo, or what is missing of them. Each is marked by an
// `externalObjectKey` that starts with `demo-`. An object that already exists under its mark is left unchanged.

import type { Clock } from '../clock.ts';
import type { Random } from './chance.ts';
import { firstVoyages, partners, vessels } from './fleet.ts';
import { planVoyage } from './plan-voyage.ts';
import type { ServiceClient } from './service-client.ts';

export interface World {
  client: ServiceClient;
  random: Random;
  clock: Clock;
  print: (line: string) => void;
}

/** Returns whether voyages were created. */
export async function ensureFleet(world: World): Promise<boolean> {
  const nowMs = world.clock.now().getTime();
  await ensureObjects(world, 'BusinessPartner', partners);
  const vessel = await ensureObjects(world, 'Vessel', vessels);
  const planned = firstVoyages.map(({ trade, eventsLogged, ...mark }) => ({
    ...mark,
    vessel: vessel.keys.get(`demo-vessel-${trade.imoNumber}`),
    ...planVoyage(trade, nowMs, eventsLogged, world.random),
  }));
  const voyage = await ensureObjects(world, 'Voyage', planned);
  const fleet = `${vessel.keys.size} vessels, ${voyage.keys.size} voyages, ${partners.length} partners`;
  world.print(`The fleet is at sea: ${fleet}.`);
  return voyage.areNew;
}

interface Marked {
  externalObjectKey: string;
}

/** Returns the keys of all objects, found or created, by their marks, and whether any were created. */
async function ensureObjects({ client, print }: World, resource: string, bodies: readonly Marked[]) {
  const filter = [`externalObjectKey(IN)(${bodies.map((body) => body.externalObjectKey).join(',')})`];
  const found = await client.list<Marked & { key: number }>(resource, { filter, limit: 100 });
  const keys = new Map(found.map((object) => [object.externalObjectKey, object.key]));
  const missing = bodies.filter((body) => !keys.has(body.externalObjectKey));
  if (missing.length === 0) return { keys, areNew: false };
  const result = await client.create<(Marked & { key: number })[]>(resource, missing);
  if (result.kind === 'rejected') print(`${resource} could not be created: ${result.reason}`);
  else for (const object of result.object) keys.set(object.externalObjectKey, object.key);
  return { keys, areNew: result.kind === 'done' };
}
