// Checks a client certificate and its private key when a subscription is saved. No message repeats the key.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isUsableForTls } from '../../channels/guard/open-tls.ts';

/** Returns what is wrong with the certificate, which may be followed by others (PEM). */
export function checkCertificate(pem: string, now: Date): string | undefined {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const parsed = certificates.map(parseCertificate);
  const [first] = parsed;
  if (!first || parsed.includes(undefined))
    return 'must be a certificate as PEM: text that begins with -----BEGIN CERTIFICATE-----.';
  const validTo = new Date(first.validTo);
  return validTo < now ? `expired on ${validTo.toISOString().slice(0, 10)}.` : undefined;
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** Returns what is wrong with the key. Undefined: it was not sent, or it belongs to the certificate. */
export function checkKeyPair(certificate: string, privateKey: string | undefined): string | undefined {
  const parsed = parseCertificate(certificate);
  if (privateKey === undefined || !parsed) return undefined;
  if (/ENCRYPTED/.test(privateKey)) return 'must be a key without a passphrase.';
  try {
    if (!parsed.checkPrivateKey(createPrivateKey(privateKey))) return 'does not belong to the certificate.';
  } catch {
    return 'must be a private key as PEM: text that begins with -----BEGIN PRIVATE KEY-----.';
  }
  return isUsableForTls(certificate, privateKey) ? undefined : weak;
}

const weak = 'cannot be used for TLS with this certificate. Use RSA with at least 2048 bits, or P-256.';
