// The built-in issuer in the API description: the token endpoint, its keys and its metadata. Omitted if tokens come
// from an external issuer.

import { type TokenErrorCode, tokenErrorTable } from '../../auth/token-endpoint/token-error.ts';
import { scopes } from '../../model/scopes.ts';
import { tokenPath } from '../../paths.ts';
import type { SharedNames } from './component-names.ts';
import type { DescriptionContext } from './description-context.ts';
import { errorRefs } from './error-responses.ts';
import { jsonContent, objectSchema, type Schema, schemaRef } from './json-schema.ts';
import { headerRefs } from './parameters.ts';

export const tokensTag = {
  name: 'Access tokens',
  description: 'How a client gets the token that every request under `/ws/rest` carries.',
};

export function tokenPaths(context: DescriptionContext, names: SharedNames): Record<string, unknown> {
  if (context.tokens.issuerUrl !== undefined) return {};
  return {
    [tokenPath]: { post: tokenOperation(context, names) },
    '/.well-known/jwks.json': documentPath({
      operationId: 'readIssuerKeys',
      summary: 'The public keys of the issuer',
      description:
        'The keys that tokens are signed with, the previous ones too while their tokens are good (RFC 7517).',
      content: { 'application/jwk-set+json': { schema: schemaRef(names.keys) } },
    }),
    '/.well-known/oauth-authorization-server': documentPath({
      operationId: 'readIssuerMetadata',
      summary: 'What the issuer has',
      description: 'RFC 8414: where tokens and keys are found.',
      content: jsonContent(schemaRef(names.metadata)),
    }),
  };
}

export function tokenSchemas(context: DescriptionContext, names: SharedNames): Record<string, Schema> {
  const { audience, issuerUrl } = context.tokens;
  if (issuerUrl !== undefined) return {};
  const request = objectSchema(
    'What a token is asked for with. Other parameters are ignored.',
    {
      client_id: { type: 'string', minLength: 1, description: 'Id of the client; left out with HTTP Basic.' },
      client_secret: { type: 'string', minLength: 1, description: 'Its secret; left out with HTTP Basic.' },
      audience: {
        type: 'string',
        minLength: 1,
        description: `That of this installation is \`${audience}\`, to the last character.`,
        examples: [audience],
      },
      grant_type: { type: 'string', enum: ['client_credentials'], description: 'The only one there is.' },
      scope: {
        type: 'string',
        description: 'Some of the scopes that the client has, with spaces between; without it, all of them.',
        examples: ['read write'],
      },
    },
    ['audience', 'grant_type'],
  );
  const token = objectSchema('A token (RFC 6749 §5.1).', {
    access_token: { type: 'string', description: 'To be sent as `Authorization: Bearer <access_token>`.' },
    token_type: { type: 'string', enum: ['Bearer'], description: 'How it is sent.' },
    expires_in: { type: 'integer', minimum: 1, description: 'For how many seconds it is good.' },
    scope: { type: 'string', description: `Those it has, with spaces between: ${scopes.join(', ')}.` },
  });
  return {
    [names.tokenRequest]: { ...request, examples: [tokenRequestExample(context)] },
    [names.token]: { ...token, examples: [tokenExample(context)] },
    [names.tokenError]: objectSchema('Why there is no token (RFC 6749 §5.2).', {
      error: { type: 'string', enum: Object.keys(tokenErrorTable), description: 'For programs.' },
      error_description: { type: 'string', description: 'For people.' },
    }),
    [names.keys]: objectSchema('A set of public keys (RFC 7517 §5).', {
      keys: {
        type: 'array',
        description: 'One for each key whose tokens are taken.',
        items: { type: 'object', required: ['kty', 'kid'] },
      },
    }),
    [names.metadata]: metadataSchema(context),
  };
}

function metadataSchema({ baseUrl }: DescriptionContext): Schema {
  const url: Schema = { type: 'string', format: 'uri' };
  const texts: Schema = { type: 'array', items: { type: 'string' } };
  const required: Record<string, Schema> = {
    issuer: { ...url, description: 'Its name, as tokens have it.', examples: [baseUrl] },
    token_endpoint: { ...url, description: 'Where tokens are asked for.' },
    jwks_uri: { ...url, description: 'Where its keys are.' },
  };
  const optional: Record<string, Schema> = {
    grant_types_supported: { ...texts, description: 'The grants it has.' },
    response_types_supported: { ...texts, description: 'None: it has no page to log in at.' },
    token_endpoint_auth_methods_supported: { ...texts, description: 'How clients may name themselves.' },
    scopes_supported: { ...texts, description: 'The scopes there are.' },
    service_documentation: { ...url, description: 'A page for people.' },
  };
  const description = 'What an OAuth client has to know of the issuer (RFC 8414 §2).';
  return objectSchema(description, { ...required, ...optional }, Object.keys(required));
}

