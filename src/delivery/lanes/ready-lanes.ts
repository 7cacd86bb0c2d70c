// What is claimed and not yet sent, in one lane for each subscription: who is next, and how many may be under way. Takes lanes in
// turn, first attempts before others. What a lane may have depends on how its receiver was the last time (`lane-pools.ts`), so that
// receivers that are slow or dead delay nobody else. No I/O.

import type { PendingClaim } from '../../notifications/pending-table.ts';
import {
  busyAndRecent,
  countFailures,
  isBusy,
  isShort,
  type Kind,
  kindOf,
  type Lane,
  largerRation,
  newLane,
  type Pace,
  rationOf,
  readyIn,
  roomsForNew,
} from './lane.ts';
import type { LaneLimits } from './lane-limits.ts';
import { LanePools, type Pool, poolOf } from './lane-pools.ts';
import type { ReadyNotification } from './ready-notification.ts';
import { RestingLanes } from './resting-lanes.ts';

/** However many first attempts there are, every so often it is another's turn. */
const turnsBetween = 8;

const firstFirst: readonly Kind[] = ['first', 'again'];
const othersFirst: readonly Kind[] = ['again', 'first'];

/** Of so many receivers it is remembered how they were, when nothing is left to send. */
const lanesRemembered = 10_000;

