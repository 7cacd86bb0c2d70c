// The message about a name that the type has, but not in the caller's API version.

import type { ObjectType } from '../../model/object-type.ts';

/** The message follows the name. Undefined for a name that no version has. */
export function cameLater({ newer }: ObjectType, name: string): string | undefined {
  const version = newer.get(name);
  if (version === undefined) return undefined;
  return (
    `came with API version ${version}; this request uses an older one. Ask for it with the header API-Version: ` +
    `${version}.`
  );
}