export function tokenRequestExample({ tokens }: DescriptionContext): Record<string, string> {
  return {
    client_id: 'YOUR-CLIENT-ID',
    client_secret: 'YOUR-CLIENT-SECRET',
    audience: tokens.audience,
    grant_type: 'client_credentials',
  };
}

export function tokenExample({ tokens }: DescriptionContext): Record<string, string | number> {
  return {
    access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzY29wZSI6InJlYWQifQ.c2lnbmF0dXJl',
    token_type: 'Bearer',
    expires_in: tokens.lifetimeSeconds,
    scope: 'read write',
  };
}

function tokenOperation(context: DescriptionContext, names: SharedNames): unknown {
  const content = { schema: schemaRef(names.tokenRequest), example: tokenRequestExample(context) };
  return {
    tags: [tokensTag.name],
    operationId: 'requestToken',
    summary: 'Get a token',
    description:
      `The grant \`client_credentials\` of RFC 6749, as JSON or as a form. The client is named in the body or by ` +
      `HTTP Basic, never in both. A token is good for ${context.tokens.lifetimeSeconds} seconds: keep it, and use ` +
      'it for all requests.',
    security: [{}, { clientBasic: [] }],
    requestBody: {
      required: true,
      content: { 'application/json': content, 'application/x-www-form-urlencoded': content },
    },
    responses: {
      200: {
        description: 'The token.',
        headers: headerRefs('Cache-Control'),
        content: jsonContent(schemaRef(names.token)),
      },
      ...tokenErrors(names),
      ...errorRefs(408, 431),
    },
  };
}

/** 413 and 415 have the same body as the token errors: RFC 6749 has no error codes for them. */
function tokenErrors(names: SharedNames): Record<string, unknown> {
  const statuses = new Set([...Object.values(tokenErrorTable).map(({ status }) => status), 413, 415]);
  return Object.fromEntries([...statuses].map((status) => [String(status), tokenErrorResponse(names, status)]));
}

function tokenErrorResponse(names: SharedNames, status: number): unknown {
  const rows = Object.entries(tokenErrorTable).filter(([, row]) => row.status === status);
  const [meanings, headerNames] = [rows.map(([, { meaning }]) => meaning), headersOf[status] ?? []];
  const examples = rows.map(([error, { meaning }]) => [
    error,
    { summary: meaning, value: { error, error_description: descriptions[error as TokenErrorCode] } },
  ]);
  return {
    description: meanings.join('\n\n') || otherMeanings[status],
    ...(headerNames.length > 0 ? { headers: headerRefs(...headerNames) } : {}),
    content: { 'application/json': { schema: schemaRef(names.tokenError), examples: Object.fromEntries(examples) } },
  };
}

const otherMeanings: Record<number, string> = {
  413: 'The body is larger than 64 kB.',
  415: 'The body is neither JSON nor a form, or it is compressed.',
};

const headersOf: Record<number, Parameters<typeof headerRefs>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The most common message of each error. */
const descriptions: Record<TokenErrorCode, string> = {
  invalid_request: 'audience is missing.',
  unsupported_grant_type: 'The only grant_type is client_credentials.',
  invalid_scope: 'A requested scope has not been granted to the client.',
  invalid_client: 'The client is unknown, or its secret is wrong.',
  access_denied: 'The client has not been granted this audience, or there is no such audience here.',
  too_many_requests: 'Too many token requests. A token can be used until it expires.',
  server_error: 'Internal error. Its id in the log is Zk3v9QmX-2f.',
  temporarily_unavailable: 'The database cannot be reached. Try again in a moment.',
};

interface IssuerDocument {
  operationId: string;
  summary: string;
  description: string;
  content: Record<string, { schema: Schema }>;
}

function documentPath({ operationId, summary, description, content }: IssuerDocument): unknown {
  const answer = { description, headers: headerRefs('Cache-Control'), content };
  const responses = { 200: answer, ...errorRefs(400, 408, 429, 431, 500, 503) };
  return { get: { tags: [tokensTag.name], operationId, summary, responses } };
}
