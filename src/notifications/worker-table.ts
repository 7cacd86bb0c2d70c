// All SQL of the processes that deliver: each says every moment that it is there, and what the dead have claimed is set free.

import type { Statement } from '../database/database.ts';

export function insertWorker(leaseMs: number): Statement {
  return {
    text: `insert into flaghoist_system.delivery_worker (alive_until) values (now() + $1 * interval '1 millisecond') returning id::text`,
    values: [leaseMs],
  };
}

/** No row: it was taken for dead, and what it had is others' now. */
export function renewWorker(id: number, leaseMs: number): Statement {
  return {
    text: `update flaghoist_system.delivery_worker set alive_until = now() + $2 * interval '1 millisecond' where id = $1::bigint returning id`,
    values: [id, leaseMs],
  };
}

/** Those that were not heard of in time. Whether they are dead, the one who asks decides. */
export function selectOverdueWorkers(): Statement {
  return { text: 'select id::text from flaghoist_system.delivery_worker where alive_until < now()', values: [] };
}

/** Waits for those who hand something on to it; whoever comes later finds it gone. */
export function deleteWorker(id: number): Statement {
  return { text: 'delete from flaghoist_system.delivery_worker where id = $1::bigint', values: [id] };
}

/** One that is alive after all is left alone. */
export function deleteOverdueWorker(id: number): Statement {
  return {
    text: 'delete from flaghoist_system.delivery_worker where id = $1::bigint and alive_until < now() returning id',
    values: [id],
  };
}

export function releaseClaims(workerId: number): Statement {
  return {
    text: 'update flaghoist_system.pending_notification set claimed_by = null where claimed_by = $1::bigint returning 1',
    values: [workerId],
  };
}

/** As each says of itself every moment. */
export function countLivingWorkers(): Statement {
  return {
    text: 'select count(*)::int as count from flaghoist_system.delivery_worker where alive_until >= now()',
    values: [],
  };
}
