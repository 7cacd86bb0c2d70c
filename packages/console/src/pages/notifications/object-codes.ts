// The numbers and codes of objects that lists of notifications have shown. The live feed sends rows without them.

import type { NotificationRow } from './notification.ts';

const known = new Map<number, string>();

const knownMax = 20_000;

export function rememberCodes(rows: readonly NotificationRow[]): void {
  if (known.size > knownMax) known.clear();
  for (const { subscribedObjectKey, subscribedObjectCode } of rows)
    if (subscribedObjectCode) known.set(subscribedObjectKey, subscribedObjectCode);
}

export function codeOf({ subscribedObjectKey, subscribedObjectCode }: NotificationRow): string | undefined {
  return subscribedObjectCode ?? known.get(subscribedObjectKey);
}
