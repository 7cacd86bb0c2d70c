// Delivery (line 3 of ARCHITECTURE.md): claims ready notifications and passes them to the dispatcher. Any number of
// processes may run this loop side by side. Matching in the same process wakes the loop and dispatches new
// notifications directly; the loop polls for those of other processes.

import { WorkLoop } from '../database/work-loop.ts';
import type { ClaimedKeys } from './lanes/claimed-keys.ts';
import { CapacityLeft, type DirectDispatch } from './lanes/direct-dispatch.ts';
import type { HeadPromoter } from './order/head-promoter.ts';
import { claimFollowers, type OrderedObject } from './order/order-table.ts';
import { failClaimed } from './outcomes/outcome-table.ts';
import { idIn, sequenceOf } from './queue/message-head.ts';
import { claimPending, releaseClaimed, selectClaimed, wakePending } from './queue/pending-table.ts';
import { type Claim, type ReadyNotification, readClaim } from './queue/ready-notification.ts';
import { Dispatcher, type DispatcherParts } from './send/dispatcher.ts';

export interface DeliveryLoopParts extends DispatcherParts {
  /** Keys of all notifications that this process has claimed and not yet recorded. The recorder removes them. */
  claimedKeys: ClaimedKeys;
  promoter: HeadPromoter;
  /** Wakes the streams of these subscriptions, in whatever process. */
  wakeStreams(subscriptionKeys: Iterable<number>): void;
}

const pollEveryMs = 250;
const lanesInClaim = 50;
const rowsInClaim = 1_000;
/** Claims only with capacity for this many: a smaller claim is not worth its round trip. */
const capacityForClaim = 500;
const bytesInClaim = 6_000_000;
const wokenAtOnce = 1_000;
const checkClaimsEveryMs = 10_000;
/** About 60,000 notifications. With a million pending, such a check took 15 ms; reading all of them took 170 ms. */
const blocksInCheck = 1_000;

const bodyNotKept = { errorMessage: 'Its body is no longer kept.', canBeSentAgain: false };

