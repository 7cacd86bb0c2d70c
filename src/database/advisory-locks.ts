// The numbers of the advisory locks. Who takes one waits for all others that take the same: each purpose has a number of its own, which is
// never given to another.

export const advisoryLocks = {
  migration: 7_305_114_201,
  /** Taken by functions of the database, as those who match events and those who change subscriptions call them. */
  subscriptions: 7_305_114_202,
  /** Taken by `make_days`, in the database. */
  days: 7_305_114_203,
  signingKeys: 7_305_114_204,
  bootstrap: 7_305_114_205,
} as const;
