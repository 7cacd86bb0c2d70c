// What is claimed and not yet sent, in one lane for each subscription: who is next, and how many may be under way. Takes lanes in
// turn, first attempts before others. Lanes that fail or are slow have together no more than a quarter of the places and of the room,
// and so have those that nobody knows yet: receivers that are slow or dead delay nobody else. No I/O.

import { Recent } from '../../recent.ts';
import { emptyPools, type Kind, kindOf, type Lane, type Pace, poolOf, readyIn, restMsAfter, shareOf } from './lane.ts';
import type { LaneLimits } from './lane-limits.ts';
import type { ReadyNotification } from './ready-notification.ts';

/** However many first attempts there are, every so often it is another's turn. */
const turnsBetween = 8;

const firstFirst: readonly Kind[] = ['first', 'again'];
const othersFirst: readonly Kind[] = ['again', 'first'];

/** Of so many receivers it is remembered how they were, when nothing is left to send. */
const pacesRemembered = 10_000;

/** What may be under way to a receiver before it has answered for the first time. */
const inFlightUnknown = 2;

export class ReadyLanes {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<number, Lane>();
  readonly #paces = new Recent<number, Pace>(pacesRemembered);
  /** Lanes that may send, in the order of their turn. */
  readonly #turns: Record<Kind, Set<Lane>> = { first: new Set(), again: new Set() };
  readonly #pools = emptyPools();
  readonly #allPools = Object.values(this.#pools);
  #count = 0;
  #bytes = 0;
  #inFlight = 0;
  #turnsTaken = 0;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether something more could be sent at once, of lanes that have nothing here. */
  get hasPlaces(): boolean {
    return this.#inFlight < this.#limits.inFlightMax;
  }

  /** How many more can be taken in all. */
  room(): number {
    return this.#bytes >= this.#limits.bytesMax ? 0 : Math.max(0, this.#limits.readyMax - this.#count);
  }

