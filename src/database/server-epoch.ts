// What tells one run of the database server from another. After a failover the new server may lack what the old one had committed last, and
// count up to the same numbers again: what was read before, a revision or reserved keys, is compared together with the epoch.

/** SQL. Every server has its own, and a new one at each start. */
export const serverEpoch = 'extract(epoch from pg_postmaster_start_time())::text';

/** SQL of a revision with its epoch, `1763390000.123456/42`: equal only where nothing has changed. */
export const revisionWithEpoch = (value: string) => `${serverEpoch} || '/' || ${value}`;

export function epochOf(revision: string): string {
  return revision.slice(0, revision.indexOf('/'));
}

export function numberOf(revision: string): number {
  return Number(revision.slice(revision.indexOf('/') + 1));
}
