// Notifications that follow a claimed one about the same object, and that this process has claimed with it. They are
// sent from memory, one after the other, each when the one before was delivered. Anything else releases them.

import type { Row } from '../../database/database.ts';
import { completeBodies } from '../queue/content-table.ts';
import { type ReadyNotification, readyOf } from '../queue/ready-notification.ts';

/** How many are claimed after one notification, if there is capacity. */
const afterEachMax = 20;
const countMax = 5_000;
const bytesMax = 24_000_000;
/** Whatever else is to be sent waits for the response. */
const bytesInClaim = 12_000_000;

export class Followers {
  /**
   * By the notification that they follow: by the object, not by its key. A late attempt under a lost lease has another
   * object with the same key, and nothing follows it any more.
   */
  readonly #byHead = new Map<ReadyNotification, ReadyNotification[]>();
  #count = 0;
  #bytes = 0;

  /** How many to claim after each of these heads. Assumes that what follows a head is about as large as the head. */
  capacityAfter(heads: readonly ReadyNotification[]): { followersMax: number; bytesMax: number } {
    const bytesLeft = Math.min(bytesInClaim, bytesMax - this.#bytes);
    const bytesOfHeads = heads.reduce((sum, { body }) => sum + body.length, 1);
    const fitting = Math.min((countMax - this.#count) / heads.length, bytesLeft / bytesOfHeads);
    return { followersMax: Math.min(afterEachMax, Math.floor(fitting)), bytesMax: bytesLeft };
  }

  /** Whether others follow this one. */
  has(head: ReadyNotification): boolean {
    return this.#byHead.has(head);
  }

  /** `rows`: those of `claimFollowers` for these heads, in order. Returns the notifications. */
  add(heads: readonly ReadyNotification[], rows: readonly Row[]): ReadyNotification[] {
    const byKey = new Map(heads.map((head) => [head.key, head]));
    return completeBodies(rows).map((row) => {
      const follower = readyOf(row, row);
      const head = byKey.get(Number(row.head_key))!;
      this.#attach(head, [...(this.#byHead.get(head) ?? []), follower]);
      this.#change([follower], 1);
      return follower;
    });
  }

  /** The next one, after this one was delivered. The others follow it. */
  next(head: ReadyNotification): ReadyNotification | undefined {
    const [next, ...others] = this.#byHead.get(head) ?? [];
    if (!next) return undefined;
    this.#byHead.delete(head);
    this.#attach(next, others);
    this.#change([next], -1);
    return next;
  }

  /** Removes all that follow this one. */
  takeAll(head: ReadyNotification): ReadyNotification[] {
    const all = this.#byHead.get(head) ?? [];
    this.#byHead.delete(head);
    this.#change(all, -1);
    return all;
  }

  /** Removes all. */
  drain(): ReadyNotification[] {
    const all = [...this.#byHead.values()].flat();
    this.#byHead.clear();
    this.#change(all, -1);
    return all;
  }

  #attach(head: ReadyNotification, followers: ReadyNotification[]): void {
    if (followers.length > 0) this.#byHead.set(head, followers);
  }

  #change(some: readonly ReadyNotification[], sign: 1 | -1): void {
    this.#count += sign * some.length;
    for (const { body } of some) this.#bytes += sign * body.length;
  }
}
