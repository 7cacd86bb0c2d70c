// What `flaghoist client …` does. A secret is printed only once, when it is created.

import { type OutputOptions, printResult, renderTable } from '@flaghoist/cli';
import { printable } from '@flaghoist/source-text';
import {
  changeObject,
  createObject,
  findObject,
  listObjects,
  type ShownClient,
} from '../auth/clients/access-objects.ts';
import { rotateSecret } from '../auth/clients/client-secret.ts';
import { OperatorError } from '../errors.ts';
import { withInstallation } from './with-installation.ts';

interface ClientOptions extends OutputOptions {
  user: string;
  scope: string[];
  clientId?: string;
  audience?: string[];
}

export async function createClient(options: ClientOptions): Promise<void> {
  const { user, scope, clientId, audience } = options;
  await withInstallation(
    async (installation) => {
      const { issuerUrl } = installation.settings;
      if (issuerUrl !== undefined && clientId === undefined)
        throw new OperatorError(
          `Tokens come from ${issuerUrl} (FLAGHOIST_ISSUER_URL). Pass the id that the client has there with ` +
            '--client-id.',
        );
      await findObject(installation, 'ApiUser', user);
      const attributes = { user, scopes: scope, clientId, audiences: audience };
      const { clientSecret, ...client } = await createObject(installation, 'ApiClient', attributes);
      // With an external issuer, a secret from this service would be useless to the client.
      if (issuerUrl === undefined)
        printResult(options, { ...client, clientSecret }, renderSecret(client, clientSecret!));
      else printResult(options, client, renderIssuer(client, issuerUrl));
    },
    { needsKey: true },
  );
}

function renderSecret(client: ShownClient, secret: string): string {
  return `${renderCreated(client)}

  Client id  ${client.clientId}
  Secret     ${secret}

The secret is not shown again: only its hash is kept. "flaghoist client rotate" replaces one that is lost.
`;
}

function renderIssuer(client: ShownClient, issuerUrl: string): string {
  return `${renderCreated(client)}
Its tokens and its secret come from ${issuerUrl}: register it there under the same id, for the audience \
${client.audiences.join(' or ')}.
`;
}

function renderCreated({ clientId, user, scopes: granted }: ShownClient): string {
  return `Client ${clientId} is created. It acts as ${printable(user.userCode)} and may ${granted.join(', ')}.`;
}

export async function listClients(options: OutputOptions): Promise<void> {
  const clients = await withInstallation((installation) => listObjects(installation, 'ApiClient'));
  printResult(options, clients, clients.length === 0 ? noClients : renderClients(clients));
}

const noClients = 'There are no clients yet. Create one with "flaghoist client create", or start the service.\n';

function renderClients(clients: ShownClient[]): string {
  return renderTable(
    ['clientId', 'user', 'scopes', 'audiences', 'active', 'secretDate'],
    clients.map(({ clientId, user, scopes: granted, audiences, active, secretDate }) => [
      clientId,
      user.userCode,
      granted,
      audiences,
      active,
      secretDate,
    ]),
  );
}

export async function rotateClient(clientId: string, options: OutputOptions & { grace: number }): Promise<void> {
  const rotated = await withInstallation(
    async (installation) => {
      const { issuerUrl } = installation.settings;
      if (issuerUrl !== undefined)
        throw new OperatorError(
          `Tokens and secrets come from ${issuerUrl} (FLAGHOIST_ISSUER_URL): change the secret there.`,
        );
      const { key } = await findObject(installation, 'ApiClient', clientId);
      const { database, encryption, caller } = installation;
      return database.transaction(caller, (transaction) =>
        rotateSecret(transaction, { key, graceSeconds: options.grace }, encryption),
      );
    },
    { needsKey: true },
  );
  if (!rotated) throw new OperatorError(`The client ${printable(clientId)} has been deleted in the meantime.`);
  const until =
    options.grace === 0 ? 'rejected from now on' : `also accepted until ${rotated.previousSecretExpiresDate} (UTC)`;
  printResult(
    options,
    rotated,
    `Client ${rotated.clientId} has a new secret. The previous secret is ${until}.

  Secret     ${rotated.clientSecret}

It is not shown again: only its hash is kept.
`,
  );
}

export async function switchClient(clientId: string, active: boolean, options: OutputOptions): Promise<void> {
  const client = await withInstallation(async (installation) => {
    const { key } = await findObject(installation, 'ApiClient', clientId);
    return changeObject(installation, 'ApiClient', key, { active });
  });
  const outcome = active ? 'enabled' : 'disabled: it gets no tokens, and its tokens are rejected';
  printResult(options, client, `Client ${client.clientId} is ${outcome}.\n`);
}
