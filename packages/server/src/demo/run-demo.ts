// Runs the demo: creates a realistic fleet in a running service and keeps changing it, one change per tick, until it is
// stopped. Uses only the public interface.

import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, systemClock } from '../clock.ts';
import { pick, type Random } from './chance.ts';
import { changeKinds, type Step } from './changes.ts';
import { ensureFleet, type World } from './ensure-fleet.ts';
import { readFleet } from './fleet-state.ts';
import { type ConnectionOptions, ServiceClient } from './service-client.ts';

/** The credentials are those of a client with scope `write`. */
export interface DemoOptions extends Omit<ConnectionOptions, 'print'> {
  print(line: string, time: Date): void;
  /** The time between two changes. */
  tickMs: number;
  random?: Random;
  clock?: Clock;
}

/** Resolves only when the signal aborts. */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { signal, tickMs, random = Math.random, clock = systemClock } = options;
  const print = (line: string) => options.print(line, clock.now());
  const world: World = { client: new ServiceClient({ ...options, print }), random, clock, print };
  try {
    if (await ensureFleet(world)) await makeFirstChanges(world);
    while (!signal.aborted) {
      await makeOneChange(world);
      await wait(tickMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** A new fleet starts with cargoes and paperwork. */
async function makeFirstChanges({ client, random, clock, print }: World): Promise<void> {
  for (const { atStart = 0, steps } of changeKinds) {
    const possible = steps(await readFleet(client), random, clock.now().getTime());
    for (const step of possible.filter(() => random() < atStart)) print(await carryOut(step, client));
  }
}

/** Tries the kinds in random order, those of a higher weight nearer to the front, until one has a possible step. */
async function makeOneChange({ client, random, clock, print }: World): Promise<void> {
  const fleet = await readFleet(client);
  const ranked = changeKinds.map(({ weight, steps }) => ({ steps, rank: random() ** (1 / weight) }));
  for (const { steps } of ranked.sort((a, b) => b.rank - a.rank)) {
    const step = pick(random, steps(fleet, random, clock.now().getTime()));
    if (step) return print(await carryOut(step, client));
  }
}

/** Returns the line to print. A rejection is printed too; usually another change came first. */
async function carryOut({ resource, key, body, line }: Step, client: ServiceClient): Promise<string> {
  const result = await (key === undefined
    ? client.create<Numbered>(resource, body)
    : client.change<Numbered>(resource, key, body));
  if (result.kind === 'rejected') return `${resource} ${key ?? 'new'} ${line} (not done: ${result.reason})`;
  return `${resource} ${result.object.referenceNo ?? result.object.key} ${line}`;
}

/** Voyages have a number of their own. */
interface Numbered {
  key: number;
  referenceNo?: number;
}
