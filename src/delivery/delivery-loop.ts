// Line 3: claims what is ready, sends it, and has the outcome recorded, for as long as the process runs. Any number of processes may
// do so side by side. Woken by whoever has matched something in this process, and handed what that has made; what others made is
// found by asking.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { isPassing } from '../database/database-away.ts';
import { WorkLoop } from '../database/work-loop.ts';
import { failClaimed } from '../notifications/outcome-table.ts';
import {
  type ClaimAnswer,
  claimPending,
  giveBack,
  selectClaimed,
  splitClaim,
  wakePending,
} from '../notifications/pending-table.ts';
import type { HandOver } from './hand-over.ts';
import type { HeldKeys } from './lanes/held-keys.ts';
import type { ReadyNotification } from './lanes/ready-notification.ts';
import { RoomLeft } from './lanes/room-left.ts';
import { readClaimed } from './read-claimed.ts';
import { Dispatcher, type DispatcherParts } from './sending/dispatcher.ts';

export interface DeliveryLoopParts extends DispatcherParts {
  database: Database;
  /** Keys of all that this process has claimed and not yet recorded; the recorder takes them out. */
  held: HeldKeys;
}

const askedEveryMs = 250;
const lanesInClaim = 50;
const rowsInClaim = 1_000;
/** So that each claim brings many. */
const roomForClaim = 500;
const bytesInClaim = 6_000_000;
const wokenAtOnce = 1_000;
const lookSoonMs = 2_000;
const lookEveryMs = 30_000;

const bodyGone = { errorMessage: 'Its body is not kept any more.', canBeSentAgain: false };

export class DeliveryLoop implements HandOver {
  readonly #parts: DeliveryLoopParts;
  readonly #loop = new WorkLoop({ round: () => this.#round(), askedEveryMs });
  readonly #dispatcher: Dispatcher;
  #afterLane = 0;
  #checkedAt = 0;
  /** Something about subscriptions has changed since they were looked at. */
  #isStale = false;
  /** There may be more than there was room for. */
  #isMore = false;
  /** Since it was at the first lane. */
  #hasFound = false;
  #handedOn: ReadyNotification[] = [];
  /** Claimed by this worker when it was looked the last time, and not known of. */
  #unknown = new Set<number>();
  #lookedAt = performance.now();
  #looksSoon = 0;

