// The scope that an action requires.

import type { Action, TypeAccess } from './object-type.ts';
import type { Scope } from './scopes.ts';

/** The write scope; for a GET, or for a type that only the service writes, the read scope. */
export function actionScope({ read, write }: TypeAccess, { method }: Pick<Action, 'method'>): Scope {
  return method === 'GET' || write === 'nobody' ? read : write;
}
