// Runs the demo: creates a realistic fleet in a running service and keeps changing it, one change per tick, until it is
// stopped. Uses only the public interface.

import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, systemClock } from '../clock.ts';
import {
  adjustCargo,
  advanceBunkerOrder,
  advanceDocument,
  invoiceFreight,
  orderBunkers,
  writeRemark,
} from './business-changes.ts';
import type { Random } from './chance.ts';
import { ensureFleet } from './ensure-fleet.ts';
import { logPortEvent, reviseEta } from './passage-changes.ts';
import { connectToService } from './service-client.ts';
import type { ClientCredentials } from './token-source.ts';
import { advanceVoyage, openVoyage, reviseFuelPrice } from './voyage-changes.ts';
import { clockTime } from './wording.ts';
import type { Change, World } from './world.ts';

export interface DemoOptions {
  /** Where the service listens, without a trailing slash. */
  baseUrl: string;
  /** The credentials of a client with scope `write`. */
  credentials: ClientCredentials;
  signal: AbortSignal;
  print: (line: string) => void;
  /** The time between two changes. */
  tickMs: number;
  random?: Random;
  clock?: Clock;
  retryMs?: number;
}

/** Resolves only when the signal aborts. */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { signal, tickMs, random = Math.random, clock = systemClock } = options;
  const print = (line: string) => options.print(`${clockTime(clock.now())}  ${line}`);
  const client = connectToService({ ...options, print });
  const world: World = { client, random, clock, print };
  try {
    await ensureFleet(world);
    while (!signal.aborted) {
      const line = await makeOneChange(world);
      if (line !== undefined) print(line);
      await wait(tickMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function makeOneChange(world: World): Promise<string | undefined> {
  for (const change of shuffled(world.random)) {
    const line = await change(world);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** How often each change is tried first, as relative weights. */
const weights = new Map<Change, number>([
  [reviseEta, 20],
  [logPortEvent, 30],
  [advanceVoyage, 14],
  [openVoyage, 14],
  [advanceBunkerOrder, 14],
  [orderBunkers, 6],
  [adjustCargo, 8],
  [reviseFuelPrice, 8],
  [invoiceFreight, 8],
  [advanceDocument, 6],
  [writeRemark, 3],
]);

/** Each change once, in random order; the higher the weight, the nearer to the front. */
function shuffled(random: Random): Change[] {
  const ranked = [...weights].map(([change, weight]) => ({ change, rank: random() ** (1 / weight) }));
  return ranked.sort((a, b) => b.rank - a.rank).map(({ change }) => change);
}
