// Notifications that are claimed and not yet sent, in one lane per subscription: which is sent next, and how many more
// may be claimed. A slow or dead receiver delays no other, and memory is bounded. No I/O.
//
// A place is one attempt in flight. With the default settings, a lane has:
//
// | Lane     | Its receiver                             | Places                   | Ready in memory             |
// |----------|------------------------------------------|--------------------------|-----------------------------|
// | quick    | responded to the last attempt in 1 s     | 10, fewer while          | 200; 20 while quick lanes   |
// |          |                                          | connections are scarce   | fill half of the memory     |
// | unknown  | has not responded yet                    | 2                        | 20                          |
// | slow     | took longer, or the lane has made no     | 10                       | 20                          |
// |          | progress for 1 s                         |                          |                             |
// | failing  | failed the last attempt                  | 1 for new ones, 10 for   | 20                          |
// |          |                                          | retries, resting or not  |                             |
//
// A lane is paused while its rate is used up: it has no places. For some time it is then throttled: it gets no direct
// dispatch, has few in memory, and claims more when half of them are sent.
//
// | Rate         | In memory while paused          | … while throttled | Throttled                         |
// |--------------|---------------------------------|-------------------|-----------------------------------|
// | of mails     | none                            | 2                 | a minute from the start of a pause |
// | of attempts  | what is sent in 2 s, at least 2 | the same          | for 1 s after a pause              |
// | … wait > 5 s | none                            | 2                 | for 1 s after a pause              |
//
// All paused lanes together keep a quarter of each pool.
//
// | Pool     | Lanes            | Places                        | Ready     | Bytes     | Direct dispatch |
// |----------|------------------|-------------------------------|-----------|-----------|-----------------|
// | quick    | quick            | all that are free             | all       | half      | yes             |
// | unknown  | unknown          | a quarter; half with troubled | a quarter | a quarter | yes             |
// | troubled | slow and failing | a quarter; half with unknown  | a quarter | a quarter | no              |

import type { PendingClaim } from '../queue/pending-table.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';
import { isBusy, isIdle, kindOf, type Lane, newLane, type Pool, poolOf, type ReceiverState, readyIn } from './lane.ts';
import { type LaneLimits, LanePools } from './lane-pools.ts';
import { LaneTurns } from './lane-turns.ts';
import { isThrottled, keptWhilePaused, type RateWait, throttledCapacity, throttledMsOf } from './throttled-lane.ts';

/**
 * A failed attempt costs several times as much as a delivered one, so its place rests: 2, 4, 8 … ms as failures follow
 * each other. The upper limit is 10 ms times the number of resting places: all failing lanes together make about 100
 * attempts a second.
 */
const restMsEach = 10;
/** A receiver that has recovered is noticed within this time. */
const restMsMax = 5_000;

/** Used for subscriptions without a lane. */
const unknownLane: Lane = newLane(0);

/** How many idle receivers to remember. */
const lanesRemembered = 10_000;

