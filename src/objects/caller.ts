// Who asks for an operation on objects, and whose objects they may see.

import type { Actor } from '../database/database.ts';
import type { Edition } from '../model/editions.ts';
import type { ObjectType } from '../model/object-type.ts';

export interface Caller extends Actor {
  isAdmin: boolean;
  edition: Edition;
}

/** The service's own doing: nobody's, and free of the limits that callers have. */
export function serviceCaller(client: string): Caller {
  return { userKey: undefined, client, isAdmin: true, edition: 'ENTERPRISE' };
}

/** The user whose objects alone the caller may see and change; undefined where that is not limited. */
export function userSeen(type: ObjectType, { isAdmin, userKey }: Caller): number | undefined {
  // No object belongs to key 0: a caller without a user sees none.
  return type.ownedBy && !isAdmin ? (userKey ?? 0) : undefined;
}