  constructor(parts: DeliveryLoopParts) {
    this.#parts = parts;
    this.#dispatcher = new Dispatcher(parts, {
      onEnd: (subscriptionKey) => {
        if (this.#isMore && parts.lanes.isRunningLow(subscriptionKey) && this.#wantsMore()) this.wake();
      },
      onUnknown: (notification) => {
        this.#handedOn.push(notification);
        this.wake();
      },
    });
  }

  start(): void {
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  /** For what is ready since something about its subscription has changed: that is looked at first. */
  wakeAfresh(): void {
    this.#isStale = true;
    this.wake();
  }

  get workerId(): number | undefined {
    return this.#loop.isStopping ? undefined : this.#parts.lease.id;
  }

  roomLeft(): RoomLeft {
    return new RoomLeft(this.#parts.lanes);
  }

  /** What is claimed under a lease that has been lost, or may have been, is given back: others may be sending it. */
  take(notifications: readonly ReadyNotification[], by: { workerId: number; subscriptionRevision: string }): void {
    const { targets, held, lease, recorder } = this.#parts;
    const { workerId, subscriptionRevision } = by;
    held.add(notifications.map(({ key }) => key));
    if (lease.id !== workerId) {
      recorder.giveBack(notifications, workerId);
      return;
    }
    const isKnown =
      targets.isCurrent(subscriptionRevision) && notifications.every((each) => targets.has(each.subscriptionKey));
    if (isKnown && this.#handedOn.length === 0 && !this.#loop.isStopping) {
      this.#dispatcher.add(notifications);
      return;
    }
    for (const notification of notifications) this.#handedOn.push(notification);
    this.wakeAfresh();
  }

  /** Whether something is claimed, nobody knows. */
  lose(): void {
    this.#looksSoon = 2;
  }

  /** What is under way has until `deadline` to end; what is not begun is given back. */
  async stop(deadline: AbortSignal): Promise<void> {
    await this.#loop.stop();
    this.#dispatcher.stop();
    const { lanes, lease, database } = this.#parts;
    const left = [...this.#handedOn, ...lanes.drain()].map(({ key }) => key);
    const { id } = lease;
    // Where that fails, they are free when the lease ends, in a moment.
    if (id !== undefined && left.length > 0) await database.run(giveBack(id, left)).catch(() => undefined);
    await this.#dispatcher.idle(deadline);
  }

  /** Answers whether there may be more to do at once. */
  async #round(): Promise<boolean> {
    try {
      await this.#checkGround();
      await this.#settleHandedOn();
      return await this.#claim();
    } catch (error) {
      if (!isPassing(error)) this.#parts.observe({ kind: 'delivery.failed', error: error as Error });
      await sleep(askedEveryMs);
      return false;
    }
  }

  /** Whether what is claimed is still ours, where everything goes, and what has waited long enough. */
  async #checkGround(): Promise<void> {
    const { lease, lanes, targets, database } = this.#parts;
    if (!this.#isStale && performance.now() - this.#checkedAt < askedEveryMs / 2) return;
    await lease.renew(() => this.#forgetAll());
    this.#isStale = false;
    await targets.refresh(lanes.keys());
    await this.#releaseUnknown();
    await database.run(wakePending(wokenAtOnce));
    this.#checkedAt = performance.now();
    this.#dispatcher.noteSlow();
    // What had to wait for the lease, or for outcomes to be recorded, has nobody else to wake it.
    this.#dispatcher.dispatch();
  }

  /** Others have it by now. What is under way ends, and counts only if it has arrived. */
  #forgetAll(): void {
    const { lanes, held } = this.#parts;
    held.drop([...lanes.drain(), ...this.#handedOn].map(({ key }) => key));
    this.#handedOn = [];
  }

  /**
   * Where the answer to a claim or a COMMIT got lost, something may be claimed that nobody here knows of. What is found twice is free
   * again: once may be a claim that is just being answered.
   */
  async #releaseUnknown(): Promise<void> {
    const { database, held, lease } = this.#parts;
    const sinceMs = performance.now() - this.#lookedAt;
    if (lease.id === undefined || sinceMs < (this.#looksSoon > 0 ? lookSoonMs : lookEveryMs)) return;
    const rows = await database.run(selectClaimed(lease.id));
    const unknown = rows.map(({ key }) => Number(key)).filter((key) => !held.has(key));
    const lost = unknown.filter((key) => this.#unknown.has(key));
    if (lost.length > 0) await database.run(giveBack(lease.id, lost));
    this.#unknown = new Set(unknown);
    this.#lookedAt = performance.now();
    this.#looksSoon = Math.max(0, this.#looksSoon - 1);
  }

  async #settleHandedOn(): Promise<void> {
    const handedOn = [...this.#handedOn];
    if (handedOn.length === 0) return;
    await this.#parts.targets.load(new Set(handedOn.map(({ subscriptionKey }) => subscriptionKey)));
    this.#handedOn = this.#handedOn.slice(handedOn.length);
    this.#dispatcher.add(handedOn);
  }

  async #claim(): Promise<boolean> {
    const { lanes, lease, database, recorder } = this.#parts;
    const workerId = lease.id;
    if (workerId === undefined || !this.#wantsMore() || recorder.isBehind) return false;
    const claim = {
      workerId,
      afterLane: this.#afterLane,
      lanesMax: lanesInClaim,
      rowsMax: Math.min(rowsInClaim, lanes.room()),
      turn: Math.floor(4 * Math.random()),
      rooms: lanes.roomsOf(lanesInClaim),
      bytesMax: bytesInClaim,
    };
    const rows = await database.run(claimPending(claim)).catch((error) => {
      this.lose();
      throw error;
    });
    const answer = splitClaim(rows);
    const { is_end: isEnd, last_lane } = answer.end;
    this.#afterLane = isEnd ? 0 : Number(last_lane);
    this.#hasFound ||= answer.claimed.length > 0;
    const isMoreNow = !isEnd || this.#hasFound;
    // Once around without finding anything, and it rests until one of its lanes runs low: there may be more in those that are full.
    this.#isMore = isMoreNow || lanes.isQuickOneFull;
    if (isEnd) this.#hasFound = false;
    if (answer.claimed.length > 0) await this.#takeClaimed(answer, workerId);
    return isMoreNow;
  }

  /** What is ready may be of receivers that hang: then of others. */
  #wantsMore(): boolean {
    const { lanes } = this.#parts;
    return lanes.room() >= roomForClaim && (lanes.count < rowsInClaim || lanes.hasPlaces);
  }

  async #takeClaimed(answer: ClaimAnswer, workerId: number): Promise<void> {
    const { database, held } = this.#parts;
    try {
      const { ready, gone, surplus } = await readClaimed(database, answer);
      held.add(ready.map(({ key }) => key));
      for (const notification of ready) this.#handedOn.push(notification);
      if (gone.length > 0) await database.run(failClaimed(workerId, gone, bodyGone));
      if (surplus.length > 0) await database.run(giveBack(workerId, surplus));
    } catch (error) {
      this.lose();
      throw error;
    }
    await this.#settleHandedOn();
  }
}