export class ReadyLanes {
  readonly #limits: LaneLimits;
  readonly #pools: LanePools;
  /** Idle lanes stay in the map: deleting and adding them with each notification would cost more (see `recent.ts`). */
  readonly #lanes = new Map<number, Lane>();
  #forgetsAt = lanesRemembered;
  readonly #turns: LaneTurns;
  /** Resting places of all lanes. */
  #resting = 0;
  #pausedLanes = 0;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
    this.#pools = new LanePools(limits);
    this.#turns = new LaneTurns(this.#pools);
  }

  get count(): number {
    return this.#pools.ready;
  }

  get inFlight(): number {
    return this.#pools.inFlight;
  }

  /** Whether a notification of another lane could be sent at once. */
  get hasPlaces(): boolean {
    return this.#pools.hasPlaceIn('quick');
  }

  /** How many more notifications can be claimed in all. Other pools than the quick one are limited further. */
  capacity(): number {
    return this.#pools.capacityIn('quick');
  }

  /** For direct dispatch: how many more notifications the lane of a subscription can take, and its pool. */
  directCapacity(key: number): { inLane: number; pool: Pool; inPool: number } {
    const lane = this.#lanes.get(key) ?? unknownLane;
    const pool = poolOf(lane.receiver);
    // Notifications of troubled lanes are claimed instead, with retries among them.
    const isClaimed = pool === 'troubled' || isThrottled(lane);
    return { inLane: isClaimed ? 0 : this.#capacityIn(lane), pool, inPool: this.#pools.capacityIn(pool) };
  }

  /**
   * Capacities for a claim of up to `lanesAtOnce` lanes. Lanes that are not named are treated as unknown. Idle quick
   * lanes are left out to keep the list short: a claim makes them busy, and then they are named.
   */
  claimCapacities(lanesAtOnce: number): PendingClaim['capacities'] {
    const shares = this.#pools.shares(lanesAtOnce);
    const capacityOf = (lane: Lane) => Math.min(shares[poolOf(lane.receiver)], this.#capacityIn(lane));
    const others = capacityOf(unknownLane);
    const named = new Map<number, number>();
    for (const lane of this.#lanes.values()) {
      const capacity = capacityOf(lane);
      if (isBusy(lane) || capacity < others || others === 0) named.set(lane.key, capacity);
    }
    return { named, others };
  }

  /** Whether the lane has no more ready than it can have in flight. */
  isRunningLow(key: number): boolean {
    return readyIn(this.#lanes.get(key) ?? unknownLane) <= this.#limits.inFlightPerLane;
  }

  /** Whether some quick lane is full, and will soon have capacity for more. */
  get hasFullQuickLane(): boolean {
    const isFull = (lane: Lane) =>
      lane.receiver === 'quick' && isBusy(lane) && !this.#isHeldBack(lane) && this.#capacityIn(lane) === 0;
    return [...this.#lanes.values()].some(isFull);
  }

  /** Keys of all lanes that have notifications, or are paused. */
  keys(): number[] {
    return [...this.#lanes.values()].filter((lane) => isBusy(lane) || lane.isPaused).map(({ key }) => key);
  }

  /** How many notifications of a subscription are ready. */
  countIn(key: number): number {
    return readyIn(this.#lanes.get(key) ?? unknownLane);
  }

  add(notification: ReadyNotification): void {
    const lane = this.#laneOf(notification.subscriptionKey);
    lane[kindOf(notification)].push(notification);
    this.#pools.count(lane, [notification], 1);
    this.#turns.add(lane);
  }

  /** Takes the next one, in flight until `end`. `after`: the lane of the last attempt, whose connection is warm. */
  next(after?: number): ReadyNotification | undefined {
    const turn = this.#turns.next(after === undefined ? undefined : this.#lanes.get(after));
    if (!turn) return undefined;
    const { lane, kind } = turn;
    const notification = lane[kind].shift()!;
    this.#pools.count(lane, [notification], -1);
    this.#place(lane, 1);
    this.#turns.add(lane);
    return notification;
  }

  /** `receiver`: undefined if nothing was sent. Returns notifications that no longer fit; the caller releases them. */
  end({ subscriptionKey }: ReadyNotification, receiver: ReceiverState | undefined): ReadyNotification[] {
    const lane = this.#lanes.get(subscriptionKey)!;
    this.#place(lane, -1);
    const surplus = receiver ? this.#judge(lane, receiver) : [];
    this.#turns.add(lane);
    return surplus;
  }

  /** Marks lanes as slow that have attempts in flight and no progress for `afterMs`. Returns what no longer fits. */
  noteSlow(afterMs: number): ReadyNotification[] {
    const since = performance.now() - afterMs;
    const slow = [...this.#lanes.values()].filter(
      ({ inFlight, movedAt, receiver }) => inFlight > 0 && movedAt < since && poolOf(receiver) !== 'troubled',
    );
    // The lane gets its next turn when an attempt ends: a receiver that hangs is not sent more.
    return slow.flatMap((lane) => this.#judge(lane, 'slow'));
  }

  /**
   * Undoes `next`, and pauses the lane until `resume`. `rate`: undefined if the channel allows no more for now. Returns
   * what the lane does not keep; the caller releases it.
   */
  pause(notification: ReadyNotification, rate?: RateWait): ReadyNotification[] {
    const lane = this.#lanes.get(notification.subscriptionKey)!;
    const wasThrottled = isThrottled(lane);
    if (!lane.isPaused) this.#pausedLanes += 1;
    lane.isPaused = true;
    lane.throttledUntil = Math.max(lane.throttledUntil, performance.now() + throttledMsOf(rate));
    lane.kept = keptWhilePaused(rate, this.#pools.keptShare(lane, this.#pausedLanes, notification.body.length));
    this.#place(lane, -1);
    lane[kindOf(notification)].unshift(notification);
    this.#pools.count(lane, [notification], 1);
    // Later, claims fit. Of an ordered subscription, what follows an attempt is kept in addition.
    const mayHaveSurplus = lane.kept === 0 || (!wasThrottled && rate?.waitMs !== undefined);
    return mayHaveSurplus ? this.#surplusOf(lane, lane.kept) : [];
  }

  /** Whether a paused lane keeps no more. `isFollower`: the notification follows one that was sent from this lane. */
  isClosed(key: number, isFollower: boolean): boolean {
    const lane = this.#lanes.get(key);
    return lane?.isPaused === true && (isFollower ? lane.kept === 0 : readyIn(lane) >= lane.kept);
  }

  resume(key: number): void {
    const lane = this.#lanes.get(key);
    if (!lane?.isPaused) return;
    lane.isPaused = false;
    this.#pausedLanes -= 1;
    this.#turns.add(lane);
  }

  /** If the lane is failing, blocks one place until `endRest`. Returns for how many milliseconds; 0: not at all. */
  rest(key: number): number {
    const lane = this.#lanes.get(key)!;
    if (lane.failures === 0) return 0;
    lane.resting += 1;
    this.#resting += 1;
    return Math.min(restMsEach * this.#resting, 2 ** lane.failures, restMsMax);
  }

  endRest(key: number): void {
    const lane = this.#lanes.get(key)!;
    lane.resting -= 1;
    this.#resting -= 1;
    this.#turns.add(lane);
  }

  /** Removes and returns all ready notifications of one lane. */
  empty(key: number): ReadyNotification[] {
    const lane = this.#lanes.get(key);
    return lane ? this.#surplusOf(lane, 0) : [];
  }

  /** Removes and returns all notifications that are not in flight. */
  drain(): ReadyNotification[] {
    return [...this.#lanes.values()].flatMap((lane) => this.#surplusOf(lane, 0));
  }

  #capacityIn(lane: Lane): number {
    const free = this.#readyMost(lane.receiver) - readyIn(lane);
    const inLane = isThrottled(lane) ? Math.min(free, throttledCapacity(lane)) : free;
    return Math.max(0, Math.min(this.#pools.capacityIn(poolOf(lane.receiver)), inLane));
  }

  /** Whether the lane has few in memory because of its rate, and enough until the next claim. */
  #isHeldBack(lane: Lane): boolean {
    return isThrottled(lane) && lane.kept < this.#limits.readyPerLane;
  }

  #readyMost(receiver: ReceiverState | undefined): number {
    const { readyPerLane, readyMax, inFlightPerLane } = this.#limits;
    const mayHoldMany = receiver === 'quick' && this.#pools.readyIn('quick') < readyMax / 2;
    return mayHoldMany ? readyPerLane : Math.min(readyPerLane, 2 * inFlightPerLane);
  }

  #laneOf(key: number): Lane {
    const known = this.#lanes.get(key);
    if (known) return known;
    if (this.#lanes.size >= this.#forgetsAt) this.#forgetIdle();
    const lane = newLane(key);
    this.#lanes.set(key, lane);
    return lane;
  }

  /** If the lane changes its pool, returns what the new pool has no capacity for. */
  #judge(lane: Lane, receiver: ReceiverState): ReadyNotification[] {
    lane.failures = receiver === 'failing' ? lane.failures + 1 : 0;
    const [from, to] = [poolOf(lane.receiver), poolOf(receiver)];
    const most =
      to === 'quick' ? Number.POSITIVE_INFINITY : Math.min(this.#readyMost(receiver), this.#pools.capacityIn(to));
    if (from !== to) {
      this.#turns.remove(lane);
      this.#pools.move(lane, receiver);
    }
    lane.receiver = receiver;
    return from === to ? [] : this.#surplusOf(lane, most);
  }

  #place(lane: Lane, change: 1 | -1): void {
    lane.movedAt = performance.now();
    lane.inFlight += change;
    this.#pools.place(lane, change);
  }

  /** Keeps `most` notifications, retries first. Removes and returns the others. */
  #surplusOf(lane: Lane, most: number): ReadyNotification[] {
    const again = lane.again.splice(most);
    const surplus = [...lane.first.splice(Math.max(0, most - lane.again.length)), ...again];
    this.#pools.count(lane, surplus, -1);
    return surplus;
  }

  /** Forgets all idle lanes but the most recently active ones. */
  #forgetIdle(): void {
    const idle = [...this.#lanes.values()].filter(isIdle).sort((one, other) => other.movedAt - one.movedAt);
    for (const { key } of idle.slice(lanesRemembered / 2)) this.#lanes.delete(key);
    this.#forgetsAt = this.#lanes.size + lanesRemembered / 2;
  }
}
