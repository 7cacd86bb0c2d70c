// The ids of PostgreSQL advisory locks. Transactions that take the same lock block each other, so each purpose has its
// own id. An id is never reused for another purpose.

export const advisoryLocks = {
  migration: 7_305_114_201,
  /** Taken by database functions: shared by matching, exclusive by changes to subscriptions. */
  subscriptions: 7_305_114_202,
  /** Taken by migrations and by those who create and drop days, and shared by backups, which read the tables. */
  days: 7_305_114_203,
  signingKeys: 7_305_114_204,
  bootstrap: 7_305_114_205,
  /** Taken by the database function `lock_hierarchies`: shared with one of each hierarchy, or alone for all. */
  hierarchies: 7_305_114_206,
  /** Held by the process that adds to the counts of deliveries. */
  statistics: 7_305_114_207,
  /** Taken by the trigger `wake_matching`: of several programs that commit changes, one notifies. */
  foreignChanges: 7_305_114_208,
  /** Together with a second number, from 0 to 1,023. */
  eachHierarchy: 730_511_420,
} as const;