  /** How many more of one subscription. */
  roomIn(key: number): number {
    const lane = this.#lanes.get(key);
    if (lane?.isPaused) return 0;
    const pace = lane ? lane.pace : this.#paces.get(key);
    return Math.max(0, Math.min(this.#roomAt(pace), this.#mostOf(pace) - (lane ? readyIn(lane) : 0)));
  }

  /** How many more of each that has something. */
  rooms(): Map<number, number> {
    return new Map([...this.#lanes.keys()].map((key) => [key, this.roomIn(key)]));
  }

  /** What is here of it will soon be under way. */
  isRunningLow(key: number): boolean {
    const lane = this.#lanes.get(key);
    return lane === undefined || readyIn(lane) <= this.#limits.inFlightPerLane;
  }

  /** Whether there is one that would soon have room for more. */
  get isQuickOneFull(): boolean {
    return [...this.#lanes.values()].some(({ key, pace }) => pace === 'quick' && this.roomIn(key) === 0);
  }

  /** How many more of any other. */
  get roomInOthers(): number {
    return Math.min(this.#roomAt(undefined), this.#mostOf(undefined));
  }

  /** Of all lanes that have something. */
  keys(): number[] {
    return [...this.#lanes.keys()];
  }

  add(notification: ReadyNotification): void {
    const lane = this.#laneOf(notification.subscriptionKey);
    lane[kindOf(notification)].push(notification);
    this.#recount(lane, [notification], 1);
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
      for (const lane of this.#turns[kind]) {
        this.#turns[kind].delete(lane);
        if (lane[kind].length > 0 && this.#maySend(lane, kind)) return this.#take(lane, kind);
      }
    return undefined;
  }

  /** `pace`: undefined where it was not sent. Answers what the lane has too much of: it waits in the database. */
  end({ subscriptionKey }: ReadyNotification, pace: Pace | undefined): ReadyNotification[] {
    const lane = this.#lanes.get(subscriptionKey)!;
    this.#place(lane, -1);
    if (pace) this.#judge(lane, pace);
    const surplus = pace === undefined || lane.pace === 'quick' ? [] : this.#surplusOf(lane);
    this.#queue(lane);
    this.#callThoseThatWait();
    this.#forget(lane);
    return surplus;
  }

  /** Lanes that have something under way and have not moved for so long are slow. Answers what they have too much of. */
  noteSlow(afterMs: number): ReadyNotification[] {
    const since = performance.now() - afterMs;
    const slow = [...this.#lanes.values()].filter(
      ({ inFlight, movedAt, pace }) => inFlight > 0 && movedAt < since && pace !== 'slow' && pace !== 'failing',
    );
    for (const lane of slow) {
      this.#judge(lane, 'slow');
      this.#callThoseThatWait();
    }
    return slow.flatMap((lane) => this.#surplusOf(lane));
  }

  /** Not sent after all: it is the next of its lane, which waits until it is resumed. Answers what else the lane had. */
  pause(notification: ReadyNotification): ReadyNotification[] {
    const lane = this.#lanes.get(notification.subscriptionKey)!;
    this.#place(lane, -1);
    lane[kindOf(notification)].unshift(notification);
    this.#recount(lane, [notification], 1);
    lane.isPaused = true;
    return this.#surplusOf(lane, 1);
  }

  /** A lane that fails again and again rests until it is resumed. Answers for how long; 0: it goes on, or rests already. */
  rest(key: number): number {
    const lane = this.#lanes.get(key);
    const restMs = lane && !lane.isPaused ? restMsAfter(lane.failures) : 0;
    if (restMs > 0) lane!.isPaused = true;
    return restMs;
  }

  resume(key: number): void {
    const lane = this.#lanes.get(key);
    if (!lane) return;
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

  /** However many lanes there are that are not quick, half of the room is for the others. */
  #roomAt(pace: Pace | undefined): number {
    const pool = poolOf(pace);
    return Math.max(0, Math.min(this.room(), shareOf(pool, this.#limits.readyMax) - this.#pools[pool].ready));
  }

  #mostOf(pace: Pace | undefined): number {
    const { readyPerLane, readyMax, inFlightPerLane } = this.#limits;
    const isMuch = pace === 'quick' && this.#count < readyMax / 2;
    return isMuch ? readyPerLane : Math.min(readyPerLane, 2 * inFlightPerLane);
  }

  /** One at least, so that it is tried again. */
  #allowedIn(lane: Lane): number {
    const left =
      shareOf(poolOf(lane.pace), this.#limits.readyMax) - this.#pools[poolOf(lane.pace)].ready + readyIn(lane);
    return Math.max(1, Math.min(this.#mostOf(lane.pace), left));
  }

  #laneOf(key: number): Lane {
    const known = this.#lanes.get(key);
    if (known) return known;
    const pace = this.#paces.get(key);
    const lane: Lane = { key, first: [], again: [], inFlight: 0, movedAt: 0, pace, failures: 0, isPaused: false };
    this.#lanes.set(key, lane);
    return lane;
  }

  #judge(lane: Lane, pace: Pace): void {
    if (pace === 'quick' && lane.pace === 'quick') return;
    const [before, after] = [this.#pools[poolOf(lane.pace)], this.#pools[poolOf(pace)]];
    before.ready -= readyIn(lane);
    after.ready += readyIn(lane);
    before.inFlight -= lane.inFlight;
    after.inFlight += lane.inFlight;
    lane.pace = pace;
    lane.failures = pace === 'failing' ? lane.failures + 1 : 0;
  }

  #queue(lane: Lane): void {
    for (const kind of firstFirst) if (lane[kind].length > 0 && this.#maySend(lane, kind)) this.#turns[kind].add(lane);
  }

  #maySend(lane: Lane, kind: Kind): boolean {
    if (lane.isPaused || lane.inFlight >= this.#inFlightMost(lane, kind)) return false;
    const pool = this.#pools[poolOf(lane.pace)];
    if (pool.inFlight < shareOf(poolOf(lane.pace), this.#limits.inFlightMax)) return true;
    pool.waiting.add(lane);
    return false;
  }

  /** Where a receiver fails, what it was sent before is tried again, and one at a time of what is new. */
  #inFlightMost({ pace }: Lane, kind: Kind): number {
    const { inFlightPerLane } = this.#limits;
    if (pace === undefined) return Math.min(inFlightPerLane, inFlightUnknown);
    return pace === 'failing' && kind === 'first' ? 1 : inFlightPerLane;
  }

  /** Unless the one whose turn it is has less under way, or this one nothing more. */
  #goesOn(lane: Lane): boolean {
    if (lane.pace !== 'quick' || lane.first.length === 0 || !this.#maySend(lane, 'first')) return false;
    const [other] = this.#turns.first;
    return other === undefined || (lane.inFlight > 0 && other.inFlight >= lane.inFlight);
  }

  #take(lane: Lane, kind: Kind): ReadyNotification {
    const notification = lane[kind].shift()!;
    this.#recount(lane, [notification], -1);
    this.#place(lane, 1);
    this.#queue(lane);
    return notification;
  }

  /** One of each pool: only one place has become free. */
  #callThoseThatWait(): void {
    for (const { waiting } of this.#allPools) {
      for (const lane of waiting) {
        waiting.delete(lane);
        this.#queue(lane);
        // Those that rest are called when they are resumed.
        if (!lane.isPaused) break;
      }
    }
  }

  #place(lane: Lane, change: 1 | -1): void {
    this.#inFlight += change;
    lane.movedAt = performance.now();
    lane.inFlight += change;
    this.#pools[poolOf(lane.pace)].inFlight += change;
  }

  #surplusOf(lane: Lane, most = this.#allowedIn(lane)): ReadyNotification[] {
    const again = lane.again.splice(most);
    const surplus = [...lane.first.splice(Math.max(0, most - lane.again.length)), ...again];
    this.#recount(lane, surplus, -1);
    return surplus;
  }

  #emptied(lanes: readonly Lane[]): ReadyNotification[] {
    return lanes.flatMap((lane) => {
      const left = [...lane.first.splice(0), ...lane.again.splice(0)];
      this.#recount(lane, left, -1);
      this.#forget(lane);
      return left;
    });
  }

  #recount({ pace }: Lane, notifications: readonly ReadyNotification[], change: 1 | -1): void {
    this.#count += change * notifications.length;
    this.#pools[poolOf(pace)].ready += change * notifications.length;
    for (const { body } of notifications) this.#bytes += change * body.length;
  }

  #forget(lane: Lane): void {
    if (lane.inFlight > 0 || readyIn(lane) > 0) return;
    this.#lanes.delete(lane.key);
    for (const { waiting } of this.#allPools) waiting.delete(lane);
    if (lane.pace !== undefined) this.#paces.set(lane.key, lane.pace);
  }
}
