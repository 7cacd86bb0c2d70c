// All SQL of the processes that deliver: each renews its lease, and the claims of those that are dead are released. A dead worker is marked
// by a lease that has ended for ever: it cannot renew it, nor claim anything more. Releasing waits for no row that somebody has locked.

import type { Statement } from '../database/database.ts';

/** True of a worker that nobody has declared dead. */
export const isNotDead = "alive_until > '-infinity'";

/** With an id by chance: one that is counted up could be given out again after a failover, to another worker. */
export function insertWorker(leaseMs: number): Statement {
  return {
    text: `insert into flaghoist_system.delivery_worker (id, alive_until) overriding system value
values (1 + floor(random() * 2147483646)::bigint, now() + $1 * interval '1 millisecond') returning id::text`,
    values: [leaseMs],
  };
}

/** No row: it was declared dead, and its claims are released. */
export function renewWorker(id: number, leaseMs: number): Statement {
  return {
    text: `update flaghoist_system.delivery_worker set alive_until = now() + $2 * interval '1 millisecond'
where id = $1::bigint and ${isNotDead} returning id`,
    values: [id, leaseMs],
  };
}

/** Of those that nobody has declared dead. Whether they are, the caller decides. */
export function selectLeases(): Statement {
  return {
    text: `select id::text, alive_until::text, alive_until < now() as is_overdue
from flaghoist_system.delivery_worker where ${isNotDead}`,
    values: [],
  };
}

/** From now on it can neither renew its lease nor claim. One that has renewed it meanwhile is left alone. */
export function markDead(id: number, aliveUntil: string): Statement {
  return {
    text: `update flaghoist_system.delivery_worker set alive_until = '-infinity' where id = any(array(
  select w.id from flaghoist_system.delivery_worker w
  where w.id = $1::bigint and w.alive_until = $2::timestamptz for no key update skip locked))`,
    values: [id, aliveUntil],
  };
}

/** Of a worker that stops by itself. */
export function endWorker(id: number): Statement {
  return {
    text: `update flaghoist_system.delivery_worker set alive_until = '-infinity' where id = $1::bigint`,
    values: [id],
  };
}

export function selectDeadWorkers(): Statement {
  return {
    text: `select id::text from flaghoist_system.delivery_worker where not ${isNotDead}`,
    values: [],
  };
}

/** Except for what is locked, by a transaction of the dead worker that the server has not ended yet, for instance. */
export function releaseClaims(workerId: number): Statement {
  return {
    text: `update flaghoist_system.pending_notification set claimed_by = null where notification_key = any(array(
  select p.notification_key from flaghoist_system.pending_notification p where p.claimed_by = $1::bigint for update skip locked))`,
    values: [workerId],
  };
}

/**
 * A dead worker goes once nothing is claimed by it. Whoever claims for a worker shares a lock on its row until COMMIT, so this one is locked
 * first: the second statement sees every claim, and does nothing where the lock was not to be had (`xmax` names who has it).
 */
export function deleteDeadWorker(id: number): Statement[] {
  return [
    {
      text: `select id from flaghoist_system.delivery_worker where id = $1::bigint and not ${isNotDead} for update skip locked`,
      values: [id],
    },
    {
      text: `delete from flaghoist_system.delivery_worker where id = $1::bigint and xmax = pg_current_xact_id()::xid
  and not exists (select from flaghoist_system.pending_notification p where p.claimed_by = $1::bigint)`,
      values: [id],
    },
  ];
}

export function countLivingWorkers(): Statement {
  return {
    text: 'select count(*)::int as count from flaghoist_system.delivery_worker where alive_until >= now()',
    values: [],
  };
}
