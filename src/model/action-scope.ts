// Which scope an action asks for.

import type { Action, TypeAccess } from './object-type.ts';
import type { Scope } from './scopes.ts';

/** That of writing, or of reading where it is a GET or nobody but the service writes. */
export function actionScope({ read, write }: TypeAccess, { method }: Pick<Action, 'method'>): Scope {
  return method === 'GET' || write === 'nobody' ? read : write;
}
