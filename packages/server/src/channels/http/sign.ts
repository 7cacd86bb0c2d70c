// Signatures of Standard Webhooks 1.0.0 (`v1`, HMAC-SHA256), computed over exactly the bytes that are sent.

import { createHmac, randomBytes } from 'node:crypto';

/** One signature per secret. While a secret is being rotated, the old one signs too. */
export function signatureHeader(
  secrets: readonly Buffer[],
  id: string,
  timestampSeconds: number,
  body: string | Buffer,
): string {
  const head = `${id}.${timestampSeconds}.`;
  const sign = (secret: Buffer) => createHmac('sha256', secret).update(head).update(body).digest('base64');
  return secrets.map((secret) => `v1,${sign(secret)}`).join(' ');
}

/** In the form that subscribers get: `whsec_` and Base64. */
export function createSecret(): string {
  return `${secretPrefix}${randomBytes(32).toString('base64')}`;
}

export function decodeSecret(secret: string): Buffer {
  if (!secret.startsWith(secretPrefix)) throw new Error(`A signing secret must begin with ${secretPrefix}.`);
  return Buffer.from(secret.slice(secretPrefix.length), 'base64');
}

const secretPrefix = 'whsec_';