export class DeliveryLoop implements DirectDispatch {
  readonly #parts: DeliveryLoopParts;
  readonly #loop = new WorkLoop({
    round: () => this.#round(),
    pollEveryMs,
    onError: (error) => this.#parts.observe({ kind: 'delivery.failed', error }),
  });
  readonly #dispatcher: Dispatcher;
  #lastClaimedLane = 0;
  #refreshedAt = 0;
  /** Whether subscriptions may have changed since the targets were last refreshed. */
  #isStale = false;
  /** Whether more notifications may be ready than there was capacity for. */
  #isMore = false;
  /** Claimed or dispatched directly. Their targets are loaded before they are added to their lanes. */
  #awaitingTargets: ReadyNotification[] = [];
  #claimsCheckedAt = performance.now();
  /** Where the next check of the claims starts. */
  #checkFromBlock = 0;
  /** Keys that were claimed by this worker at the last check, but not known to this process. */
  #unknownClaims = new Set<number>();

  constructor(parts: DeliveryLoopParts) {
    this.#parts = parts;
    const { lanes } = parts;
    this.#dispatcher = new Dispatcher(parts, {
      onEnd: (subscriptionKey) => {
        if (this.#isMore && lanes.isRunningLow(subscriptionKey) && this.#hasCapacityForClaim()) this.wake();
      },
      onUnknown: (notification) => {
        this.#awaitingTargets.push(notification);
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

  get workerId(): number | undefined {
    return this.#loop.isStopping ? undefined : this.#parts.lease.id;
  }

  capacityLeft(): CapacityLeft {
    return new CapacityLeft(this.#parts.lanes);
  }

  /** If the lease has changed since the claim, the notifications are released: another worker may have them already. */
  take(notifications: readonly ReadyNotification[], by: { workerId: number; subscriptionRevision: string }): void {
    const { targets, claimedKeys, lease, recorder } = this.#parts;
    const { workerId, subscriptionRevision } = by;
    claimedKeys.add(notifications.map(({ key }) => key));
    if (lease.id !== workerId) {
      recorder.release(notifications, workerId);
      return;
    }
    const isKnown =
      targets.isCurrent(subscriptionRevision) && notifications.every((each) => targets.has(each.subscriptionKey));
    if (isKnown && this.#awaitingTargets.length === 0 && !this.#loop.isStopping) {
      this.#dispatcher.add(notifications);
      return;
    }
    for (const notification of notifications) this.#awaitingTargets.push(notification);
    this.#isStale = true;
    this.wake();
  }

  promote(objects: readonly OrderedObject[]): void {
    this.#parts.promoter.add(objects);
  }

  wakeStreams(subscriptionKeys: Iterable<number>): void {
    this.#parts.wakeStreams(subscriptionKeys);
  }

  /** Attempts in flight have until `deadline` to end. Notifications that are not in flight are released. */
  async stop(deadline: AbortSignal): Promise<void> {
    await this.#loop.stop();
    await this.#dispatcher.stop();
    const { lanes, lease, database } = this.#parts;
    const left = [...this.#awaitingTargets, ...lanes.drain()].map(({ key }) => key);
    const { id } = lease;
    // If this fails, the claims are released with the lease a moment later.
    if (id !== undefined && left.length > 0) await database.run(releaseClaimed(id, left)).catch(() => undefined);
    await this.#dispatcher.idle(deadline);
  }

  /** Returns whether there may be more to do at once. */
  async #round(): Promise<boolean> {
    await this.#refresh();
    await this.#loadTargets();
    return await this.#claim();
  }

  /** Renews the lease, refreshes the targets, releases unknown claims, and wakes notifications whose delay is over. */
  async #refresh(): Promise<void> {
    const { lease, lanes, targets, database } = this.#parts;
    if (!this.#isStale && performance.now() - this.#refreshedAt < pollEveryMs / 2) return;
    await lease.renew(() => this.#forgetAll());
    this.#isStale = false;
    await targets.refresh(lanes.keys());
    await this.#releaseUnknown();
    await database.run(wakePending(wokenAtOnce));
    this.#refreshedAt = performance.now();
    this.#dispatcher.noteSlow();
    this.#dispatcher.noteChangedRates();
    // Dispatching stops while the lease is uncertain or the recorder is behind, and nothing else resumes it.
    this.#dispatcher.dispatch();
  }

  /** The lease was lost, so other workers have these claims. A failed attempt in flight is then only logged. */
  #forgetAll(): void {
    const { lanes, claimedKeys, followers } = this.#parts;
    claimedKeys.drop([...lanes.drain(), ...this.#awaitingTargets, ...followers.drain()].map(({ key }) => key));
    this.#awaitingTargets = [];
  }

  /**
   * If the response to a claim or a COMMIT was lost, rows may be claimed that this process does not know of. A key that
   * is found in two checks is released. A key found once may belong to a claim whose response is on its way.
   */
  async #releaseUnknown(): Promise<void> {
    const { database, claimedKeys, lease } = this.#parts;
    if (lease.id === undefined || performance.now() - this.#claimsCheckedAt < checkClaimsEveryMs) return;
    const part = { block: this.#checkFromBlock, blocks: blocksInCheck, keys: this.#unknownClaims };
    const [row] = await database.run(selectClaimed(lease.id, part));
    const unknown = (row!.keys as string[]).map(Number).filter((key) => !claimedKeys.has(key));
    const lost = unknown.filter((key) => this.#unknownClaims.has(key));
    if (lost.length > 0) await database.run(releaseClaimed(lease.id, lost));
    this.#unknownClaims = new Set(unknown);
    this.#checkFromBlock = Number(row!.next_block);
    this.#claimsCheckedAt = performance.now();
  }

  async #loadTargets(): Promise<void> {
    const added = [...this.#awaitingTargets];
    if (added.length === 0) return;
    await this.#parts.targets.load(new Set(added.map(({ subscriptionKey }) => subscriptionKey)));
    await this.#loadTraces(added);
    this.#awaitingTargets = this.#awaitingTargets.slice(added.length);
    this.#dispatcher.add(added);
  }

  async #claim(): Promise<boolean> {
    const { lanes, lease, database, recorder } = this.#parts;
    const workerId = lease.id;
    if (workerId === undefined || !this.#hasCapacityForClaim() || recorder.isBehind) return false;
    const claim = {
      workerId,
      afterLane: this.#lastClaimedLane,
      lanesMax: lanesInClaim,
      rowsMax: Math.min(rowsInClaim, lanes.capacity()),
      capacities: lanes.claimCapacities(lanesInClaim),
      bytesMax: bytesInClaim,
    };
    const claimed = readClaim(await database.run(claimPending(claim)));
    const { isEnd, lastLane, ready, withoutBody, surplus } = claimed;
    this.#lastClaimedLane = isEnd ? 0 : lastLane;
    const isMoreNow = !isEnd || ready.length + withoutBody.length + surplus.length > 0;
    // If nothing was found, full lanes may still have more: the loop rests until one of them runs low.
    this.#isMore = isMoreNow || lanes.hasFullQuickLane;
    await this.#takeClaimed(claimed, workerId);
    return isMoreNow;
  }

  /** If many are ready and places are free, the ready ones are for receivers that hang: other lanes are claimed. */
  #hasCapacityForClaim(): boolean {
    const { lanes } = this.#parts;
    return lanes.capacity() >= capacityForClaim && (lanes.count < rowsInClaim || lanes.hasPlaces);
  }

  async #claimFollowers(ready: readonly ReadyNotification[], workerId: number): Promise<void> {
    const { database, claimedKeys, followers } = this.#parts;
    const heads = ready.filter(({ orderedObject }) => orderedObject !== null);
    const capacity = followers.capacityAfter(heads);
    if (heads.length === 0 || capacity.followersMax < 1) return;
    const rows = await database.run(claimFollowers({ workerId, heads: heads.map(({ key }) => key), ...capacity }));
    const added = followers.add(heads, rows);
    claimedKeys.add(added.map(({ key }) => key));
    await this.#loadTraces(added);
  }

  /** Of those that were dispatched directly, matching knows the traces already. */
  async #loadTraces(notifications: readonly ReadyNotification[]): Promise<void> {
    const { traceParents, database } = this.#parts;
    if (!traceParents || notifications.length === 0) return;
    const eventIds = notifications.map(({ head }) => sequenceOf({ id: idIn(head) }));
    await traceParents.load(eventIds, (statement) => database.run(statement));
  }

  async #takeClaimed({ ready, withoutBody, surplus }: Claim, workerId: number): Promise<void> {
    const { database, claimedKeys } = this.#parts;
    claimedKeys.add(ready.map(({ key }) => key));
    for (const notification of ready) this.#awaitingTargets.push(notification);
    if (withoutBody.length > 0) await database.run(failClaimed(workerId, withoutBody, bodyNotKept));
    if (surplus.length > 0) await database.run(releaseClaimed(workerId, surplus));
    await this.#claimFollowers(ready, workerId);
    await this.#loadTargets();
  }
}
