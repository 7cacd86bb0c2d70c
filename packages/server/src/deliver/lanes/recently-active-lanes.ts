// Counts the lanes that have sent a notification lately, in this second or in the one before.

import type { Lane } from './lane.ts';

export class RecentlyActiveLanes {
  #second = 0;
  #now = 0;
  #before = 0;

  get count(): number {
    return Math.max(this.#now, this.#before);
  }

  /** Call when the lane has just sent a notification, at `movedAt`. */
  note(lane: Lane): void {
    const second = Math.floor(lane.movedAt / 1_000);
    if (second !== this.#second) {
      this.#before = second === this.#second + 1 ? this.#now : 0;
      this.#now = 0;
      this.#second = second;
    }
    if (lane.sentIn === second) return;
    lane.sentIn = second;
    this.#now += 1;
  }
}
