// Which scope an action asks for.

import type { TypeAccess } from './object-type.ts';
import type { Scope } from './scopes.ts';

/** That of writing, or of reading where nobody but the service writes. */
export function actionScope({ read, write }: TypeAccess): Scope {
  return write === 'nobody' ? read : write;
}
