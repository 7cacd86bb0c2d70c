// Parses the text of a `.creds` file: a JWT that names the user, and the seed of the key that proves it.

import { nkeys } from '@nats-io/transport-node';

export interface NatsCredentials {
  readonly jwt: string;
  readonly seed: Uint8Array;
}

/** Undefined if the text is not one, or the seed is not one of a user. */
export function parseCredentials(text: string): NatsCredentials | undefined {
  const [jwt, seed] = [...text.matchAll(block)].map(([, content]) => content!);
  if (jwt === undefined || seed === undefined || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(jwt)) return undefined;
  const bytes = new TextEncoder().encode(seed);
  return isUserSeed(bytes) ? { jwt, seed: bytes } : undefined;
}

/** `-----BEGIN NATS USER JWT-----`, the content, and `------END NATS USER JWT------`. */
const block = /-{3,}BEGIN [^\n-]+-{3,}\s+(\S+)\s+-{3,}END [^\n-]+-{3,}/g;

function isUserSeed(seed: Uint8Array): boolean {
  try {
    return nkeys.fromSeed(seed).getPublicKey().startsWith('U');
  } catch {
    return false;
  }
}
