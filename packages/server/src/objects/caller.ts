// Who requests an operation on objects, and whose objects that caller may see.

import type { Actor } from '../database/database.ts';
import type { Edition } from '../model/editions.ts';
import type { ObjectType } from '../model/object-type.ts';

export interface Caller extends Actor {
  isAdmin: boolean;
  edition: Edition;
}

/** The caller for work of the service itself: it has no user, and no caller limits apply to it. */
export function serviceCaller(client: string): Caller {
  return { userKey: undefined, client, isAdmin: true, edition: 'ENTERPRISE' };
}

/** The only user whose objects the caller may see and change; undefined if the caller is not limited to one user. */
export function onlyUserFor(type: ObjectType, { isAdmin, userKey }: Caller): number | undefined {
  // No object belongs to user key 0, so a caller without a user sees no objects.
  return type.ownedBy && !isAdmin ? (userKey ?? 0) : undefined;
}
