// What a client may do, and what a user may do in the console. Disabled users and clients have no grant.

import { type Scope, withIncluded } from '../../model/scopes.ts';
import type { Access } from './access.ts';
import type { ApiUser } from './access-table.ts';

export interface Grant {
  user: ApiUser;
  /** The client that the audit log and the limits name. */
  client: string;
  /** With all that they include. */
  scopes: ReadonlySet<Scope>;
}

/** A client has a grant only if it has been granted the audience of this installation, whoever issued its token. */
export function grantOfClient({ clients }: Access, clientId: string, audience: string): Grant | undefined {
  const client = clients.get(clientId);
  if (!client?.isActive || !client.user.isActive || !client.audiences.includes(audience)) return undefined;
  return { user: client.user, client: clientId, scopes: withIncluded(client.scopes) };
}

/** A user may do in the console what its active clients may do together. Without such a client, it has no grant. */
export function grantOfUser({ users, clients }: Access, userKey: number, audience: string): Grant | undefined {
  const user = users.get(userKey);
  if (!user?.isActive) return undefined;
  const own = [...clients.values()].filter(
    ({ user: { key }, isActive, audiences }) => key === userKey && isActive && audiences.includes(audience),
  );
  if (own.length === 0) return undefined;
  return { user, client: consoleClientOf(user), scopes: withIncluded(own.flatMap(({ scopes }) => scopes)) };
}

/** No id of a client has a space, so this is never the name of a client. Each user has its own share and limits. */
export function consoleClientOf({ userCode }: ApiUser): string {
  return `console ${userCode}`;
}
