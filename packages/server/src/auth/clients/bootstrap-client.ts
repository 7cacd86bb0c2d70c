// Creates the first client of an empty installation: an administrator, who can create all other clients.

import { randomBytes } from 'node:crypto';
import { audienceOf } from '../../config/audience-of.ts';
import type { Settings } from '../../config/settings-table.ts';
import type { Database } from '../../database/database.ts';
import type { Observe } from '../../observe/observation.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { hashOf, makeSecret } from './client-secret.ts';
import { countClients, insertBootstrapClient, insertBootstrapUser, lockBootstrap } from './client-table.ts';

export interface BootstrapClient {
  clientId: string;
  /** Undefined: the secret was configured, or the external issuer manages it. */
  generatedSecret: string | undefined;
}

export interface BootstrapParts {
  settings: Settings;
  database: Database;
  encryption: Encryption;
  observe: Observe;
}

/**
 * Call this last: the secret is shown once, and would be lost if a later step of the start failed. Returns undefined if
 * clients exist already, or if the external issuer would not know a generated client id.
 */
export async function makeFirstClient(parts: BootstrapParts): Promise<BootstrapClient | undefined> {
  const { settings, database, encryption, observe } = parts;
  const { bootstrapClientId, bootstrapClientSecret, issuerUrl } = settings;
  const isOwnIssuer = issuerUrl === undefined;
  const generatedSecret = bootstrapClientSecret === undefined && isOwnIssuer ? makeSecret() : undefined;
  const secret = bootstrapClientSecret ?? generatedSecret;
  const clientId = bootstrapClientId ?? `admin-${randomBytes(6).toString('hex')}`;
  const secretHash = secret === undefined ? null : hashOf({ clientId, secret }, encryption);
  const insertClient = insertBootstrapClient({ clientId, secretHash, audience: audienceOf(settings) });
  // With an external issuer, only the user is created, for the first client that the operator will add.
  const isClientKnown = isOwnIssuer || bootstrapClientId !== undefined;
  const isCreated = await database.transaction({ userKey: undefined, client: 'bootstrap' }, async (transaction) => {
    const [, counted] = await transaction.run(lockBootstrap(), countClients());
    if (counted?.[0]?.count !== 0) return false;
    await transaction.commitWith(insertBootstrapUser(), ...(isClientKnown ? [insertClient] : []));
    return isClientKnown;
  });
  if (!isCreated) return undefined;
  observe({ kind: 'client.bootstrapped', clientId });
  return { clientId, generatedSecret };
}
