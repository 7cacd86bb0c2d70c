// Composes line 3, delivery: the lease of this process, the lanes, the loop that sends, and the loops that clean up.

import type { Encryption } from '../auth/encryption/encryption.ts';
import { connectionsMaxOf } from '../channels/registry/http-notifications.ts';
import type { Channels } from '../channels/registry/open-channels.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Database } from '../database/database.ts';
import type { Observe } from '../observe/observation.ts';
import type { Links } from '../query/view-columns.ts';
import { DeliveryLoop } from './delivery-loop.ts';
import { ClaimedKeys } from './lanes/claimed-keys.ts';
import type { DirectDispatch } from './lanes/direct-dispatch.ts';
import { ReadyLanes } from './lanes/ready-lanes.ts';
import { createMailLoop } from './mail/mail-loop.ts';
import { Followers } from './order/followers.ts';
import { HeadPromoter } from './order/head-promoter.ts';
import { createHeadSweepLoop } from './order/head-sweep-loop.ts';
import { createEndPendingLoop } from './outcomes/end-pending-loop.ts';
import { OutcomeRecorder } from './outcomes/outcome-recorder.ts';
import { recordLastFailure } from './outcomes/record-last-failure.ts';
import { createUnparkLoop } from './queue/unpark-loop.ts';
import { createResendLoop } from './resend/resend-loop.ts';
import { createRetentionLoop } from './retention/retention-loop.ts';
import { DeliveryTargets } from './targets/delivery-targets.ts';
import { createReleaseDeadLoop } from './workers/release-dead-loop.ts';
import { WorkerLease } from './workers/worker-lease.ts';

export interface DeliveryParts {
  settings: Settings;
  /** A pool for delivery only, because its statements are planned for queues. */
  database: Database;
  encryption: Encryption;
  channels: Channels;
  links: Links;
  baseUrl: string;
  observe: Observe;
}

export interface Delivery {
  directDispatch: DirectDispatch;
  /** Call when notifications may be ready. */
  wake(): void;
  /** Attempts in flight have `graceMs` to end. */
  stop(graceMs: number): Promise<void>;
}

/** A process that does not renew its lease for this long loses its claims. */
const workerLeaseMs = 6_000;

const readyPerLane = 200;
/** Enough for four claims: receivers that hang or are unknown may fill half, which leaves capacity for others. */
const readyMax = 2_000;
const bytesMax = 24_000_000;

export function openDelivery(parts: DeliveryParts): Delivery {
  const { settings, database, encryption, channels, links, baseUrl, observe } = parts;
  const { deliveriesInFlight, deliveriesInFlightPerSubscription, deactivatedKeepMs } = settings;
  const failing = { database, observe, baseUrl, deactivatedKeepMs };
  const claimedKeys = new ClaimedKeys();
  const followers = new Followers();
  const promoter = new HeadPromoter({ database, observe, onPromoted: () => loop.wake() });
  const recorder = new OutcomeRecorder({
    database,
    observe,
    claimedKeys,
    promoter,
    followers,
    recordLastFailure: (outcome, workerId) => recordLastFailure(failing, outcome, workerId),
  });
  const lease = new WorkerLease(database, workerLeaseMs);
  const loop: DeliveryLoop = new DeliveryLoop({
    channels: channels.byType,
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
      areConnectionsScarce: channels.areConnectionsScarce,
    }),
    targets: new DeliveryTargets({ database, encryption, observe }),
    recorder,
    claimedKeys,
    promoter,
    followers,
    schedule: { attemptsMax: settings.deliveryAttempts, intervalMs: settings.deliveryIntervalMs },
  });
  const ending = createEndPendingLoop(database, observe);
  const releasing = createReleaseDeadLoop({ database, observe, leaseMs: workerLeaseMs, onReleased: () => loop.wake() });
  const retention = createRetentionLoop({
    database,
    observe,
    bodyDays: settings.bodyRetentionDays,
    notificationDays: settings.notificationRetentionDays,
  });
  const sweeping = createHeadSweepLoop({ database, observe, promoter });
  const onMoved = () => {
    loop.wake();
    sweeping.wake();
  };
  const resending = createResendLoop({ database, observe, onMoved });
  const unparking = createUnparkLoop({ database, observe, onWoken: () => loop.wake() });
  const mailing = createMailLoop({ database, mail: channels.mail, observe });
  for (const each of [retention, promoter, loop, ending, releasing, resending, sweeping, unparking, mailing])
    each.start();
  return {
    directDispatch: loop,
    wake: () => loop.wake(),
    stop: async (graceMs) => {
      const deadline = AbortSignal.timeout(graceMs);
      await resending.stop();
      await unparking.stop();
      await sweeping.stop();
      await loop.stop(deadline);
      await recorder.flush(deadline);
      await promoter.stop();
      await ending.stop();
      await releasing.stop();
      await mailing.stop(deadline);
      await retention.stop();
      await lease.end();
    },
  };
}
