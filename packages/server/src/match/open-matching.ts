// Assembles line 2: the set of subscriptions, the loop that matches events, and the loop that deletes old decisions.

import type { Settings } from '../config/settings-table.ts';
import { createHousekeepingLoop } from '../database/housekeeping-loop.ts';
import type { DirectDispatch } from '../deliver/lanes/direct-dispatch.ts';
import type { TraceParents } from '../events/trace-parents.ts';
import { subscriberModel } from '../model/subscriber-model.ts';
import type { Tracing } from '../observe/traces/tracing.ts';
import { deleteOldSuppressed } from '../shape/suppressed-table.ts';
import { SubscriptionSet } from '../subscriptions/subscription-set.ts';
import { KeyReserve } from './key-reserve.ts';
import { createMatchLoop, type MatchLoopParts } from './match-loop.ts';
import { MatchTraces } from './match-traces.ts';
import { createRecording } from './record-matches.ts';

type LoopParts = Omit<MatchLoopParts, 'subscriptions' | 'keys' | 'startRecording' | 'deactivatedKeepMs' | 'traces'>;

export interface MatchingParts extends LoopParts {
  settings: Settings;
  directDispatch: DirectDispatch | undefined;
  tracing: Tracing | undefined;
  /** Undefined if tracing is off. */
  traceParents: TraceParents | undefined;
}

const housekeepingEveryMs = 60_000;

export interface Matching {
  /** Called after a write: there may be new events. */
  wake(): void;
  stop(): Promise<void>;
}

export function openMatching(given: MatchingParts): Matching {
  const { settings, directDispatch, tracing, traceParents, ...parts } = given;
  const { wireNames, notificationBytesMax, decisionEventsKept, deactivatedKeepMs } = settings;
  const { database, observe, model, links } = parts;
  const keys = new KeyReserve();
  const loop = createMatchLoop({
    ...parts,
    subscriptions: new SubscriptionSet(model),
    keys,
    startRecording: createRecording({
      keys,
      links,
      types: subscriberModel(model).types,
      wireNames,
      notificationBytesMax,
      observe,
      directDispatch,
    }),
    deactivatedKeepMs,
    traces: tracing && traceParents && new MatchTraces(tracing, traceParents),
  });
  const housekeeping = createHousekeepingLoop({
    database,
    observe,
    deleteSome: () => deleteOldSuppressed(decisionEventsKept),
    everyMs: housekeepingEveryMs,
  });
  loop.start();
  housekeeping.start();
  return {
    wake: () => loop.wake(),
    stop: async () => {
      await loop.stop();
      await housekeeping.stop();
    },
  };
}
