// Starts shaping: one loop for fast lanes and one for slow ones, each with its own engines, and the housekeeping.

import { openScriptSandbox } from '@flaghoist/script-sandbox';
import { openStylesheets } from '@flaghoist/stylesheets';
import type { Settings } from '../config/settings-table.ts';
import { createHousekeepingLoop } from '../database/housekeeping-loop.ts';
import type { TraceParents } from '../events/trace-parents.ts';
import type { Model } from '../model/object-type.ts';
import { subscriberModel } from '../model/subscriber-model.ts';
import type { Tracing } from '../observe/traces/tracing.ts';
import type { Links } from '../query/view-columns.ts';
import type { Track } from './claim-matches.ts';
import { LaneHealths } from './lane-health.ts';
import { createShapeLoop, type ShapeLoopParts } from './shape-loop.ts';
import { ShapingPlanCache } from './shaping-plan-cache.ts';
import { ShapingTraces } from './shaping-traces.ts';
import { SuppressedAllowance } from './suppressed-allowance.ts';
import { deleteOldScriptLogs } from './suppressed-table.ts';
import { deleteLeftTexts } from './unshaped-table.ts';

export interface ShapingParts
  extends Pick<ShapeLoopParts, 'modelDigest' | 'database' | 'observe' | 'directDispatch' | 'onShaped'> {
  settings: Settings;
  model: Model;
  links: Links;
  tracing: Tracing | undefined;
  /** Undefined if tracing is off. */
  traceParents: TraceParents | undefined;
}

export interface Shaping {
  wake(): void;
  stop(): Promise<void>;
}

const clearEveryMs = 60_000;
/** After this time, the slow thread continues with the next user. */
const turnMs = 500;

export function openShaping(given: ShapingParts): Shaping {
  const { settings, model, links, database, observe, tracing, traceParents, ...parts } = given;
  const { wireNames, notificationBytesMax, decisionEventsKept, sandboxThreads } = settings;
  const hasAlertUrl = settings.alertUrl !== undefined;
  const planCache = new ShapingPlanCache(subscriberModel(model).types);
  const healths = new LaneHealths();
  const allowance = new SuppressedAllowance();
  const traces = tracing && traceParents && new ShapingTraces(tracing, traceParents, database);
  const wake = () => {
    for (const { loop } of tracks) loop.wake();
  };
  const open = (track: Track, limits: { threads: number; batchTimeMs?: number }) => {
    const engines = { scripts: openScriptSandbox(limits), stylesheets: openStylesheets(limits) };
    const options = { links, wireNames, notificationBytesMax };
    const using = { options, planCache, healths, allowance, engines, hasAlertUrl, traces };
    const common = { ...parts, database, observe, ...using, ...limits };
    return { engines, loop: createShapeLoop({ ...common, track, onRun: wakeFast }) };
  };
  const wakeFast = () => tracks[0]!.loop.wake();
  const tracks = [open('fast', { threads: sandboxThreads }), open('slow', { threads: 1, batchTimeMs: turnMs })];
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