export class ReadyLanes {
  readonly #limits: LaneLimits;
  /** Those that are idle stay: to take them out and put them in again with each notification would cost more (`recent.ts` says why). */
  #lanes = new Map<number, Lane>();
  #forgetsAt = lanesRemembered;
  /** Lanes that may send, in the order of their turn. */
  readonly #turns: Record<Kind, Lane[]> = { first: [], again: [] };
  readonly #pools: LanePools;
  #turnsTaken = 0;
  readonly #resting = new RestingLanes();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
    this.#pools = new LanePools(limits);
  }

  get count(): number {
    return this.#pools.ready;
  }

  get inFlight(): number {
    return this.#pools.inFlight;
  }

  /** Whether something more could be sent at once, of lanes that have nothing here. */
  get hasPlaces(): boolean {
    return this.#pools.hasPlaceIn('quick');
  }

  /** How many more can be taken in all, if they are of quick ones. */
  room(): number {
    return this.#pools.roomIn('quick');
  }

  /** How many more of one subscription. */
  roomIn(key: number): number {
    const lane = this.#lanes.get(key);
    if (lane?.isPaused) return 0;
    const most = Math.min(this.#mostOf(lane?.pace), lane ? rationOf(lane) : Number.POSITIVE_INFINITY);
    return Math.max(0, Math.min(this.#pools.roomIn(poolOf(lane?.pace)), most - (lane ? readyIn(lane) : 0)));
  }

  /** How many more can be handed on that are new. Of one in trouble claims take some of these, and some of what it was sent before. */
  roomToHandOn(key: number): number {
    const lane = this.#lanes.get(key);
    const isClaimed = lane && (lane.pace === 'failing' || isShort(lane) || (lane.pace === 'slow' && isBusy(lane)));
    return isClaimed ? 0 : this.roomIn(key);
  }

  /** The pool of a subscription, and how many more of all that are in it. */
  roomShared(key: number): { pool: Pool; room: number } {
    const pool = poolOf(this.#lanes.get(key)?.pace);
    return { pool, room: this.#pools.roomIn(pool) };
  }

  /** How many more of each, where up to so many lanes are claimed from: of those that have something, and those whose room is not that of others. */
  roomsOf(lanesAtOnce: number): PendingClaim['rooms'] {
    const roomOf = (pace: Pace | undefined, room: number) =>
      Math.min(room, this.#pools.partIn(poolOf(pace), lanesAtOnce));
    const roomAt = (pace: Pace | undefined) => roomOf(pace, this.#mostOf(pace));
    const [quick, troubled, others] = [roomAt('quick'), roomAt('slow'), roomAt(undefined)];
    const isLittleLeft = this.#pools.roomIn('unknown') < this.#limits.readyMax / 8;
    const named = new Map<number, number>();
    for (const lane of this.#lanes.values())
      if (isBusy(lane) || isShort(lane)) named.set(lane.key, roomOf(lane.pace, this.roomIn(lane.key)));
      else if (lane.pace === 'quick' && isLittleLeft) named.set(lane.key, quick);
      else if (troubled !== others && poolOf(lane.pace) === 'troubled') named.set(lane.key, troubled);
    return { named, others, forNew: roomsForNew(this.#lanes.values()) };
  }

  /** What is here of it will soon be under way. */
  isRunningLow(key: number): boolean {
    const lane = this.#lanes.get(key);
    return lane === undefined || readyIn(lane) <= this.#limits.inFlightPerLane;
  }

  /** Whether there is one that would soon have room for more. */
  get isQuickOneFull(): boolean {
    return this.keys().some((key) => this.#lanes.get(key)!.pace === 'quick' && this.roomIn(key) === 0);
  }

  /** Of all lanes that have something. */
  keys(): number[] {
    return [...this.#lanes.values()].filter(isBusy).map(({ key }) => key);
  }

  add(notification: ReadyNotification): void {
    const lane = this.#laneOf(notification.subscriptionKey);
    lane[kindOf(notification)].push(notification);
    this.#pools.count(lane, [notification], 1);
    this.#queue(lane);
  }

  /**
   * The next one to send, from now on under way; `end` says when it no longer is. `after`: of this lane one has just ended, and its
   * connection is warm.
   */
  next(after?: number): ReadyNotification | undefined {
    if (!this.hasPlaces) return undefined;
    this.#turnsTaken += 1;
    const isOthersTurn = this.#turnsTaken % turnsBetween === 0;
    const last = after === undefined || isOthersTurn ? undefined : this.#lanes.get(after);
    if (last && this.#goesOn(last)) return this.#take(last, 'first');
    for (const kind of isOthersTurn ? othersFirst : firstFirst)
      for (let lane = this.#turns[kind].shift(); lane; lane = this.#turns[kind].shift()) {
        lane.hasTurn[kind] = false;
        if (lane[kind].length > 0 && this.#maySend(lane, kind)) return this.#take(lane, kind);
      }
    return this.#callThoseThatWait() ? this.next() : undefined;
  }

  /** `pace`: undefined where it was not sent. Answers what the lane has too much of: it waits in the database. */
  end({ subscriptionKey }: ReadyNotification, pace: Pace | undefined): ReadyNotification[] {
    const lane = this.#lanes.get(subscriptionKey)!;
    const before = poolOf(lane.pace);
    this.#place(lane, -1);
    if (pace && !lane.isPaused) lane.ration = largerRation(lane.ration);
    if (pace) this.#judge(lane, pace);
    const surplus =
      pace === undefined || lane.pace === 'quick' ? [] : this.#surplusOf(lane, this.#mostLeft(lane, before));
    if (!isBusy(lane)) this.#pools.waitNoMore(lane);
    this.#queue(lane);
    this.#callThoseThatWait();
    return surplus;
  }

  /** Lanes that have something under way and have not moved for so long are slow. Answers what they have too much of. */
  noteSlow(afterMs: number): ReadyNotification[] {
    const since = performance.now() - afterMs;
    const slow = [...this.#lanes.values()].filter(
      ({ inFlight, movedAt, pace }) => inFlight > 0 && movedAt < since && pace !== 'slow' && pace !== 'failing',
    );
    return slow.flatMap((lane) => {
      const before = poolOf(lane.pace);
      this.#judge(lane, 'slow');
      this.#callThoseThatWait();
      return this.#surplusOf(lane, this.#mostLeft(lane, before));
    });
  }

  /** Not sent after all. The lane waits until it is resumed, and what it has waits in the database: this and the rest, which is answered. */
  pause(notification: ReadyNotification): ReadyNotification[] {
    const lane = this.#lanes.get(notification.subscriptionKey)!;
    this.#place(lane, -1);
    lane.isPaused = true;
    lane.ration = 1;
    return [notification, ...this.#emptied([lane])];
  }

  /** A lane that fails again and again rests until it is resumed. Answers for how long; 0: it goes on, or rests already. */
  rest(key: number): number {
    const lane = this.#lanes.get(key);
    return lane ? this.#resting.begin(lane) : 0;
  }

  resume(key: number): void {
    const lane = this.#lanes.get(key);
    if (!lane) return;
    this.#resting.end(lane);
    lane.isPaused = false;
    this.#queue(lane);
  }

  /** All that is ready of one. */
  empty(key: number): ReadyNotification[] {
    const lane = this.#lanes.get(key);
    return lane ? this.#emptied([lane]) : [];
  }

  /** All that is not under way. */
  drain(): ReadyNotification[] {
    return this.#emptied([...this.#lanes.values()]);
  }

  #mostOf(pace: Pace | undefined): number {
    const { readyPerLane, readyMax, inFlightPerLane } = this.#limits;
    const isMuch = pace === 'quick' && this.#pools.readyIn('quick') < readyMax / 2;
    return isMuch ? readyPerLane : Math.min(readyPerLane, 2 * inFlightPerLane);
  }

  #laneOf(key: number): Lane {
    const known = this.#lanes.get(key);
    if (known) return known;
    if (this.#lanes.size >= this.#forgetsAt) this.#forgetIdle();
    const lane = newLane(key);
    this.#lanes.set(key, lane);
    return lane;
  }

  #judge(lane: Lane, pace: Pace): void {
    if (pace === 'quick' && lane.pace === 'quick') return;
    this.#pools.move(lane, pace);
    countFailures(lane, pace);
  }

  /** Answers whether a turn of it will come that would not have come before. */
  #queue(lane: Lane): boolean {
    let isNew = false;
    for (const kind of firstFirst) {
      if (lane.hasTurn[kind] || lane[kind].length === 0 || !this.#maySend(lane, kind)) continue;
      lane.hasTurn[kind] = true;
      this.#turns[kind].push(lane);
      isNew = true;
    }
    return isNew;
  }

  #callThoseThatWait(): boolean {
    return this.#pools.callThoseThatWait((lane) => this.#queue(lane));
  }

  #maySend(lane: Lane, kind: Kind): boolean {
    if (lane.isPaused || lane.inFlight >= this.#pools.inFlightMost(lane, kind)) return false;
    if (this.#pools.hasPlaceIn(poolOf(lane.pace))) return true;
    this.#pools.wait(lane);
    return false;
  }

  /** Unless the one whose turn it is has less under way, or this one nothing more. */
  #goesOn(lane: Lane): boolean {
    if (lane.pace !== 'quick' || lane.first.length === 0 || !this.#maySend(lane, 'first')) return false;
    const [other] = this.#turns.first;
    return other === undefined || (lane.inFlight > 0 && other.inFlight >= lane.inFlight);
  }

  #take(lane: Lane, kind: Kind): ReadyNotification {
    const notification = lane[kind].shift()!;
    this.#pools.count(lane, [notification], -1);
    this.#place(lane, 1);
    this.#queue(lane);
    return notification;
  }

  #place(lane: Lane, change: 1 | -1): void {
    lane.ration = rationOf(lane);
    lane.movedAt = performance.now();
    lane.inFlight += change;
    this.#pools.place(lane, change);
  }

  #mostLeft(lane: Lane, before: Pool): number {
    return Math.min(this.#mostOf(lane.pace), this.#pools.allowedIn(lane, before));
  }

  #surplusOf(lane: Lane, most: number): ReadyNotification[] {
    const again = lane.again.splice(most);
    const surplus = [...lane.first.splice(Math.max(0, most - lane.again.length)), ...again];
    this.#pools.count(lane, surplus, -1);
    return surplus;
  }

  #emptied(lanes: readonly Lane[]): ReadyNotification[] {
    return lanes.flatMap((lane) => {
      const left = [...lane.first.splice(0), ...lane.again.splice(0)];
      this.#pools.count(lane, left, -1);
      if (!isBusy(lane)) this.#pools.waitNoMore(lane);
      return left;
    });
  }

  #forgetIdle(): void {
    this.#lanes = new Map(busyAndRecent(this.#lanes.values(), lanesRemembered / 2).map((lane) => [lane.key, lane]));
    this.#forgetsAt = this.#lanes.size + lanesRemembered / 2;
  }
}
