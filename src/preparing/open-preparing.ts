// Puts together what prepares: two loops with engines of their own, one for those that have shown to answer in time and one for the
// others, and what clears away after them.

import type { Settings } from '../config/settings-table.ts';
import type { Database } from '../database/database.ts';
import { HousekeepingLoop } from '../database/housekeeping-loop.ts';
import type { HandOver } from '../delivery/hand-over.ts';
import { openScriptSandbox } from '../filters/script/script-sandbox.ts';
import type { Model } from '../model/object-type.ts';
import { deleteOldScriptLogs } from '../notifications/held-back-table.ts';
import { deleteLeftTexts } from '../notifications/unprepared-table.ts';
import type { Observe } from '../observability/observation.ts';
import { openStylesheets } from '../payload/stylesheet/stylesheets.ts';
import type { Links } from '../query/view-columns.ts';
import { subscriberModel } from '../subscriptions/shaping.ts';
import { HeldBackAllowance } from './held-back-allowance.ts';
import { LaneTrust, type Track } from './lane-trust.ts';
import { OwnerDebts } from './owner-debts.ts';
import { PrepareLoop } from './prepare-loop.ts';
import { RecipeBook } from './recipe-book.ts';

export interface PreparingParts {
  settings: Settings;
  model: Model;
  modelDigest: string;
  links: Links;
  database: Database;
  observe: Observe;
  handOver: HandOver | undefined;
  onPrepared(): void;
}

export interface Preparing {
  wake(): void;
  stop(): Promise<void>;
}

const clearEveryMs = 60_000;

export function openPreparing({ settings, model, links, database, observe, ...parts }: PreparingParts): Preparing {
  const { wireNames, notificationBytesMax, decisionEventsKept, sandboxThreads } = settings;
  const book = new RecipeBook(subscriberModel(model).types);
  const trust = new LaneTrust();
  const debts = new OwnerDebts();
  const allowance = new HeldBackAllowance();
  const wake = () => {
    for (const { loop } of tracks) loop.wake();
  };
  const open = (track: Track, threads: number) => {
    const engines = { scripts: openScriptSandbox({ threads }), stylesheets: openStylesheets({ threads }) };
    const options = { links, wireNames, notificationBytesMax };
    const common = { ...parts, database, observe, options, book, trust, debts, allowance, engines, threads };
    return { engines, loop: new PrepareLoop({ ...common, track, onAnswered: wakeTrusted }) };
  };
  const wakeTrusted = () => tracks[0]!.loop.wake();
  const tracks = [open('trusted', sandboxThreads), open('probation', 1)];
  const clearing = [() => deleteOldScriptLogs(decisionEventsKept), deleteLeftTexts].map(
    (deleteSome) => new HousekeepingLoop({ database, observe, deleteSome, everyMs: clearEveryMs }),
  );
  for (const { loop } of tracks) loop.start();
  for (const loop of clearing) loop.start();
  return {
    wake,
    stop: async () => {
      const stopped = Promise.all([...tracks.map(({ loop }) => loop.stop()), ...clearing.map((loop) => loop.stop())]);
      // What is under way there may take a while, and can be done again by anyone.
      for (const { engines } of tracks) await Promise.all([engines.scripts.close(), engines.stylesheets.close()]);
      await stopped;
    },
  };
}
