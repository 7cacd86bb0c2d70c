// The first client of an empty installation: an administrator, so that somebody can make the others.

import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { hashOf, makeSecret } from './client-secret.ts';
import { countClients, insertBootstrapClient, insertBootstrapUser, lockBootstrap } from './client-table.ts';

export interface BootstrapSettings {
  clientId: string | undefined;
  clientSecret: string | undefined;
  audience: string;
  /** Then the client is known there, and has its secret from there. */
  hasExternalIssuer: boolean;
}

export interface BootstrapClient {
  clientId: string;
  /** Undefined: it was given, or is the external issuer's. */
  generatedSecret: string | undefined;
}

/** Undefined: there are clients already, or the external issuer would not know one that we make up. */
export async function ensureBootstrapClient(
  { database, encryption }: { database: Database; encryption: Encryption },
  { clientId, clientSecret, audience, hasExternalIssuer }: BootstrapSettings,
): Promise<BootstrapClient | undefined> {
  const generatedSecret = clientSecret === undefined && !hasExternalIssuer ? makeSecret() : undefined;
  const secret = clientSecret ?? generatedSecret;
  const id = clientId ?? `admin-${randomBytes(6).toString('hex')}`;
  const client = {
    clientId: id,
    secretHash: secret === undefined ? null : hashOf({ clientId: id, secret }, encryption),
    audience,
  };
  return database.transaction({ userKey: undefined, client: 'bootstrap' }, async (transaction) => {
    const [, counted] = await transaction.run(lockBootstrap(), countClients());
    if (counted?.[0]?.count !== 0) return undefined;
    if (hasExternalIssuer && clientId === undefined) {
      // The user is there for the first client that the operator makes.
      await transaction.commitWith(insertBootstrapUser());
      return undefined;
    }
    await transaction.commitWith(insertBootstrapUser(), insertBootstrapClient(client));
    return { clientId: client.clientId, generatedSecret };
  });
}
