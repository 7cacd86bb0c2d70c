// The states of a subscription and the moves between them, as one table. Pure: returns the next state or the reason for
// the refusal, and leaves it to the caller to act.
//
//   move           | ACTIVE        | DEACTIVATED   | UNSUBSCRIBED
//   ---------------+---------------+---------------+-------------
//   change         | ACTIVE        | DEACTIVATED   | refused        PUT
//   stay           | ACTIVE        | refused       | refused        PUT with "unsubscribed": false
//   unsubscribe    | UNSUBSCRIBED  | UNSUBSCRIBED  | refused        PUT with "unsubscribed": true
//   ping           | ACTIVE        | DEACTIVATED   | refused        a test message
//   resend         | ACTIVE        | DEACTIVATED   | refused        sendFailedNotifications
//   replace        | refused       | UNSUBSCRIBED  | refused        POST of a subscription that replaces it
//   deactivate     | DEACTIVATED   | DEACTIVATED   | UNSUBSCRIBED   a notification has used up its attempts
//   delete         | refused       | refused       | gone           DELETE of one that never had a notification
//   deleteNotified | refused       | refused       | refused        DELETE of any other

import type { ErrorCode } from '../errors.ts';

export type State = 'ACTIVE' | 'DEACTIVATED' | 'UNSUBSCRIBED';

export type Move =
  | 'change'
  | 'stay'
  | 'unsubscribe'
  | 'ping'
  | 'resend'
  | 'replace'
  | 'deactivate'
  | 'delete'
  | 'deleteNotified';

export type Verdict = { kind: 'moved'; state: State } | { kind: 'gone' } | Refusal;

export interface Refusal {
  kind: 'refused';
  code: Extract<ErrorCode, 'invalidBody' | 'unsubscribed' | 'notReactivated' | 'stillSubscribed' | 'hasNotifications'>;
  message: string;
}

export function judge(state: State, move: Move): Verdict {
  return table[move][state];
}

const to = (state: State): Verdict => ({ kind: 'moved', state });
const refusal = (code: Refusal['code'], message: string): Refusal => ({ kind: 'refused', code, message });

const gone: Verdict = { kind: 'gone' };

const ended = refusal(
  'unsubscribed',
  'The subscription is unsubscribed and can no longer be changed. Create a new one.',
);
const notReactivated = refusal(
  'notReactivated',
  'The subscription was deactivated and cannot be reactivated. Create a new one.',
);
const nothingSent = refusal(
  'unsubscribed',
  'The subscription is unsubscribed: nothing more is sent. Create a new one.',
);
const stillActive = refusal('invalidBody', 'is active; only a subscription that was deactivated can be replaced.');
const hasEnded = refusal('invalidBody', 'is unsubscribed; only a subscription that was deactivated can be replaced.');
const stillSubscribed = refusal(
  'stillSubscribed',
  'The subscription must be unsubscribed before it is deleted: PUT {"unsubscribed": true}.',
);
const hasNotifications = refusal(
  'hasNotifications',
  'The subscription has had notifications and cannot be deleted. Unsubscribe it instead: PUT {"unsubscribed": true}.',
);
const endedWithNotifications = refusal(
  'hasNotifications',
  'The subscription has had notifications and cannot be deleted. It is unsubscribed already.',
);

const table: Record<Move, Record<State, Verdict>> = {
  change: { ACTIVE: to('ACTIVE'), DEACTIVATED: to('DEACTIVATED'), UNSUBSCRIBED: ended },
  stay: { ACTIVE: to('ACTIVE'), DEACTIVATED: notReactivated, UNSUBSCRIBED: ended },
  unsubscribe: { ACTIVE: to('UNSUBSCRIBED'), DEACTIVATED: to('UNSUBSCRIBED'), UNSUBSCRIBED: ended },
  ping: { ACTIVE: to('ACTIVE'), DEACTIVATED: to('DEACTIVATED'), UNSUBSCRIBED: nothingSent },
  resend: { ACTIVE: to('ACTIVE'), DEACTIVATED: to('DEACTIVATED'), UNSUBSCRIBED: nothingSent },
  replace: { ACTIVE: stillActive, DEACTIVATED: to('UNSUBSCRIBED'), UNSUBSCRIBED: hasEnded },
  deactivate: { ACTIVE: to('DEACTIVATED'), DEACTIVATED: to('DEACTIVATED'), UNSUBSCRIBED: to('UNSUBSCRIBED') },
  delete: { ACTIVE: stillSubscribed, DEACTIVATED: stillSubscribed, UNSUBSCRIBED: gone },
  deleteNotified: { ACTIVE: hasNotifications, DEACTIVATED: hasNotifications, UNSUBSCRIBED: endedWithNotifications },
};
