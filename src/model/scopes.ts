// The scopes that a client can be granted, as one table: what each lets its holder do, and what it includes.

export const scopeTable = {
  read: { includes: [], meaning: 'Read business objects.' },
  write: { includes: ['read'], meaning: 'Create, change and delete business objects; includes `read`.' },
  webhook: {
    includes: [],
    meaning: "Manage the user's own subscriptions. They carry object data, so `read` is needed as well.",
  },
  admin: {
    includes: ['read', 'write', 'webhook'],
    meaning: "Manage users and clients, and everybody's subscriptions; includes all others.",
  },
} as const satisfies Record<string, { includes: readonly string[]; meaning: string }>;

export type Scope = keyof typeof scopeTable;

export const scopes = Object.keys(scopeTable) as Scope[];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopeTable, text);
}

/** The given scopes with all that they include. */
export function withIncluded(granted: Iterable<Scope>): ReadonlySet<Scope> {
  const held = new Set<Scope>();
  for (const scope of granted) for (const one of [scope, ...scopeTable[scope].includes]) held.add(one);
  return held;
}

/** What a caller must hold to use something that is for this scope. */
export function scopesNeeded(scope: Scope): readonly Scope[] {
  // A subscription carries object data.
  return scope === 'webhook' ? ['webhook', 'read'] : [scope];
}
