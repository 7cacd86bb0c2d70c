// The table of scopes that a client can be granted: what each one allows, and which others it includes.

export const scopeTable = {
  read: { includes: [], meaning: 'Read business objects.' },
  write: { includes: ['read'], meaning: 'Create, change and delete business objects; includes `read`.' },
  webhook: {
    includes: [],
    meaning: "Manage the user's own subscriptions. They carry object data, so `read` is needed as well.",
  },
  admin: {
    includes: ['read', 'write', 'webhook'],
    meaning: 'Manage users, clients and the subscriptions of all users; includes all other scopes.',
  },
} as const satisfies Record<string, { includes: readonly string[]; meaning: string }>;

export type Scope = keyof typeof scopeTable;

export const scopes = Object.keys(scopeTable) as Scope[];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopeTable, text);
}

/** The given scopes and all scopes that they include. */
export function withIncluded(granted: Iterable<Scope>): ReadonlySet<Scope> {
  const included = new Set<Scope>();
  for (const scope of granted) for (const one of [scope, ...scopeTable[scope].includes]) included.add(one);
  return included;
}

/** The scopes that a caller needs where this scope is required. */
export function scopesNeeded(scope: Scope): readonly Scope[] {
  // A subscription delivers object data, so it requires `read` too.
  return scope === 'webhook' ? ['webhook', 'read'] : [scope];
}
