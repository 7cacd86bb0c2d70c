// Sends what is ready, lane by lane, for as long as it is surely ours, and has recorded what came of it.

import { idIn } from '../../notifications/message-head.ts';
import type { Observe } from '../../observability/observation.ts';
import type { Links } from '../../query/view-columns.ts';
import type { RateBuckets } from '../../rate-buckets.ts';
import type { Pace } from '../lanes/lane.ts';
import type { ReadyLanes } from '../lanes/ready-lanes.ts';
import type { ReadyNotification } from '../lanes/ready-notification.ts';
import { type Attempt, judgeAttempt } from '../outcomes/outcome.ts';
import type { OutcomeRecorder } from '../outcomes/outcome-recorder.ts';
import type { RetrySchedule } from '../outcomes/retry-schedule.ts';
import type { DeliveryTargets } from '../targets/delivery-targets.ts';
import type { Target } from '../targets/target.ts';
import type { WorkerLease } from '../worker-lease.ts';
import { NotificationMessage } from './notification-message.ts';
import { type SendParts, sendMessage } from './send-message.ts';

export interface DispatcherParts extends SendParts {
  observe: Observe;
  lease: WorkerLease;
  lanes: ReadyLanes;
  targets: DeliveryTargets;
  recorder: OutcomeRecorder;
  schedule: RetrySchedule;
  links: Links;
  /** Of mails, by subscription. */
  mailRate: RateBuckets;
}

export interface DispatcherEvents {
  /** One has ended: there may be room for more. */
  onEnd(subscriptionKey: number): void;
  /** Nobody knows where it goes: what is known of subscriptions has changed in between. */
  onUnknown(notification: ReadyNotification): void;
}

/** A receiver that takes longer is slow. */
const quickMs = 1_000;
const postponedToldEveryMs = 60_000;

