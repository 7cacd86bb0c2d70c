// How mails name a subscription: by its key, with the name that its owner gave it.

import { printable } from '@flaghoist/source-text';

export interface NamedSubscription {
  key: number;
  name: string | null;
}

/** `1009`, or `1009 "Bunker orders"`. */
export function nameSubscription({ key, name }: NamedSubscription): string {
  const shown = printable((name ?? '').trim());
  return shown === '' ? String(key) : `${key} "${shown}"`;
}
