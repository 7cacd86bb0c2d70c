// Describes how callers authenticate. With an external issuer, scopes are granted to the client and are not in the
// token. They are then described only in text.

import { scopeTable } from '../../model/scopes.ts';
import { tokenPath } from '../../paths.ts';
import { type DescriptionContext, metadataUrl } from './description-context.ts';

export function securitySchemes({ baseUrl, settings, audience }: DescriptionContext): Record<string, unknown> {
  const { issuerUrl } = settings;
  return {
    ...(issuerUrl === undefined ? ownIssuer(baseUrl) : externalIssuer(issuerUrl)),
    bearerAuth: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: `A token that you already have, for the audience \`${audience}\`.`,
    },
    // Of two schemes with `bearer`, a client of the java generator sets one, by chance.
    metricsToken: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: '`Bearer <FLAGHOIST_METRICS_TOKEN>`. Required only if that is set.',
    },
  };
}

function ownIssuer(baseUrl: string): Record<string, unknown> {
  const scopes = Object.entries(scopeTable).map(([name, { meaning }]) => [name, meaning]);
  return {
    oauth2: {
      type: 'oauth2',
      description: 'A token of the built-in issuer. The token request must also contain the `audience`.',
      flows: { clientCredentials: { tokenUrl: `${baseUrl}${tokenPath}`, scopes: Object.fromEntries(scopes) } },
    },
    clientBasic: {
      type: 'http',
      scheme: 'basic',
      description: 'Id and secret of a client, each form-encoded first (RFC 6749 §2.3.1).',
    },
  };
}

function externalIssuer(issuerUrl: string): Record<string, unknown> {
  return {
    openIdConnect: {
      type: 'openIdConnect',
      description: 'A token of the external issuer. The ApiClient with the same id defines what the client may do.',
      openIdConnectUrl: metadataUrl(issuerUrl),
    },
  };
}
