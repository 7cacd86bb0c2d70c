// Renders the first steps for a new user: a link to the console and the first client, if it was just created, and how to
// get and use a token. No other place shows the link and the generated secret: they are in no observation and in no log.

import type { BootstrapClient } from '../auth/clients/bootstrap-client.ts';
import { type ConsoleLink, linkMinutes } from '../auth/console-session/console-link.ts';
import { audienceOf } from '../config/audience-of.ts';
import type { Settings } from '../config/settings-table.ts';
import { tokenPath } from '../paths.ts';
import type { Service } from '../service.ts';

export function renderFirstSteps({ bootstrapClient, consoleLink, localUrl }: Service, settings: Settings): string {
  if (settings.issuerUrl !== undefined) return externalIssuer(bootstrapClient, settings.issuerUrl);
  if (!bootstrapClient) return moreClients;
  return `${renderLink(consoleLink)}${renderClient(bootstrapClient)}
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
const moreClients = `  To open the console, signed in as the administrator, in another terminal with the same settings:

npx flaghoist console-link

  Calls need a token. To list or create clients, in another terminal with the same settings:

npx flaghoist client list
npx flaghoist client create --user admin --scope write

`;

function renderLink(link: ConsoleLink | undefined): string {
  if (!link) return '';
  return `  The console, signed in as the administrator. The link works once, within ${linkMinutes} minutes:

${link.url}

`;
}

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

npx flaghoist client create --client-id <its id there> --user admin --scope write

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
