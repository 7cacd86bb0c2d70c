// Distinguishes one run of the database server from another. After a failover, the new server may lack the last commits
// of the old one and assign the same numbers again. Values read earlier, such as a revision or reserved keys, are
// therefore compared together with the epoch.

/** SQL. Differs between servers and between starts of the same server. */
export const serverEpoch = 'extract(epoch from pg_postmaster_start_time())::text';

/** SQL of a revision with its epoch, such as `1763390000.123456/42`. Equal values mean that nothing has changed. */
export const revisionWithEpoch = (value: string) => `${serverEpoch} || '/' || ${value}`;

export function epochOf(revision: string): string {
  return revision.slice(0, revision.indexOf('/'));
}

export function numberOf(revision: string): number {
  return Number(revision.slice(revision.indexOf('/') + 1));
}
