// Sends ready notifications, lane by lane, while the lease is certain, and passes their outcomes to the recorder.

import type { OpenChannels } from '../../channels/registry/open-channels.ts';
import type { Database } from '../../database/database.ts';
import type { TraceParents } from '../../events/trace-parents.ts';
import type { Observe } from '../../observe/observation.ts';
import type { Tracing } from '../../observe/traces/tracing.ts';
import type { Links } from '../../query/view-columns.ts';
import type { RetrySettings } from '../../subscriptions/channel/retry-policy.ts';
import type { ReceiverState } from '../lanes/lane.ts';
import type { ReadyLanes } from '../lanes/ready-lanes.ts';
import type { Followers } from '../order/followers.ts';
import { type Attempt, judgeAttempt, retryTimes } from '../outcomes/outcome.ts';
import type { OutcomeRecorder } from '../outcomes/outcome-recorder.ts';
import { idIn } from '../queue/message-head.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';
import type { DeliveryTargets } from '../targets/delivery-targets.ts';
import type { Target } from '../targets/target.ts';
import type { WorkerLease } from '../workers/worker-lease.ts';
import { LanePauses } from './lane-pauses.ts';
import { notificationMessage } from './notification-message.ts';
import { sendMessage } from './send-message.ts';

export interface DispatcherParts {
  channels: OpenChannels;
  database: Database;
  observe: Observe;
  lease: WorkerLease;
  lanes: ReadyLanes;
  targets: DeliveryTargets;
  recorder: OutcomeRecorder;
  followers: Followers;
  settings: RetrySettings;
  links: Links;
  tracing: Tracing | undefined;
  /** Undefined if tracing is off. */
  traceParents: TraceParents | undefined;
}

export interface DispatcherEvents {
  /** An attempt has ended: there may be capacity for more. */
  onEnd(subscriptionKey: number): void;
  /** The target is not known, because the targets have been refreshed meanwhile. */
  onUnknown(notification: ReadyNotification): void;
}

/** A receiver that takes longer is slow. */
const quickMs = 1_000;
const reportPostponedEveryMs = 60_000;
const noRetry = { nextAttempt: undefined, lastAttempt: undefined };

