// Locks the subscription of an action. The caller must be allowed to see it, and its state must allow the action.

import type { Run } from '../../database/database.ts';
import { ApiError } from '../../errors.ts';
import type { ObjectCall } from '../../objects/action-call.ts';
import { onlyUserFor } from '../../objects/caller.ts';
import { notFound } from '../../objects/object-errors.ts';
import { lockObject } from '../../objects/object-table.ts';
import { judge, type Move, type State } from '../../subscriptions/state-machine.ts';

export interface LockedSubscription {
  userKey: number;
}

export async function lockSubscription(
  run: Run,
  call: Pick<ObjectCall, 'type' | 'key' | 'caller'>,
  move: Move,
): Promise<LockedSubscription> {
  const { type, key, caller } = call;
  const lock = lockObject(type, key, {
    lockFor: 'change',
    onlyUser: onlyUserFor(type, caller),
    columns: ['state', 'user'],
  });
  const [rows] = await run(lock);
  const row = rows?.[0];
  if (!row) throw notFound(type, key);
  const verdict = judge(row.state as State, move);
  if (verdict.kind === 'rejected') throw new ApiError(verdict.code, verdict.message);
  return { userKey: Number(row.user) };
}
