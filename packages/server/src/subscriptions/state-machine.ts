// The states of a subscription and the moves between them, as one table. Pure: returns the next state or the reason for
// the rejection, and leaves it to the caller to act.

import type { ErrorCode } from '../errors.ts';

export type State = 'ACTIVE' | 'DEACTIVATED' | 'UNSUBSCRIBED';

export type Move = keyof typeof table;

export type Verdict = { kind: 'moved'; state: State } | { kind: 'gone' } | Rejection;

export interface Rejection {
  kind: 'rejected';
  code: Extract<ErrorCode, 'invalidBody' | 'unsubscribed' | 'notReactivated' | 'stillSubscribed' | 'hasNotifications'>;
  message: string;
}

export function judge(state: State, move: Move): Verdict {
  return table[move][state];
}

const to = (state: State): Verdict => ({ kind: 'moved', state });
const reject = (code: Rejection['code'], message: string): Rejection => ({ kind: 'rejected', code, message });

const gone: Verdict = { kind: 'gone' };
const active = to('ACTIVE');
const deactivated = to('DEACTIVATED');
const unsubscribed = to('UNSUBSCRIBED');

const ended = reject(
  'unsubscribed',
  'The subscription is unsubscribed and can no longer be changed. Create a new one.',
);
const notReactivated = reject(
  'notReactivated',
  'The subscription was deactivated and cannot be reactivated. Create a new one.',
);
const nothingSent = reject('unsubscribed', 'The subscription is unsubscribed: nothing more is sent. Create a new one.');
const hasEnded = reject('invalidBody', 'is unsubscribed; only an active or deactivated subscription can be replaced.');
const stillSubscribed = reject(
  'stillSubscribed',
  'The subscription must be unsubscribed before it is deleted: PUT {"unsubscribed": true}.',
);
const hasNotifications = reject(
  'hasNotifications',
  'The subscription has had notifications and cannot be deleted. Unsubscribe it instead: PUT {"unsubscribed": true}.',
);
const endedWithNotifications = reject(
  'hasNotifications',
  'The subscription has had notifications and cannot be deleted. It is unsubscribed already.',
);

const table = {
  /** PUT. */
  change: { ACTIVE: active, DEACTIVATED: deactivated, UNSUBSCRIBED: ended },
  /** PUT with `"unsubscribed": false`. */
  stay: { ACTIVE: active, DEACTIVATED: notReactivated, UNSUBSCRIBED: ended },
  /** PUT with `"unsubscribed": true`. */
  unsubscribe: { ACTIVE: unsubscribed, DEACTIVATED: unsubscribed, UNSUBSCRIBED: ended },
  /** A test message. */
  ping: { ACTIVE: active, DEACTIVATED: deactivated, UNSUBSCRIBED: nothingSent },
  /** `stream`, `pull` and `acknowledge`. */
  fetch: { ACTIVE: active, DEACTIVATED: deactivated, UNSUBSCRIBED: nothingSent },
  /** `sendFailedNotifications` and `replay`. */
  resend: { ACTIVE: active, DEACTIVATED: deactivated, UNSUBSCRIBED: nothingSent },
  /** POST of a subscription that replaces it. */
  replace: { ACTIVE: unsubscribed, DEACTIVATED: unsubscribed, UNSUBSCRIBED: hasEnded },
  /** A notification has used up its attempts. */
  deactivate: { ACTIVE: deactivated, DEACTIVATED: deactivated, UNSUBSCRIBED: unsubscribed },
  /** DELETE of one that never had a notification. */
  delete: { ACTIVE: stillSubscribed, DEACTIVATED: stillSubscribed, UNSUBSCRIBED: gone },
  /** DELETE of any other. */
  deleteNotified: { ACTIVE: hasNotifications, DEACTIVATED: hasNotifications, UNSUBSCRIBED: endedWithNotifications },
} satisfies Record<string, Record<State, Verdict>>;
