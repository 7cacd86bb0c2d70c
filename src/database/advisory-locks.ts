// The numbers of the advisory locks. Who takes the same one waits for all others that do: each purpose has one of its own, the same in
// every version.

export const advisoryLocks = {
  migration: 7_305_114_201,
  /** Taken by functions of the database: between those who match events and those who change subscriptions; and to make days. */
  subscriptions: 7_305_114_202,
  days: 7_305_114_203,
  signingKeys: 7_305_114_204,
  bootstrap: 7_305_114_205,
} as const;
