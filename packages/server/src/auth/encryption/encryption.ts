// Protects secrets at rest: encrypts those that must be read again (AES-256-GCM), and hashes those that only have to be
// verified. The keys for both purposes are derived from one master key, and neither can be used for the other purpose.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

export interface Encryption {
  /** `purpose` is bound to the result: a value that was encrypted for one row cannot be decrypted in another. */
  encrypt(purpose: string, text: string): string;
  decrypt(purpose: string, encrypted: string): string;
  /**
   * Generated secrets have 256 random bits, so guessing is impossible without a slow hash. A slow hash would also take
   * 49 ms per token request, which attackers could exploit. Without the key, the hashes are useless.
   */
  hashSecret(owner: string, secret: string): Buffer;
  /** The same for the same key. Shows whether a database was set up with another key. */
  readonly proof: string;
}

export function openEncryption(masterKey: Buffer): Encryption {
  const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', masterKey, '', `flaghoist ${use}`, 32));
  const [cipherKey, secretKey] = [keyFor('encryption'), keyFor('client secrets')];
  return {
    encrypt: (purpose, text) => encrypt(cipherKey, purpose, text),
    decrypt: (purpose, encrypted) => decrypt(cipherKey, purpose, encrypted),
    // No id contains a NUL, so the hash of one client's secret is useless in the row of another client.
    hashSecret: (owner, secret) => createHmac('sha256', secretKey).update(`${owner}\0${secret}`).digest(),
    proof: createHmac('sha256', keyFor('proof')).update('flaghoist').digest('base64url'),
  };
}

const [nonceBytes, tagBytes] = [12, 16];

/** Base64url of nonce, tag and ciphertext. */
function encrypt(key: Buffer, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

function decrypt(key: Buffer, purpose: string, encrypted: string): string {
  const bytes = Buffer.from(encrypted, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
}
