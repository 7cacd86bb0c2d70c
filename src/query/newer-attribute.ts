// What to tell about a name that the type has, but not in the API version that the caller speaks.

import type { ObjectType } from '../model/object-type.ts';

/** To be put behind the name; nothing for a name that no version has. */
export function cameLater({ newer }: ObjectType, name: string): string | undefined {
  const version = newer.get(name);
  if (version === undefined) return undefined;
  return `came with API version ${version}; this request speaks an older one. Ask for it with the header API-Version: ${version}.`;
}
