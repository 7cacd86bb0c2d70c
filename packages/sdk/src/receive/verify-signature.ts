// Verifies deliveries according to Standard Webhooks 1.0.0: HMAC-SHA256 over the exact bytes, with any of the secrets.

import type { MessageHeaders } from './message-headers.ts';

/** Resolves to what is wrong, or to undefined if the delivery is authentic and recent. */
export type Verify = (headers: MessageHeaders, body: Uint8Array) => Promise<string | undefined>;

export function createVerify(secret: string | readonly string[], toleranceSeconds = 300): Verify {
  const secrets = [secret].flat().map(parseSecret);
  if (secrets.length === 0) throw new TypeError('`secret` is empty. Pass at least one signing secret.');
  if (!(toleranceSeconds > 0)) throw new TypeError('`toleranceSeconds` must be a positive number.');
  let keys: Promise<Key[]> | undefined;
  return async (headers, body) => {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      if (!headers[name]) return `The header ${name} is missing.`;
    if (!/^\d{1,12}$/.test(timestamp!)) return 'The header webhook-timestamp is not a number of seconds.';
    const ageSeconds = Math.floor(Date.now() / 1000) - Number(timestamp);
    if (Math.abs(ageSeconds) > toleranceSeconds)
      return `The message is ${Math.abs(ageSeconds)} s ${ageSeconds > 0 ? 'old' : 'ahead of the clock here'}. ${checkClock}`;
    const signed = joinBytes(new TextEncoder().encode(`${id}.${timestamp}.`), body);
    keys ??= Promise.all(secrets.map(importKey));
    const expected = await Promise.all((await keys).map((key) => sign(key, signed)));
    // All are compared, whatever the first ones say.
    const matches = signatures!.split(' ').map((given) => expected.filter((one) => isSame(given, one)).length);
    return matches.some((count) => count > 0) ? undefined : 'The signature does not match the secret.';
  };
}

const checkClock = 'Is the clock of the receiver right?';

/** Not every runtime has `CryptoKey` as a global type. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The message never shows the secret. */
function parseSecret(secret: string): Uint8Array<ArrayBuffer> {
  if (typeof secret !== 'string' || secret === '')
    throw new TypeError('`secret` is missing. Pass the `signingSecret` of the subscription.');
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim()) ?? [];
  if (base64 === undefined || base64.length % 4 !== 0)
    throw new TypeError('`secret` is malformed. A signing secret is `whsec_` followed by Base64 with padding.');
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  if (bytes.length < 24 || bytes.length > 64)
    throw new TypeError(`\`secret\` has ${bytes.length} bytes. A signing secret has 24 to 64. Is it complete?`);
  return bytes;
}

function importKey(secret: Uint8Array<ArrayBuffer>): Promise<Key> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

async function sign(key: Key, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  return `v1,${btoa(String.fromCharCode(...signature))}`;
}

/** In a time that does not depend on where the first difference is. */
function isSame(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at += 1) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}

function joinBytes(head: Uint8Array, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(head.length + rest.length);
  joined.set(head);
  joined.set(rest, head.length);
  return joined;
}
