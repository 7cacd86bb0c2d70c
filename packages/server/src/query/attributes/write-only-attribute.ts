// The message about an attribute that can be sent but is never shown.

import type { ObjectType } from '../../model/object-type.ts';

/** The message follows the name. Undefined for any other name. */
export function neverShown({ writeOnly }: ObjectType, name: string): string | undefined {
  return writeOnly.has(name) ? 'can be sent, and is never shown: nothing can be asked of it.' : undefined;
}
