// Balances a run: the responses to clients, the history in the database, and what the receiver got.

import type { Finding } from '../finding.ts';
import { type Change, type FoundHistory, judgeChanges } from '../writes/change-ledger.ts';
import type { ReceivedMarks } from './hardship-receiver.ts';

export function judgeBalance(changes: readonly Change[], found: FoundHistory, received: ReceivedMarks): Finding[] {
  return [...judgeChanges(changes, found), ...judgeNotifications(found, received)];
}

/** Every change in the history was notified, under one id, and nothing else was. */
function judgeNotifications({ marks }: FoundHistory, { ids, altered }: ReceivedMarks): Finding[] {
  const missing = [...marks.keys()].filter((mark) => !ids.has(mark));
  const unknown = [...ids.keys()].filter((mark) => !marks.has(mark));
  const doubled = [...ids].filter(([, some]) => some.size > 1).map(([mark]) => mark);
  return [
    ...missing.map((mark): Finding => ({ kind: 'notification missing', text: `${mark} was changed and not notified` })),
    ...unknown.map(
      (mark): Finding => ({ kind: 'notification too many', text: `${mark} was notified and not changed` }),
    ),
    ...doubled.map((mark): Finding => ({ kind: 'notification twice', text: `${mark} came under several ids` })),
    ...[...altered].map((id): Finding => ({ kind: 'wrong body', text: `${id} came with different bytes` })),
  ];
}
