// Signatures of Standard Webhooks, computed in the browser by WebCrypto. The secret is not sent anywhere.

export interface Signed {
  id: string;
  timestamp: number;
  body: string;
}

const prefix = 'whsec_';

/** As in the header `webhook-signature`, for example `v1,K5oZ…`. */
export async function signatureOf(secret: string, { id, timestamp, body }: Signed): Promise<string> {
  const key = await importSecret(secret);
  const message = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, message));
  return `v1,${btoa(String.fromCharCode(...signature))}`;
}

async function importSecret(secret: string): Promise<CryptoKey> {
  if (!crypto.subtle) throw new Error('The browser computes signatures only on pages with https, or on this machine.');
  const text = secret.trim();
  if (!text.startsWith(prefix)) throw new Error(`A signing secret begins with ${prefix}.`);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', decodeBase64(text.slice(prefix.length)), algorithm, false, ['sign']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw new Error(`What follows ${prefix} must be Base64.`);
  }
}

/** What a person pasted, one signature or the whole header with several, and with or without its name. */
export function readSignatures(text: string): string[] {
  return text.match(/v1,[A-Za-z0-9+/=]+/g) ?? [];
}
