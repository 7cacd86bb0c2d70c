// Creates the fleet of the demo, or what is missing of it. Each object is marked by an `externalObjectKey` that starts
// with `demo-`. An object that already exists under its mark is left unchanged.

import { type FirstVoyage, firstVoyages, planFirstVoyage } from './first-voyages.ts';
import { partners, vessels } from './fleet.ts';
import { type PortCallView, type VoyageView, voyageFields } from './fleet-view.ts';
import { planBunkerOrder, planDisbursement, planFreightInvoice, planRemark } from './plan-paperwork.ts';
import { dayMs, planCargo } from './plan-voyage.ts';
import type { World } from './world.ts';

export async function ensureFleet(world: World): Promise<void> {
  await ensureObjects(world, 'BusinessPartner', partners);
  const vesselKeys = await ensureObjects(world, 'Vessel', vessels);
  const now = world.clock.now();
  const voyageKeys = await ensureObjects(
    world,
    'Voyage',
    firstVoyages.map((first) =>
      planFirstVoyage(first, vesselKeys.get(`demo-vessel-${first.imoNumber}`) ?? null, now, world.random),
    ),
  );
  const voyages = await findVoyages(world);
  await ensureObjects(
    world,
    'Cargo',
    voyages.map((each) => cargoOf(world, each)),
  );
  // Read again, because invoices go to the charterers of the cargoes.
  const laden = await findVoyages(world);
  await ensureObjects(
    world,
    'BunkerOrder',
    laden.flatMap((each) => bunkersOf(world, each)),
  );
  await ensureObjects(
    world,
    'Document',
    laden.flatMap((each) => documentsOf(world, each)),
  );
  await ensureObjects(
    world,
    'Remarks',
    laden.slice(0, 3).map(({ voyage }) => planRemark(voyage.key, world.random)),
  );
  world.print(
    `The fleet is at sea: ${vesselKeys.size} vessels, ${voyageKeys.size} voyages, ${partners.length} partners.`,
  );
}

interface Marked {
  externalObjectKey: string;
}

/** Returns the keys of all objects, found or created, by their marks. */
async function ensureObjects(world: World, resource: string, bodies: readonly Marked[]): Promise<Map<string, number>> {
  if (bodies.length === 0) return new Map();
  const filter = [markedBy(bodies)];
  const found = await world.client.list<Marked & { key: number }>(resource, { filter, limit: 100 });
  const keys = new Map(found.map((object) => [object.externalObjectKey, object.key]));
  const missing = bodies.filter((body) => !keys.has(body.externalObjectKey));
  if (missing.length === 0) return keys;
  const answer = await world.client.create<(Marked & { key: number })[]>(resource, missing);
  if (answer.kind === 'refused') world.print(`${resource} could not be made: ${answer.reason}`);
  else for (const object of answer.object) keys.set(object.externalObjectKey, object.key);
  return keys;
}

function markedBy(objects: readonly Marked[]): string {
  return `externalObjectKey(IN)(${objects.map((object) => object.externalObjectKey).join(',')})`;
}

interface FoundVoyage {
  first: FirstVoyage;
  voyage: VoyageView & { vessel: { key: number } };
}

async function findVoyages({ client }: World): Promise<FoundVoyage[]> {
  const query = { filter: [markedBy(firstVoyages)], fields: { externalObjectKey: '*', ...voyageFields }, limit: 100 };
  const voyages = await client.list<VoyageView & Marked>('Voyage', query);
  return firstVoyages.flatMap((first) => {
    const voyage = voyages.find((one) => one.externalObjectKey === first.externalObjectKey);
    // A voyage whose vessel was removed by a person no longer belongs to the demo.
    return voyage?.vessel ? [{ first, voyage: { ...voyage, vessel: voyage.vessel } }] : [];
  });
}

function cargoOf({ clock, random }: World, { first, voyage }: FoundVoyage) {
  const cpDate = new Date(clock.now().getTime() - 20 * dayMs);
  return planCargo(first.trade, voyage.key, (call) => findCall(voyage.portCalls, call)?.key, cpDate, random);
}

/** The voyage's call at the port of the trade, if it still exists. */
function findCall(calls: readonly PortCallView[], wanted: { port: string; reasonForCall: string }) {
  return calls.find((call) => call.port.unLoCode === wanted.port && call.reasonForCall === wanted.reasonForCall);
}

function bunkersOf({ random }: World, { first, voyage }: FoundVoyage) {
  const call = voyage.portCalls.find((each) => each.reasonForCall === 'B') ?? voyage.portCalls[0];
  if (first.bunkers === undefined || call === undefined) return [];
  return [planBunkerOrder(call.key, voyage.vessel.key, first.bunkers, random)];
}

function documentsOf({ random }: World, { first, voyage }: FoundVoyage): Marked[] {
  if (first.voyageStatus === 'OPR') return [planDisbursement(voyage, random)];
  return first.eventsLogged > 0 ? [planFreightInvoice(voyage, random)] : [];
}
