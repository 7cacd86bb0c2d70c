// The client of the demo, in an installation that this process can open. Each start of the demo creates the client or
// rotates its secret, so the secret is not stored anywhere. A client of another user with the same name is not changed.

import { printable } from '@flaghoist/source-text';
import { rotateSecret } from '../auth/clients/rotate-secret.ts';
import { OperatorError } from '../errors.ts';
import { createObject, lookForObject, type ShownClient, type ShownUser } from './installation-objects.ts';
import type { Installation } from './with-installation.ts';

export const demoName = 'demo';

/** Returns the secret of the client. */
export async function refreshDemoClient(installation: Installation): Promise<string> {
  const user = await ensureUser(installation);
  const client = await lookForObject(installation, 'ApiClient', demoName);
  if (!client) return await createClient(installation);
  checkClient(client, user);
  const { database, encryption, caller } = installation;
  const rotated = await database.transaction(caller, (transaction) =>
    rotateSecret(transaction, { key: client.key, graceSeconds: 0 }, encryption),
  );
  return rotated?.clientSecret ?? (await createClient(installation));
}

async function ensureUser(installation: Installation): Promise<ShownUser> {
  const user = await lookForObject(installation, 'ApiUser', demoName);
  return user ?? (await createObject(installation, 'ApiUser', { userCode: demoName, name: 'Demo fleet' }));
}

async function createClient(installation: Installation): Promise<string> {
  const attributes = { clientId: demoName, user: demoName, scopes: ['write'] };
  return (await createObject(installation, 'ApiClient', attributes)).clientSecret!;
}

function checkClient(client: ShownClient, user: ShownUser): void {
  if (client.user.userCode !== demoName)
    throw new OperatorError(
      `The client "${demoName}" acts as ${printable(client.user.userCode)} and is not the demo's. Give the demo ` +
        'another one with --client-id.',
    );
  if (!client.scopes.includes('write') && !client.scopes.includes('admin'))
    throw new OperatorError(`The client "${demoName}" lacks the scope write, which the demo needs.`);
  for (const [kind, { active }] of [
    ['client', client],
    ['user', user],
  ] as const)
    if (!active)
      throw new OperatorError(
        `The ${kind} "${demoName}" is disabled: "flaghoist ${kind} enable ${demoName}" enables it again.`,
      );
}
