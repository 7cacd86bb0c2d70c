// The settings of the sign-in to the console, a part of the settings table.

import { parseInteger, parseName, parseScopes } from './parse-setting.ts';
import { optional, row, secret } from './setting-row.ts';

export const consoleSettings = {
  consoleSessionSeconds: row(
    'FLAGHOIST_CONSOLE_SESSION_SECONDS',
    '43200',
    parseInteger(60, 2_592_000),
    'How long a session of the console lasts after its last renewal. An open page renews its session every few ' +
      'minutes.',
  ),
  consoleClientId: optional(
    'FLAGHOIST_CONSOLE_CLIENT_ID',
    parseName,
    'With `FLAGHOIST_ISSUER_URL`: the id that the console has at the issuer. Without it, nobody can sign in to the ' +
      'console there.',
  ),
  consoleClientSecret: secret(
    'FLAGHOIST_CONSOLE_CLIENT_SECRET',
    parseName,
    'The secret that the console has at the issuer. Default: none, as for a public client with PKCE.',
  ),
  consoleScope: optional(
    'FLAGHOIST_CONSOLE_SCOPE',
    parseScopes,
    'The scopes that the console requests from the issuer, separated by spaces. Entra needs one of the API here. ' +
      'Default: `openid offline_access`, and the audience as `resource` (RFC 8707).',
  ),
};
