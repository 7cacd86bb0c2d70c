// Puts line 3 together: the lease of this process, the lanes, the loop that sends, and those that tidy up behind it.

import type { Encryption } from '../auth/encryption/encryption.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Database } from '../database/database.ts';
import type { Observe } from '../observability/observation.ts';
import type { Links } from '../query/view-columns.ts';
import { RateBuckets } from '../rate-buckets.ts';
import { DeliveryLoop } from './delivery-loop.ts';
import type { HandOver } from './hand-over.ts';
import { HeldKeys } from './lanes/held-keys.ts';
import { ReadyLanes } from './lanes/ready-lanes.ts';
import { MailLoop } from './mail/mail-loop.ts';
import { EndPendingLoop } from './outcomes/end-pending-loop.ts';
import { OutcomeRecorder } from './outcomes/outcome-recorder.ts';
import { recordLastFailure } from './outcomes/record-last-failure.ts';
import { ReleaseDeadLoop } from './release-dead-loop.ts';
import { ResendLoop } from './resend/resend-loop.ts';
import { RetentionLoop } from './retention-loop.ts';
import { type Channels, connectionsMaxOf } from './sending/open-channels.ts';
import { DeliveryTargets } from './targets/delivery-targets.ts';
import { UnparkLoop } from './unpark-loop.ts';
import { WorkerLease } from './worker-lease.ts';

export interface DeliveryParts {
  settings: Settings;
  /** Of delivery alone: its statements are planned for queues. */
  database: Database;
  encryption: Encryption;
  channels: Channels;
  links: Links;
  baseUrl: string;
  observe: Observe;
  clock?: Clock;
}

export interface Delivery {
  handOver: HandOver;
  /** Something may be ready. */
  wake(): void;
  /** What is under way has so long to end. */
  stop(graceMs: number): Promise<void>;
}

/** A process that nothing is heard of for so long loses what it has claimed. */
const workerLeaseMs = 6_000;

const readyPerLane = 200;
/** Four claims and more: receivers that hang or are unknown may fill half of it, and there is room for others all the same. */
const readyMax = 2_000;
const bytesMax = 24_000_000;

export function openDelivery(parts: DeliveryParts): Delivery {
  const { settings, database, encryption, channels, links, baseUrl, observe, clock = systemClock } = parts;
  const { deliveriesInFlight, deliveriesInFlightPerSubscription, mailsPerMinute, deactivatedKeepMs } = settings;
  const failing = { database, observe, links, baseUrl, deactivatedKeepMs };
  const held = new HeldKeys();
  const recorder = new OutcomeRecorder({
    database,
    observe,
    held,
    recordLastFailure: (outcome, workerId) => recordLastFailure(failing, outcome, workerId),
  });
  const lease = new WorkerLease(database, workerLeaseMs);
  const loop = new DeliveryLoop({
    ...channels,
    database,
    observe,
    links,
    lease,
    lanes: new ReadyLanes({
      inFlightMax: deliveriesInFlight,
      inFlightPerLane: deliveriesInFlightPerSubscription,
      readyPerLane,
      readyMax,
      bytesMax,
      connectionsMax: connectionsMaxOf(settings),
      areConnectionsScarce: () => channels.http.isCrowded,
    }),
    targets: new DeliveryTargets(database, encryption, observe),
    recorder,
    held,
    schedule: { attemptsMax: settings.deliveryAttempts, intervalMs: settings.deliveryIntervalMs },
    mailRate: new RateBuckets({ capacity: mailsPerMinute, refillMs: 60_000, clock }),
  });
  const ending = new EndPendingLoop(database, observe);
  const releasing = new ReleaseDeadLoop({ database, observe, leaseMs: workerLeaseMs, onReleased: () => loop.wake() });
  const retention = new RetentionLoop({
    database,
    observe,
    bodyDays: settings.bodyRetentionDays,
    notificationDays: settings.notificationRetentionDays,
  });
  retention.start();
  const resending = new ResendLoop({ database, observe, onMoved: () => loop.wake() });
  const unparking = new UnparkLoop({ database, observe, onWoken: () => loop.wakeAfresh() });
  const mailing = new MailLoop({ database, mail: channels.mail, observe });
  for (const each of [loop, ending, releasing, resending, unparking, mailing]) each.start();
  return {
    handOver: loop,
    wake: () => loop.wake(),
    stop: async (graceMs) => {
      const deadline = AbortSignal.timeout(graceMs);
      await resending.stop();
      await unparking.stop();
      await loop.stop(deadline);
      await recorder.flush(deadline);
      await ending.stop();
      await releasing.stop();
      await mailing.stop(deadline);
      await retention.stop();
      await lease.end();
    },
  };
}
