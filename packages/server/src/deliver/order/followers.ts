// Notifications that follow a claimed one about the same object, and that this process has claimed with it. They are
// sent from memory, one after the other, each when the one before was delivered. Anything else releases them.

import type { Row } from '../../database/database.ts';
import { type ReadyNotification, readyOf } from '../queue/ready-notification.ts';

const countMax = 5_000;
const bytesMax = 8_000_000;

export class Followers {
  /** By the key of the notification that they follow. */
  readonly #byHead = new Map<number, ReadyNotification[]>();
  #count = 0;
  #bytes = 0;

  /** Whether there is capacity for more. */
  get hasCapacity(): boolean {
    return this.#count < countMax && this.#bytes < bytesMax;
  }

  /** Whether others follow this one. */
  has({ key }: ReadyNotification): boolean {
    return this.#byHead.has(key);
  }

  /** `rows`: those of `claimFollowers`, in order. Returns the notifications. */
  add(rows: readonly Row[]): ReadyNotification[] {
    return rows.map((row) => {
      const follower = readyOf(row, row);
      const key = Number(row.head_key);
      this.#attach(key, [...(this.#byHead.get(key) ?? []), follower]);
      this.#change([follower], 1);
      return follower;
    });
  }

  /** The next one, after this one was delivered. The others follow it. */
  next({ key }: ReadyNotification): ReadyNotification | undefined {
    const [next, ...others] = this.#byHead.get(key) ?? [];
    if (!next) return undefined;
    this.#byHead.delete(key);
    this.#attach(next.key, others);
    this.#change([next], -1);
    return next;
  }

  /** Removes all that follow this one. */
  takeAll({ key }: ReadyNotification): ReadyNotification[] {
    const all = this.#byHead.get(key) ?? [];
    this.#byHead.delete(key);
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

  #attach(key: number, followers: ReadyNotification[]): void {
    if (followers.length > 0) this.#byHead.set(key, followers);
  }

  #change(some: readonly ReadyNotification[], sign: 1 | -1): void {
    this.#count += sign * some.length;
    for (const { body } of some) this.#bytes += sign * body.length;
  }
}
