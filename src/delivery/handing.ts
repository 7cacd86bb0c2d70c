// What of a batch of new notifications goes on to the worker of this process in memory: as much as it has room for.

import { renderHead } from '../notifications/message-head.ts';
import type { NewNotification } from '../notifications/notification-table.ts';
import type { HandOver } from './hand-over.ts';
import type { ReadyNotification } from './lanes/ready-notification.ts';
import type { RoomLeft } from './lanes/room-left.ts';

type Choosable = Omit<NewNotification, 'isHandedOn'>;

/** What is not committed in the end is forgotten. */
export class Handing {
  readonly #to: HandOver | undefined;
  readonly workerId: number | undefined;
  readonly #room: RoomLeft | undefined;
  readonly #chosen: ReadyNotification[] = [];
  #bytes = 0;

  constructor(to: HandOver | undefined) {
    this.#to = to;
    this.workerId = to?.workerId;
    this.#room = to?.roomLeft();
  }

  choose(notification: Choosable, createdDate: string): boolean {
    const { subscriptionKey, body, errorMessage } = notification;
    if (this.workerId === undefined || body === null || errorMessage !== null) return false;
    if (this.#chosen.length >= handedOnMax || this.#bytes > handedOnBytesMax) return false;
    if (!this.#room!.take(subscriptionKey)) return false;
    const ready = readyOf(notification, Buffer.from(body), createdDate);
    this.#bytes += ready.body.length;
    this.#chosen.push(ready);
    return true;
  }

  lose(): void {
    if (this.#chosen.length > 0) this.#to!.lose();
  }

  /** Answers how many. */
  handOn(subscriptionRevision: string): number {
    const { workerId } = this;
    if (this.#chosen.length > 0) this.#to!.take(this.#chosen, { workerId: workerId!, subscriptionRevision });
    return this.#chosen.length;
  }
}

/** Member by member: V8 of Node 20 makes a class of its own for each object that is spread and then added to, and keeps it for long. */
function readyOf(notification: Choosable, body: Buffer, createdDate: string): ReadyNotification {
  return {
    key: notification.key,
    createdDate,
    subscriptionKey: notification.subscriptionKey,
    attempts: 0,
    resendJob: null,
    head: renderHead(notification),
    subject: notification.subject,
    body,
  };
}

const handedOnMax = 1_000;
const handedOnBytesMax = 4_000_000;
