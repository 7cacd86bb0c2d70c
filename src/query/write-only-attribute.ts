// What to tell about an attribute that can be sent and is never shown.

import type { ObjectType } from '../model/object-type.ts';

/** To be put behind the name; nothing for any other name. */
export function neverShown({ writeOnly }: ObjectType, name: string): string | undefined {
  return writeOnly.has(name) ? 'can be sent, and is never shown: nothing can be asked of it.' : undefined;
}