export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #events: DispatcherEvents;
  readonly #pauses: LanePauses;
  #isStopping = false;
  #postponedReportedAt = Number.NEGATIVE_INFINITY;
  #onIdle: () => void = () => undefined;

  constructor(parts: DispatcherParts, events: DispatcherEvents) {
    this.#parts = parts;
    this.#events = events;
    this.#pauses = new LanePauses(parts, () => this.dispatch());
  }

  add(notifications: Iterable<ReadyNotification>): void {
    for (const notification of notifications) this.#addToLane(notification, this.#parts.lease.id);
    this.dispatch();
  }

  /** `after`: the lane in which a place has just become free. */
  dispatch(after?: number): void {
    const { lanes, lease, recorder } = this.#parts;
    let last = after;
    while (!recorder.isBehind && !this.#isStopping) {
      const workerId = lease.id;
      const notification = workerId === undefined ? undefined : lanes.next(last);
      if (!notification) return;
      last = undefined;
      this.#begin(notification, workerId!);
    }
  }

  /** Marks receivers as slow that have not responded for a while. */
  noteSlow(): void {
    const { lanes, recorder, lease } = this.#parts;
    const workerId = lease.id;
    if (workerId !== undefined) recorder.release(lanes.noteSlow(quickMs), workerId);
  }

  /** Call when targets were read. */
  noteChangedRates(): void {
    this.#pauses.noteChangedRates();
  }

  /** Starts no more attempts. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#pauses.stop();
  }

  /** Resolves when no attempt is in flight, or at `deadline`. */
  async idle(deadline: AbortSignal): Promise<void> {
    if (this.#parts.lanes.inFlight === 0 || deadline.aborted) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      deadline.addEventListener('abort', () => resolve());
    });
  }

  /** A lane may have been paused since the notification was claimed for it. */
  #addToLane(notification: ReadyNotification, workerId: number | undefined, isFollower = false): void {
    const { lanes, recorder } = this.#parts;
    if (workerId !== undefined && lanes.isClosed(notification.subscriptionKey, isFollower))
      recorder.release([notification], workerId);
    else lanes.add(notification);
  }

  #begin(notification: ReadyNotification, workerId: number): void {
    const { lanes, targets, recorder } = this.#parts;
    const { subscriptionKey } = notification;
    if (!targets.has(subscriptionKey)) {
      lanes.end(notification, undefined);
      this.#events.onUnknown(notification);
      return;
    }
    const target = targets.get(subscriptionKey);
    if (!target || !maySend(notification, target)) {
      this.#parkOrFail(notification, target, workerId);
      return;
    }
    const surplus = this.#pauses.pauseIfOver(notification, target);
    if (surplus) recorder.release(surplus, workerId);
    else this.#attempt(notification, target, workerId);
  }

  #attempt(notification: ReadyNotification, target: Target, workerId: number): void {
    const startedAt = new Date();
    const end = (attempt: Attempt) => this.#end(notification, target, workerId, attempt);
    try {
      const message = notificationMessage(notification, this.#parts.links.restUrl);
      sendMessage(this.#parts, message, target, startedAt, end, this.#parts.traceParents?.of(message.sequence));
    } catch (error) {
      // An exception while sending is a fault of the service.
      this.#parts.observe({ kind: 'delivery.failed', error: error as Error });
      const { message: reason } = error as Error;
      const endedAtMs = performance.now();
      queueMicrotask(() => end({ startedAt, durationMs: 0, endedAtMs, result: { kind: 'ownFault', reason } }));
    }
  }

  #end(notification: ReadyNotification, target: Target, workerId: number, attempt: Attempt): void {
    const { lanes, recorder, followers, settings, lease, observe } = this.#parts;
    const { durationMs, result } = attempt;
    const outcome = judgeAttempt(notification, attempt, target.retryPolicy, settings);
    recorder.add(outcome, workerId);
    observe({
      kind: 'notification.attempted',
      channelType: target.channelType,
      subscription: target.key,
      notification: idIn(notification.head),
      outcome: outcome.kind,
      durationMs,
      reason: result.kind === 'delivered' ? undefined : result.reason,
      ...(outcome.kind === 'retry' ? retryTimes(outcome, target.retryPolicy, settings) : noRetry),
    });
    if (result.kind === 'ownFault') this.#reportPostponed(result.reason);
    // What is ready in the lane is claimed under the current lease, which may not be the lease of the attempt.
    recorder.release(lanes.end(notification, receiverStateOf(attempt)), lease.id ?? workerId);
    const next = outcome.kind === 'delivered' ? followers.next(notification) : undefined;
    if (next) this.#addToLane(next, workerId, true);
    const restMs = lanes.rest(target.key);
    if (restMs > 0) this.#dispatchAfter(restMs, () => lanes.endRest(target.key));
    this.dispatch(target.key);
    if (lanes.inFlight === 0) this.#onIdle();
    this.#events.onEnd(target.key);
  }

  /** Reported once a minute at most: without sockets or a mail server, there may be thousands. */
  #reportPostponed(reason: string): void {
    const now = performance.now();
    if (now - this.#postponedReportedAt < reportPostponedEveryMs) return;
    this.#postponedReportedAt = now;
    this.#parts.observe({ kind: 'delivery.postponed', reason });
  }

  /** Parks everything of a subscription with an inactive user. Fails the notification if the subscription has ended. */
  #parkOrFail(notification: ReadyNotification, target: Target | undefined, workerId: number): void {
    const { lanes, recorder } = this.#parts;
    lanes.end(notification, undefined);
    if (target?.state === 'ACTIVE' || (target?.state === 'DEACTIVATED' && notification.resendJob !== null))
      recorder.park([notification, ...lanes.empty(target.key)], workerId);
    else recorder.add({ kind: 'ended', notification, reason: endedReasons[target?.state ?? 'missing'] }, workerId);
  }

  #dispatchAfter(waitMs: number, change: () => void): void {
    setTimeout(() => {
      change();
      this.dispatch();
    }, waitMs).unref();
  }
}

const endedReasons = {
  DEACTIVATED: 'The subscription is deactivated.',
  UNSUBSCRIBED: 'Unsubscribed.',
  missing: 'The subscription no longer exists.',
};

/** A resend is sent to a deactivated subscription as well. */
function maySend({ resendJob }: ReadyNotification, { state, isUsable }: Target): boolean {
  return isUsable && (state === 'ACTIVE' || (state === 'DEACTIVATED' && resendJob !== null));
}

/** A fault of the service says nothing about the receiver. */
function receiverStateOf({ result, durationMs }: Attempt): ReceiverState | undefined {
  if (result.kind === 'ownFault') return undefined;
  if (result.kind === 'failed') return 'failing';
  return durationMs > quickMs ? 'slow' : 'quick';
}
