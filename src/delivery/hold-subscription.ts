// The subscription that an action is about: one that the caller may see, locked, and in a state that allows it.

import type { Run } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import type { ObjectCall } from '../objects/action-call.ts';
import { userSeen } from '../objects/caller.ts';
import { lockObject } from '../objects/object-table.ts';
import { notFound } from '../objects/refuse-change.ts';
import { judge, type Move, type State } from '../subscriptions/state-machine.ts';

export interface HeldSubscription {
  userKey: number;
}

export async function holdSubscription(
  run: Run,
  call: Pick<ObjectCall, 'type' | 'key' | 'caller'>,
  move: Move,
): Promise<HeldSubscription> {
  const { type, key, caller } = call;
  const lock = lockObject(type, key, {
    lockFor: 'change',
    onlyUser: userSeen(type, caller),
    columns: ['state', 'user'],
  });
  const [rows] = await run(lock);
  const row = rows?.[0];
  if (!row) throw notFound(type, key);
  const verdict = judge(row.state as State, move);
  if (verdict.kind === 'refused') throw new ApiError(verdict.code, verdict.message);
  return { userKey: Number(row.user) };
}
