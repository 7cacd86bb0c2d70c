// Creates the first client of an empty installation: an administrator, who can create all other clients.

import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { hashOf, makeSecret } from './client-secret.ts';
import { countClients, insertBootstrapClient, insertBootstrapUser, lockBootstrap } from './client-table.ts';

export interface BootstrapSettings {
  clientId: string | undefined;
  clientSecret: string | undefined;
  audience: string;
  /** If true, the external issuer knows the client and manages its secret. */
  hasExternalIssuer: boolean;
}

export interface BootstrapClient {
  clientId: string;
  /** Undefined: the secret was configured, or the external issuer manages it. */
  generatedSecret: string | undefined;
}

/** Undefined: clients exist already, or the external issuer would not know a generated client id. */
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
      // The user is created for the first client that the operator will add.
      await transaction.commitWith(insertBootstrapUser());
      return undefined;
    }
    await transaction.commitWith(insertBootstrapUser(), insertBootstrapClient(client));
    return { clientId: client.clientId, generatedSecret };
  });
}
