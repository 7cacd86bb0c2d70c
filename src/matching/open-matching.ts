// Puts line 2 together: the set of subscriptions, the loop that works off events, and the one that forgets old decisions.

import type { Settings } from '../config/settings-table.ts';
import type { Database } from '../database/database.ts';
import { HousekeepingLoop } from '../database/housekeeping-loop.ts';
import type { HandOver } from '../delivery/hand-over.ts';
import type { Model } from '../model/object-type.ts';
import { deleteOldHeldBack } from '../notifications/held-back-table.ts';
import type { Observe } from '../observability/observation.ts';
import type { Links } from '../query/view-columns.ts';
import { SubscriptionSet } from '../subscriptions/subscription-set.ts';
import { KeyReserve } from './key-reserve.ts';
import { MatchLoop } from './match-loop.ts';
import { createRecording } from './record-matches.ts';

export interface MatchingParts {
  settings: Settings;
  model: Model;
  modelDigest: string;
  links: Links;
  /** Of matching alone: claims are as long as its transactions. */
  database: Database;
  observe: Observe;
  handOver: HandOver | undefined;
  /** What was not handed on is there to be claimed. */
  onMatched(): void;
  onUnprepared(): void;
}

const forgetEveryMs = 60_000;

export interface Matching {
  /** Something was written: there may be events. */
  wake(): void;
  stop(): Promise<void>;
}

export function openMatching({
  settings,
  model,
  modelDigest,
  links,
  database,
  observe,
  handOver,
  onMatched,
  onUnprepared,
}: MatchingParts): Matching {
  const { wireNames, notificationBytesMax, decisionEventsKept } = settings;
  const keys = new KeyReserve();
  const loop = new MatchLoop({
    database,
    observe,
    model,
    modelDigest,
    links,
    subscriptions: new SubscriptionSet(model),
    keys,
    startRecording: createRecording({ keys, links, wireNames, notificationBytesMax, observe, handOver }),
    onMatched,
    onUnprepared,
    deactivatedKeepMs: settings.deactivatedKeepMs,
  });
  const forgetting = new HousekeepingLoop({
    database,
    observe,
    deleteSome: () => deleteOldHeldBack(decisionEventsKept),
    everyMs: forgetEveryMs,
  });
  loop.start();
  forgetting.start();
  return {
    wake: () => loop.wake(),
    stop: async () => {
      await loop.stop();
      await forgetting.stop();
    },
  };
}
