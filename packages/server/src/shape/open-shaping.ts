// Starts shaping: one loop for trusted lanes and one for all others, each with its own engines, and the housekeeping.

import { openScriptSandbox } from '@flaghoist/script-sandbox';
import { openStylesheets } from '@flaghoist/stylesheets';
import type { Settings } from '../config/settings-table.ts';
import type { Database } from '../database/database.ts';
import { createHousekeepingLoop } from '../database/housekeeping-loop.ts';
import type { DirectDispatch } from '../deliver/lanes/direct-dispatch.ts';
import type { Model } from '../model/object-type.ts';
import { subscriberModel } from '../model/subscriber-model.ts';
import type { Observe } from '../observe/observation.ts';
import type { Links } from '../query/view-columns.ts';
import { LaneTrust, type Track } from './lane-trust.ts';
import { OwnerDebts } from './owner-debts.ts';
import { ShapeLoop } from './shape-loop.ts';
import { ShapingPlanCache } from './shaping-plan-cache.ts';
import { SuppressedAllowance } from './suppressed-allowance.ts';
import { deleteOldScriptLogs } from './suppressed-table.ts';
import { deleteLeftTexts } from './unshaped-table.ts';

export interface ShapingParts {
  settings: Settings;
  model: Model;
  modelDigest: string;
  links: Links;
  database: Database;
  observe: Observe;
  directDispatch: DirectDispatch | undefined;
  onShaped(): void;
}

export interface Shaping {
  wake(): void;
  stop(): Promise<void>;
}

const clearEveryMs = 60_000;

export function openShaping({ settings, model, links, database, observe, ...parts }: ShapingParts): Shaping {
  const { wireNames, notificationBytesMax, decisionEventsKept, sandboxThreads } = settings;
  const planCache = new ShapingPlanCache(subscriberModel(model).types);
  const trust = new LaneTrust();
  const debts = new OwnerDebts();
  const allowance = new SuppressedAllowance();
  const wake = () => {
    for (const { loop } of tracks) loop.wake();
  };
  const open = (track: Track, threads: number) => {
    const engines = { scripts: openScriptSandbox({ threads }), stylesheets: openStylesheets({ threads }) };
    const options = { links, wireNames, notificationBytesMax };
    const common = { ...parts, database, observe, options, planCache, trust, debts, allowance, engines, threads };
    return { engines, loop: new ShapeLoop({ ...common, track, onAnswered: wakeTrusted }) };
  };
  const wakeTrusted = () => tracks[0]!.loop.wake();
  const tracks = [open('trusted', sandboxThreads), open('probation', 1)];
  const housekeeping = [() => deleteOldScriptLogs(decisionEventsKept), deleteLeftTexts].map((deleteSome) =>
    createHousekeepingLoop({ database, observe, deleteSome, everyMs: clearEveryMs }),
  );
  for (const { loop } of tracks) loop.start();
  for (const loop of housekeeping) loop.start();
  return {
    wake,
    stop: async () => {
      const stopped = Promise.all([
        ...tracks.map(({ loop }) => loop.stop()),
        ...housekeeping.map((loop) => loop.stop()),
      ]);
      // Work in the engines may take a while. It is abandoned, because any process can do it again.
      for (const { engines } of tracks) await Promise.all([engines.scripts.close(), engines.stylesheets.close()]);
      await stopped;
    },
  };
}
