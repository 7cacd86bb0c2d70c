// Gives a client a new secret. The previous one stays valid for a grace period, so that its owner has time to switch.

import type { Transaction } from '../../database/database.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { hashOf, makeSecret } from './client-secret.ts';
import { lockClient, replaceSecret } from './client-table.ts';

export interface RotatedSecret {
  clientId: string;
  clientSecret: string;
  previousSecretExpiresDate: string;
}

/** Undefined: no client has this key. */
export async function rotateSecret(
  transaction: Transaction,
  client: { key: number; graceSeconds: number },
  encryption: Encryption,
): Promise<RotatedSecret | undefined> {
  const [found] = await transaction.run(lockClient(client.key));
  const clientId = found?.[0]?.client_id as string | undefined;
  if (clientId === undefined) return undefined;
  const clientSecret = makeSecret();
  const secretHash = hashOf({ clientId, secret: clientSecret }, encryption);
  const [rows] = await transaction.run(replaceSecret(client.key, secretHash, client.graceSeconds));
  return { clientId, clientSecret, previousSecretExpiresDate: rows![0]!.expires as string };
}
