// The built-in issuer in the API description: the token endpoint, its keys and its metadata. Omitted if tokens come
// from an external issuer.

import { type TokenErrorCode, tokenErrorTable } from '../../../auth/token-endpoint/token-error.ts';
import { tokenPath } from '../../../paths.ts';
import type { DescriptionContext } from '../description-context.ts';
import { tokenErrorExamples, tokenRequestExample } from '../examples/message-examples.ts';
import { jsonContent, schemaRef } from '../json-schema.ts';
import { type HeaderName, headerRefs } from '../parameters.ts';
import { type ErrorExample, errorRefs, errorResponse } from './error-responses.ts';

export const tokensTag = {
  name: 'Access tokens',
  description: 'How a client gets the token that every request under `/ws/rest` needs.',
};

export function tokenPaths(context: DescriptionContext): Record<string, unknown> {
  if (context.settings.issuerUrl !== undefined) return {};
  const { keys, metadata } = context.names.shared;
  return {
    [tokenPath]: { post: tokenOperation(context) },
    '/.well-known/jwks.json': documentPath('getIssuerKeys', 'The public keys of the issuer', {
      description: 'The keys that sign tokens, including previous keys while their tokens are valid (RFC 7517).',
      content: { 'application/jwk-set+json': { schema: schemaRef(keys) } },
    }),
    '/.well-known/oauth-authorization-server': documentPath('getIssuerMetadata', 'Metadata of the issuer', {
      description: 'The URLs of tokens and keys (RFC 8414).',
      content: jsonContent(schemaRef(metadata)),
    }),
  };
}

function tokenOperation(context: DescriptionContext): unknown {
  const { tokenRequest, token, tokenError } = context.names.shared;
  const content = { schema: schemaRef(tokenRequest), example: tokenRequestExample(context) };
  return {
    tags: [tokensTag.name],
    operationId: 'requestToken',
    summary: 'Get a token',
    description:
      `The grant \`client_credentials\` of RFC 6749, as JSON or as a form. The client authenticates in the body ` +
      `or with HTTP Basic, not both. A token is valid for ${context.settings.tokenLifetimeSeconds} seconds: use the ` +
      'same token for all requests.',
    security: [{}, { clientBasic: [] }],
    requestBody: {
      required: true,
      content: { 'application/json': content, 'application/x-www-form-urlencoded': content },
    },
    responses: {
      200: {
        description: 'The token.',
        headers: headerRefs('Cache-Control'),
        content: jsonContent(schemaRef(token)),
      },
      ...tokenErrors(tokenError),
      ...errorRefs(408, 431),
    },
  };
}

/** 413 and 415 have the same body as the token errors: RFC 6749 has no error codes for them. */
function tokenErrors(schema: string): Record<string, unknown> {
  const codes = Object.keys(tokenErrorTable) as TokenErrorCode[];
  const statuses = new Set(codes.map((code) => tokenErrorTable[code].status));
  const responses = [...statuses].map((status) => {
    const examples = codes
      .filter((code) => tokenErrorTable[code].status === status)
      .map((code): ErrorExample => {
        return [code, tokenErrorTable[code].meaning, { error: code, error_description: tokenErrorExamples[code] }];
      });
    return [status, errorResponse(schema, examples, headersOf[status])];
  });
  return {
    ...Object.fromEntries(responses),
    413: { ...errorResponse(schema, []), description: 'The body is larger than 64 kB.' },
    415: {
      ...errorResponse(schema, []),
      description: 'The body is neither JSON nor a form, or it is compressed.',
    },
  };
}

const headersOf: Record<number, HeaderName[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function documentPath(
  operationId: string,
  summary: string,
  response: { description: string; content: object },
): unknown {
  const { description } = response;
  const responses = {
    200: { ...response, headers: headerRefs('Cache-Control') },
    ...errorRefs(400, 408, 429, 431, 500, 503),
  };
  return { get: { tags: [tokensTag.name], operationId, summary, description, security: [], responses } };
}
