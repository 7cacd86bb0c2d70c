// All SQL of delivery workers: each worker renews its lease, and the claims of dead workers are released. A dead worker
// is marked by a lease that has ended for ever: it can neither renew the lease nor claim anything more. Releasing waits
// for no locked row.

import type { Statement } from '../../database/database.ts';

/** True for a worker that has not been declared dead. */
export const isNotDead = "alive_until > '-infinity'";

/** The id is random: a sequence could give the same id to another worker after a failover. */
export function insertWorker(leaseMs: number): Statement {
  return {
    text: `insert into flaghoist_system.delivery_worker (id, alive_until) overriding system value
values (1 + floor(random() * 2147483646)::bigint, now() + $1 * interval '1 millisecond') returning id::text`,
    values: [leaseMs],
  };
}

/** No row: the worker was declared dead, and its claims are released. */
export function renewWorker(id: number, leaseMs: number): Statement {
  return {
    text: `update flaghoist_system.delivery_worker set alive_until = now() + $2 * interval '1 millisecond'
where id = $1::bigint and ${isNotDead} returning id`,
    values: [id, leaseMs],
  };
}

/** Leases of workers that have not been declared dead. The caller decides whether they are. */
export function selectLeases(): Statement {
  return {
    text: `select id::text, alive_until::text, alive_until < now() as is_overdue
from flaghoist_system.delivery_worker where ${isNotDead}`,
    values: [],
  };
}

/** As shown to administrators. */
export function selectWorkers(): Statement {
  return {
    text: `select id::text,
  case when not (${isNotDead}) then 'DEAD' when alive_until < now() then 'LATE' else 'ALIVE' end as state,
  case when ${isNotDead} then to_char(alive_until at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end as "leaseEnds"
from flaghoist_system.delivery_worker order by state, id`,
    values: [],
  };
}

/** After a restore: no worker of the backup is one of this installation. Their claims are released. */
export function markAllDead(): Statement {
  return { text: `update flaghoist_system.delivery_worker set alive_until = '-infinity'`, values: [] };
}

/** The worker can no longer renew its lease, nor claim. A worker that has renewed it meanwhile is left alone. */
export function markDead(id: number, aliveUntil: string): Statement {
  return {
    text: `update flaghoist_system.delivery_worker set alive_until = '-infinity' where id = any(array(
  select w.id from flaghoist_system.delivery_worker w
  where w.id = $1::bigint and w.alive_until = $2::timestamptz for no key update skip locked))`,
    values: [id, aliveUntil],
  };
}

/** For a worker that stops by itself. */
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

/** Skips locked rows, for example those of a dead worker whose transaction the server has not ended yet. */
export function releaseClaims(workerId: number): Statement {
  return {
    text: `update flaghoist_system.pending_notification set claimed_by = null where notification_key = any(array(
  select p.notification_key from flaghoist_system.pending_notification p where p.claimed_by = $1::bigint
    for update skip locked))`,
    values: [workerId],
  };
}

/**
 * Deletes a dead worker once it has no claims. Every claim shares a lock on the row of its worker until COMMIT, so the
 * row is locked first. The second statement then sees every claim. It does nothing if the lock was not acquired (`xmax`
 * names the transaction that has it).
 */
export function deleteDeadWorker(id: number): Statement[] {
  return [
    {
      text:
        `select id from flaghoist_system.delivery_worker where id = $1::bigint and not ${isNotDead} for update ` +
        'skip locked',
      values: [id],
    },
    {
      text: `delete from flaghoist_system.delivery_worker where id = $1::bigint and xmax = pg_current_xact_id()::xid
  and not exists (select from flaghoist_system.pending_notification p where p.claimed_by = $1::bigint)`,
      values: [id],
    },
  ];
}
