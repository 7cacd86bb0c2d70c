// Renders the first steps for a new user: the first client, if it was just created, and how to get and use a token. No
// other place shows the generated secret of the first client: it is in no observation and in no log.

import type { BootstrapClient } from '../auth/clients/bootstrap-client.ts';
import { audienceOf } from '../config/audience-of.ts';
import type { Settings } from '../config/settings-table.ts';
import { tokenPath } from '../paths.ts';
import type { Service } from '../service.ts';

export function renderFirstSteps({ bootstrapClient, localUrl }: Service, settings: Settings): string {
  if (settings.issuerUrl !== undefined) return externalIssuer(bootstrapClient, settings.issuerUrl);
  if (!bootstrapClient) return moreClients;
  return `${renderClient(bootstrapClient)}
  Get a token, and use it:

TOKEN=$(curl -s '${localUrl}${tokenPath}' -d grant_type=client_credentials \\
  ${sentAs('audience', audienceOf(settings))} \\
  ${sentAs('client_id', bootstrapClient.clientId)} \\
  ${sentSecret(bootstrapClient)} \\
  | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')
curl -s '${localUrl}/ws/rest/Port?filter=country(EQ)NL&sort=portName(AS)' -H "Authorization: Bearer $TOKEN"

`;
}

/** For an installation that already has clients. An operator who has lost all secrets regains access this way. */
const moreClients = `  Calls need a token. To list or create clients, in another terminal with the same settings:

npm run -s flaghoist -- client list
npm run -s flaghoist -- client create --user admin --scope write

`;

function renderClient({ clientId, generatedSecret }: BootstrapClient): string {
  if (generatedSecret === undefined)
    return `  The first client, an administrator, is created. Its secret is FLAGHOIST_BOOTSTRAP_CLIENT_SECRET.

  Client id  ${clientId}
`;
  return `  The first client, an administrator. THE SECRET IS SHOWN ONCE, HERE: keep it.

  Client id  ${clientId}
  Secret     ${generatedSecret}
`;
}

function externalIssuer(bootstrapClient: BootstrapClient | undefined, issuerUrl: string): string {
  const created = bootstrapClient ? `  Client ${bootstrapClient.clientId} is created, an administrator.\n` : '';
  return `${created}  Tokens come from ${issuerUrl}. To give one of its clients access,
  in another terminal with the same settings:

npm run -s flaghoist -- client create --client-id <its id there> --user admin --scope write

`;
}

function sentSecret({ generatedSecret }: BootstrapClient): string {
  return generatedSecret === undefined
    ? '--data-urlencode "client_secret=$FLAGHOIST_BOOTSTRAP_CLIENT_SECRET"'
    : sentAs('client_secret', generatedSecret);
}

/** Quoted for pasting into a POSIX shell. */
function sentAs(name: string, value: string): string {
  if (/^[\w.:/-]+$/.test(value)) return `-d ${name}=${value}`;
  return `--data-urlencode '${name}=${value.replaceAll("'", "'\\''")}'`;
}
