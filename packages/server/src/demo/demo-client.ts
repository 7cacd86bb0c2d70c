// The client that the demo calls the service with. Each start creates it or rotates its secret, so that the secret is
// stored nowhere.

import { printable } from '@flaghoist/source-text';
import {
  type AccessObjects,
  createObject,
  lookForObject,
  type ShownClient,
  type ShownUser,
} from '../auth/clients/access-objects.ts';
import { rotateSecret } from '../auth/clients/client-secret.ts';
import type { Encryption } from '../auth/encryption/encryption.ts';
import type { Database } from '../database/database.ts';
import { OperatorError } from '../errors.ts';

/** The code of the user that the demo acts as. */
export const demoUser = 'demo';

export interface DemoAccess extends AccessObjects {
  database: Database;
  encryption: Encryption;
}

/** Returns the secret. A client of another user with the same name is not changed. */
export async function refreshDemoClient(access: DemoAccess, clientId: string): Promise<string> {
  const user = await ensureUser(access);
  const client = await lookForObject(access, 'ApiClient', clientId);
  if (!client) return await createClient(access, clientId);
  checkClient(client, user);
  const { database, encryption, caller } = access;
  const rotated = await database.transaction(caller, (transaction) =>
    rotateSecret(transaction, { key: client.key, graceSeconds: 0 }, encryption),
  );
  return rotated?.clientSecret ?? (await createClient(access, clientId));
}

async function ensureUser(access: AccessObjects): Promise<ShownUser> {
  const user = await lookForObject(access, 'ApiUser', demoUser);
  return user ?? (await createObject(access, 'ApiUser', { userCode: demoUser, name: 'Demo fleet' }));
}

async function createClient(access: AccessObjects, clientId: string): Promise<string> {
  const attributes = { clientId, user: demoUser, scopes: ['write'] };
  return (await createObject(access, 'ApiClient', attributes)).clientSecret!;
}

function checkClient({ clientId, active, scopes, user: { userCode } }: ShownClient, user: ShownUser): void {
  const name = printable(clientId);
  if (userCode !== demoUser)
    throw new OperatorError(
      `The client "${name}" acts as ${printable(userCode)} and is not the demo's. Delete it, or give ` +
        '"flaghoist demo" another one with --client-id.',
    );
  if (!scopes.includes('write') && !scopes.includes('admin'))
    throw new OperatorError(`The client "${name}" lacks the scope write, which the demo needs.`);
  if (!active)
    throw new OperatorError(`The client "${name}" is disabled: "flaghoist client enable ${name}" enables it again.`);
  if (!user.active)
    throw new OperatorError(
      `The user "${demoUser}" is disabled: "flaghoist user enable ${demoUser}" enables it again.`,
    );
}
