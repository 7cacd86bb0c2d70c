// Composes line 3, delivery: the lease of this process, the lanes, the loop that sends, and the loops that clean up.

import type { Encryption } from '../auth/encryption/encryption.ts';
import { connectionsMaxOf } from '../channels/registry/http-notifications.ts';
import type { Channels } from '../channels/registry/open-channels.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Database } from '../database/database.ts';
import type { TraceParents } from '../events/trace-parents.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { Observe } from '../observe/observation.ts';
import type { Tracing } from '../observe/traces/tracing.ts';
import type { Links } from '../query/view-columns.ts';
import { startAlerting } from './alerts/start-alerting.ts';
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
import { createCountLoop } from './statistics/count-activity.ts';
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
  /** WebhookNotification, as callers see it. */
  notificationType: ObjectType;
  /** The version of the service. */
  version: string;
  observe: Observe;
  tracing: Tracing | undefined;
  traceParents: TraceParents | undefined;
  /** Wakes the streams of these subscriptions, in whatever process. Undefined: those that have something to send. */
  wakeStreams(subscriptionKeys?: Iterable<number>): void;
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
  const { settings, database, encryption, channels, links, baseUrl, observe, tracing, traceParents, wakeStreams } =
    parts;
  const { deliveriesInFlight, deliveriesInFlightPerSubscription } = settings;
  const failing = { database, observe, baseUrl, settings };
  const claimedKeys = new ClaimedKeys();
  const followers = new Followers();
  const promoter = new HeadPromoter({ database, observe, onPromoted: () => loop.wake(), wakeStreams });
  const recording = { database, observe, claimedKeys, promoter, followers };
  const recorder = new OutcomeRecorder({
    ...recording,
    recordLastFailure: (outcome, workerId) => recordLastFailure(failing, outcome, workerId),
  });
  const lease = new WorkerLease(database, workerLeaseMs);
  const targets = new DeliveryTargets({ database, encryption, observe });
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
      areConnectionsScarce: (key) => {
        const target = targets.get(key);
        return target !== undefined && channels.byType[target.channelType]?.isScarce === true;
      },
    }),
    targets,
    recorder,
    claimedKeys,
    promoter,
    followers,
    settings,
    tracing,
    traceParents,
    wakeStreams,
  });
  const others = createOtherLoops(parts, promoter, () => loop.wake());
  for (const each of [promoter, loop, ...Object.values(others)]) each.start();
  const alerting = startAlerting(parts);
  return {
    directDispatch: loop,
    wake: () => loop.wake(),
    stop: async (graceMs) => {
      const deadline = AbortSignal.timeout(graceMs);
      for (const each of [others.resending, others.unparking, others.sweeping]) await each.stop();
      await loop.stop(deadline);
      await recorder.flush(deadline);
      await promoter.stop();
      for (const each of [others.ending, others.releasing]) await each.stop();
      await others.mailing.stop(deadline);
      await alerting.stop(deadline);
      await others.counting.stop();
      await others.retention.stop();
      await lease.end();
    },
  };
}

/** The loops beside the one that sends. `wake`: wakes that one. */
function createOtherLoops(
  { settings, database, channels, observe, notificationType, wakeStreams }: DeliveryParts,
  promoter: HeadPromoter,
  wake: () => void,
) {
  const sweeping = createHeadSweepLoop({ database, observe, promoter });
  const onMoved = () => {
    wake();
    sweeping.wake();
    wakeStreams();
  };
  return {
    retention: createRetentionLoop({
      database,
      observe,
      bodyDays: settings.bodyRetentionDays,
      notificationDays: settings.notificationRetentionDays,
    }),
    ending: createEndPendingLoop(database, observe),
    releasing: createReleaseDeadLoop({ database, observe, leaseMs: workerLeaseMs, onReleased: wake }),
    resending: createResendLoop({ database, observe, notificationType, onMoved }),
    sweeping,
    unparking: createUnparkLoop({ database, observe, onWoken: wake }),
    mailing: createMailLoop({ database, mail: channels.mail, observe }),
    counting: createCountLoop({ database, observe }),
  };
}
