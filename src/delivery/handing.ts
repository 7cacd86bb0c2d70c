// What of a batch of new notifications goes on to the worker of this process in memory: as much as it has room for.

import type { NewNotification } from '../notifications/notification-table.ts';
import type { HandOver } from './hand-over.ts';
import type { ReadyNotification } from './lanes/ready-notification.ts';

/** What is not committed in the end is forgotten. */
export class Handing {
  readonly #to: HandOver | undefined;
  readonly workerId: number | undefined;
  readonly #rooms = new Map<number, number>();
  readonly #chosen: ReadyNotification[] = [];
  #bytes = 0;

  constructor(to: HandOver | undefined) {
    this.#to = to;
    this.workerId = to?.workerId;
  }

  choose(notification: Omit<NewNotification, 'isHandedOn'>, createdDate: string): boolean {
    const { subscriptionKey, body, errorMessage } = notification;
    if (this.workerId === undefined || body === null || errorMessage !== null) return false;
    const room = this.#rooms.get(subscriptionKey) ?? this.#to!.roomIn(subscriptionKey);
    if (room <= 0 || this.#chosen.length >= handedOnMax || this.#bytes > handedOnBytesMax) return false;
    const bytes = Buffer.from(body);
    this.#bytes += bytes.length;
    this.#rooms.set(subscriptionKey, room - 1);
    this.#chosen.push({ ...notification, body: bytes, createdDate, attempts: 0, resendJob: null });
    return true;
  }

  lose(): void {
    if (this.#chosen.length > 0) this.#to!.lose();
  }

  /** Answers how many. */
  handOn(subscriptionRevision: number): number {
    if (this.#chosen.length > 0) this.#to!.take(this.#chosen, subscriptionRevision);
    return this.#chosen.length;
  }
}

const handedOnMax = 1_000;
const handedOnBytesMax = 4_000_000;
