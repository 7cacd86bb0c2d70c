// Pauses the lane of a subscription that may send no more for now, because of its rate or of its channel, and resumes
// it when it may.

import type { OpenChannels } from '../../channels/registry/open-channels.ts';
import type { Database } from '../../database/database.ts';
import type { Observe } from '../../observe/observation.ts';
import type { ReadyLanes } from '../lanes/ready-lanes.ts';
import type { RateWait } from '../lanes/throttled-lane.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';
import type { DeliveryTargets } from '../targets/delivery-targets.ts';
import type { Target } from '../targets/target.ts';
import { Throttle } from '../throttle/throttle.ts';

export interface LanePausesParts {
  channels: OpenChannels;
  database: Database;
  observe: Observe;
  lanes: ReadyLanes;
  targets: DeliveryTargets;
}

export class LanePauses {
  readonly #parts: LanePausesParts;
  readonly #onResumed: () => void;
  readonly #throttle: Throttle;
  /** By subscription. */
  readonly #timers = new Map<number, NodeJS.Timeout>();

  /** `onResumed`: lanes may send again. */
  constructor(parts: LanePausesParts, onResumed: () => void) {
    this.#parts = parts;
    this.#onResumed = onResumed;
    const { database, observe } = parts;
    this.#throttle = new Throttle({ database, observe, onReserved: (keys) => this.#resume(keys) });
  }

  /**
   * If the subscription may send, counts the attempt and returns undefined. Otherwise pauses its lane, and returns what
   * the lane does not keep, to be released.
   */
  pauseIfOver(notification: ReadyNotification, target: Target): ReadyNotification[] | undefined {
    const { key, channelType, ratePerSecond } = target;
    const { channels, lanes } = this.#parts;
    if (ratePerSecond !== null) {
      const waitMs = this.#throttle.waitMs(key, lanes.countIn(key) + 1);
      if (waitMs !== 0) return this.#pause(notification, waitMs, { ratePerSecond, waitMs });
    }
    const waitMs = channels[channelType].takeAllowance(key);
    if (waitMs > 0) return this.#pause(notification, waitMs);
    if (ratePerSecond !== null) this.#throttle.use(key);
    return undefined;
  }

  /** Call when targets were read: a lane that waits at an earlier rate asks again. */
  noteChangedRates(): void {
    const { targets } = this.#parts;
    const changed = this.#throttle.dropChanged((key) => targets.rateOf(key));
    if (changed.length > 0) this.#resume(changed);
  }

  async stop(): Promise<void> {
    await this.#throttle.stop();
  }

  #pause(notification: ReadyNotification, waitMs: number | undefined, rate?: RateWait): ReadyNotification[] {
    const { subscriptionKey } = notification;
    if (waitMs !== undefined)
      this.#timers.set(subscriptionKey, setTimeout(() => this.#resume([subscriptionKey]), Math.ceil(waitMs)).unref());
    return this.#parts.lanes.pause(notification, rate);
  }

  #resume(subscriptionKeys: readonly number[]): void {
    for (const key of subscriptionKeys) {
      clearTimeout(this.#timers.get(key));
      this.#timers.delete(key);
      this.#parts.lanes.resume(key);
    }
    this.#onResumed();
  }
}
