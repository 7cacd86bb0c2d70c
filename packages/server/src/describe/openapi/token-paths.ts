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
  description: 'How a client gets the token that every request under `/ws/rest` needs.',
};

export function tokenPaths(context: DescriptionContext, names: SharedNames): Record<string, unknown> {
  if (context.tokens.issuerUrl !== undefined) return {};
  return {
    [tokenPath]: { post: tokenOperation(context, names) },
    '/.well-known/jwks.json': documentPath({
      operationId: 'readIssuerKeys',
      summary: 'The public keys of the issuer',
      description: 'The keys that sign tokens, including previous keys while their tokens are valid (RFC 7517).',
      content: { 'application/jwk-set+json': { schema: schemaRef(names.keys) } },
    }),
    '/.well-known/oauth-authorization-server': documentPath({
      operationId: 'readIssuerMetadata',
      summary: 'Metadata of the issuer',
      description: 'The URLs of tokens and keys (RFC 8414).',
      content: jsonContent(schemaRef(names.metadata)),
    }),
  };
}

export function tokenSchemas(context: DescriptionContext, names: SharedNames): Record<string, Schema> {
  const { audience, issuerUrl } = context.tokens;
  if (issuerUrl !== undefined) return {};
  const request = objectSchema(
    'A token request. Other parameters are ignored.',
    {
      client_id: { type: 'string', minLength: 1, description: 'Id of the client; omitted with HTTP Basic.' },
      client_secret: { type: 'string', minLength: 1, description: 'Secret of the client; omitted with HTTP Basic.' },
      audience: {
        type: 'string',
        minLength: 1,
        description: `Must be exactly \`${audience}\` for this installation.`,
        examples: [audience],
      },
      grant_type: { type: 'string', enum: ['client_credentials'], description: 'The only supported grant.' },
      scope: {
        type: 'string',
        description: 'Scopes of the client, separated by spaces. Default: all of them.',
        examples: ['read write'],
      },
    },
    ['audience', 'grant_type'],
  );
  const token = objectSchema('A token (RFC 6749 §5.1).', {
    access_token: { type: 'string', description: 'Send it as `Authorization: Bearer <access_token>`.' },
    token_type: { type: 'string', enum: ['Bearer'], description: 'The type of the token.' },
    expires_in: { type: 'integer', minimum: 1, description: 'The number of seconds that the token is valid.' },
    scope: { type: 'string', description: `The scopes of the token, separated by spaces: ${scopes.join(', ')}.` },
  });
  return {
    [names.tokenRequest]: { ...request, examples: [tokenRequestExample(context)] },
    [names.token]: { ...token, examples: [tokenExample(context)] },
    [names.tokenError]: objectSchema('The error of a token request (RFC 6749 §5.2).', {
      error: { type: 'string', enum: Object.keys(tokenErrorTable), description: 'The error code, for programs.' },
      error_description: { type: 'string', description: 'An explanation, for people.' },
    }),
    [names.keys]: objectSchema('A set of public keys (RFC 7517 §5).', {
      keys: {
        type: 'array',
        description: 'One for each key whose tokens are accepted.',
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
    issuer: { ...url, description: 'The name of the issuer, as in its tokens.', examples: [baseUrl] },
    token_endpoint: { ...url, description: 'The URL for token requests.' },
    jwks_uri: { ...url, description: 'The URL of the public keys.' },
  };
  const optional: Record<string, Schema> = {
    grant_types_supported: { ...texts, description: 'The supported grants.' },
    response_types_supported: { ...texts, description: 'None: the issuer has no login page.' },
    token_endpoint_auth_methods_supported: { ...texts, description: 'How clients may authenticate.' },
    scopes_supported: { ...texts, description: 'The supported scopes.' },
    service_documentation: { ...url, description: 'The documentation, for people.' },
  };
  const description = 'What an OAuth client must know about the issuer (RFC 8414 §2).';
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
      `The grant \`client_credentials\` of RFC 6749, as JSON or as a form. The client authenticates in the body ` +
      `or with HTTP Basic, not both. A token is valid for ${context.tokens.lifetimeSeconds} seconds: use the same ` +
      'token for all requests.',
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
    description: meanings.join('\n\n') || meaningsBesideTable[status],
    ...(headerNames.length > 0 ? { headers: headerRefs(...headerNames) } : {}),
    content: { 'application/json': { schema: schemaRef(names.tokenError), examples: Object.fromEntries(examples) } },
  };
}

const meaningsBesideTable: Record<number, string> = {
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
  const response = { description, headers: headerRefs('Cache-Control'), content };
  const responses = { 200: response, ...errorRefs(400, 408, 429, 431, 500, 503) };
  return { get: { tags: [tokensTag.name], operationId, summary, responses } };
}
