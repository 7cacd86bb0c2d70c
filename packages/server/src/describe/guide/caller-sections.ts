// The sections of the guide for callers: how to get a token, what its scopes allow, and how to choose an API version.

import { newestVersion, oldestVersion, versionTable } from '../../model/api-versions.ts';
import { scopeTable } from '../../model/scopes.ts';
import { restPath } from '../../paths.ts';
import { type DescriptionContext, metadataUrl, pageLink } from '../openapi/description-context.ts';
import { tokenCommand, tokenExample } from '../openapi/examples/message-examples.ts';
import { type Block, json, request } from './guide-block.ts';

export function tokens(context: DescriptionContext): Block[] {
  const { issuerUrl, tokenLifetimeSeconds } = context.settings;
  if (issuerUrl !== undefined) return externalTokens(context, issuerUrl);
  return [
    `Every request under \`${restPath}\` needs a token: \`Authorization: Bearer <token>\`. Put the id and the secret of
your client into this command, and paste it into a terminal:`,
    { language: 'shell', code: tokenCommand(context) },
    'The token from this response is now in `$TOKEN`:',
    json(tokenExample(context)),
    `A token is valid for ${tokenLifetimeSeconds} seconds. ${tokenUse} The request may also be a form, and the client
may authenticate with HTTP Basic (RFC 6749 §4.4). The first client of an installation is created when the service
starts. An admin creates others at [ApiClient](#type-ApiClient).`,
  ];
}

const tokenUse = `**Use the same token for all requests.** When a response is a 401 with the message
\`Token expired.\`, get a new one.`;

function externalTokens({ audience }: DescriptionContext, issuerUrl: string): Block[] {
  return [
    `Every request under \`${restPath}\` needs a token: \`Authorization: Bearer <token>\`. Tokens come from the issuer
\`${issuerUrl}\`. The token endpoint is listed at \`${metadataUrl(issuerUrl)}\`. Request a token with the audience
\`${audience}\`, and put it here:`,
    { language: 'shell', code: "TOKEN='…'" },
    `${tokenUse} This service must have an [ApiClient](#type-ApiClient) with the id of the issuer's client. The
ApiClient defines what the client may do.`,
  ];
}

export function scopes(): Block[] {
  return [
    `Scopes define what a client may do. A request that lacks a scope is rejected with a 403 that names the scope. A
token has all scopes of its client, or those that the token request selected with \`scope\`.`,
    {
      head: ['Scope', 'Meaning'],
      rows: Object.entries(scopeTable).map(([scope, { meaning }]) => [`\`${scope}\``, meaning]),
    },
    'An administrator sees what another user sees with `flaghoist-view-as: <key of the ApiUser>`. Only GET and HEAD work.',
  ];
}

export function versions(context: DescriptionContext): Block[] {
  return [
    `The request header \`API-Version\` selects the API version. Without the header, the \`apiVersion\` of the user
applies. If the user has none, the newest version applies. Every version from ${oldestVersion} to ${newestVersion} is
valid. A version between two rows equals the row above it. Responses omit what a later version added, and a request that
sends it is rejected with 400. \`/openapi.json?version=${oldestVersion}\` describes that version.`,
    request(context, { path: '/Voyage', parameters: ['limit=5'], headers: { 'API-Version': context.apiVersion } }),
    {
      head: ['Version', 'Additions'],
      rows: versionTable.map(({ version, addition }) => [`[${version}](${pageLink(version)})`, addition]),
    },
    `All versions stay supported: nothing is removed or changes its meaning without \`Deprecation\` and \`Sunset\`
headers a year ahead.`,
  ];
}