export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #events: DispatcherEvents;
  #isStopping = false;
  #postponedToldAt = Number.NEGATIVE_INFINITY;
  #onIdle: () => void = () => undefined;

  constructor(parts: DispatcherParts, events: DispatcherEvents) {
    this.#parts = parts;
    this.#events = events;
  }

  add(notifications: Iterable<ReadyNotification>): void {
    for (const notification of notifications) this.#parts.lanes.add(notification);
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

  /** Receivers that have not answered for a while are slow, before it is known what they answer. */
  noteSlow(): void {
    const { lanes, recorder, lease } = this.#parts;
    const workerId = lease.id;
    if (workerId !== undefined) recorder.giveBack(lanes.noteSlow(quickMs), workerId);
  }

  /** Begins nothing more. */
  stop(): void {
    this.#isStopping = true;
  }

  /** What is under way has ended, or `deadline` is over. */
  async idle(deadline: AbortSignal): Promise<void> {
    if (this.#parts.lanes.inFlight === 0 || deadline.aborted) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      deadline.addEventListener('abort', () => resolve());
    });
  }

  #begin(notification: ReadyNotification, workerId: number): void {
    const { lanes, targets } = this.#parts;
    const { subscriptionKey } = notification;
    if (!targets.has(subscriptionKey)) {
      lanes.end(notification, undefined);
      this.#events.onUnknown(notification);
      return;
    }
    const target = targets.get(subscriptionKey);
    if (!target || !maySend(notification, target)) this.#refuse(notification, target, workerId);
    else if (target.channelType === 'HTTP' || !this.#isTooMuchMail(notification, workerId))
      this.#attempt(notification, target, workerId);
  }

  #attempt(notification: ReadyNotification, target: Target, workerId: number): void {
    const startedAt = new Date();
    const end = (attempt: Attempt) => this.#end(notification, target, workerId, attempt);
    try {
      const message = new NotificationMessage(notification, this.#parts.links.restUrl);
      sendMessage(this.#parts, message, target, startedAt, end);
    } catch (error) {
      // Whatever goes wrong with the sending itself is ours to mend.
      this.#parts.observe({ kind: 'delivery.failed', error: error as Error });
      const { message: reason } = error as Error;
      queueMicrotask(() => end({ startedAt, durationMs: 0, result: { kind: 'ours', reason } }));
    }
  }

  #end(notification: ReadyNotification, target: Target, workerId: number, attempt: Attempt): void {
    const { lanes, recorder, schedule, lease } = this.#parts;
    const outcome = judgeAttempt(notification, attempt, schedule);
    recorder.add(outcome, workerId);
    this.#tell(notification, target, attempt, outcome.kind);
    if (attempt.result.kind === 'ours') this.#tellPostponed(attempt.result.reason);
    // What waits in the lane is claimed under the lease of now, which may be another than when the attempt began.
    recorder.giveBack(lanes.end(notification, paceOf(attempt)), lease.id ?? workerId);
    this.#resumeAfter(lanes.rest(target.key), target.key);
    this.dispatch(target.key);
    if (lanes.inFlight === 0) this.#onIdle();
    this.#events.onEnd(target.key);
  }

  #tell(
    { head }: ReadyNotification,
    { channelType, key }: Target,
    { durationMs, result }: Attempt,
    outcome: 'delivered' | 'retry' | 'failure' | 'postponed',
  ): void {
    const reason = result.kind === 'delivered' ? undefined : result.reason;
    this.#parts.observe({
      kind: 'notification.attempted',
      channelType,
      subscription: key,
      notification: idIn(head),
      outcome,
      durationMs,
      reason,
    });
  }

  /** Without sockets, or a mail server, there may be thousands of them. */
  #tellPostponed(reason: string): void {
    const now = performance.now();
    if (now - this.#postponedToldAt < postponedToldEveryMs) return;
    this.#postponedToldAt = now;
    this.#parts.observe({ kind: 'delivery.postponed', reason });
  }

  /** As long as its user is inactive everything of a subscription waits. What has ended is failed. */
  #refuse(notification: ReadyNotification, target: Target | undefined, workerId: number): void {
    const { lanes, recorder } = this.#parts;
    lanes.end(notification, undefined);
    if (target?.state === 'ACTIVE' || (target?.state === 'DEACTIVATED' && notification.resendJob !== null))
      recorder.park([notification, ...lanes.empty(target.key)], workerId);
    else recorder.add({ kind: 'ended', notification, reason: endedReasons[target?.state ?? 'gone'] }, workerId);
  }

  /** The lane goes on when its time has come. */
  #isTooMuchMail(notification: ReadyNotification, workerId: number): boolean {
    const { mailRate, lanes, recorder } = this.#parts;
    const { subscriptionKey } = notification;
    const waitMs = mailRate.take(String(subscriptionKey));
    if (waitMs === 0) return false;
    recorder.giveBack(lanes.pause(notification), workerId);
    this.#resumeAfter(waitMs, subscriptionKey);
    return true;
  }

  #resumeAfter(waitMs: number, subscriptionKey: number): void {
    if (waitMs === 0) return;
    setTimeout(() => {
      this.#parts.lanes.resume(subscriptionKey);
      this.dispatch();
    }, waitMs).unref();
  }
}

const endedReasons = {
  DEACTIVATED: 'The subscription is deactivated.',
  UNSUBSCRIBED: 'Unsubscribed.',
  gone: 'There is no such subscription any more.',
};

/** A resend goes to a deactivated subscription too. */
function maySend({ resendJob }: ReadyNotification, { state, isUsable }: Target): boolean {
  return isUsable && (state === 'ACTIVE' || (state === 'DEACTIVATED' && resendJob !== null));
}

/** A fault of ours says nothing about the receiver. */
function paceOf({ result, durationMs }: Attempt): Pace | undefined {
  if (result.kind === 'ours') return undefined;
  if (result.kind === 'failed') return 'failing';
  return durationMs > quickMs ? 'slow' : 'quick';
}
