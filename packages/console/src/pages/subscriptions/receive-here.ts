// Streams that this page was asked to receive itself, with their secrets. The built-in receiver takes them from here.

import { navigate } from '../../routing/location.ts';

/** Secrets of subscriptions that this page has created. They stay in its memory. */
const secrets = new Map<number, string>();

/** Subscriptions that this page was asked to receive. */
const requested = new Set<number>();

/** Opens the stream, and becomes a consumer of it. */
export function receiveHere(key: number, secret?: string): void {
  if (secret !== undefined) secrets.set(key, secret);
  requested.add(key);
  navigate(`/streams/${key}`);
}

export function knownSecret(key: number): string {
  return secrets.get(key) ?? '';
}

/** Whether the page shall receive at once. It is asked once. */
export function takeRequest(key: number): boolean {
  return requested.delete(key);
}
