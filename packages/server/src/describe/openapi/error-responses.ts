// Describes the error responses, one per status, with all that `errors.ts` says about each error and an example of
// each.

import { STATUS_CODES } from 'node:http';
import { ApiError, type ErrorCode, errorTable, type Violation } from '../../errors.ts';
import { restPath } from '../../paths.ts';
import { renderError } from '../../render-error.ts';
import type { SharedNames } from './component-names.ts';
import type { DescriptionContext } from './description-context.ts';
import { type Schema, schemaRef } from './json-schema.ts';
import { headerRefs } from './parameters.ts';

export type ErrorStatus = (typeof errorTable)[ErrorCode]['status'];

export function errorSchemas({ error, violation }: SharedNames): Record<string, Schema> {
  return {
    [error]: {
      type: 'object',
      description: 'Every error is answered with this.',
      required: ['statusCode', 'statusText', 'message', 'date', 'statusFamily', 'method', 'uri'],
      properties: {
        statusCode: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
        statusText: { type: 'string', description: 'Its name.' },
        message: { type: 'string', description: 'What is wrong, in words.' },
        date: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$', description: 'When, in UTC.' },
        statusFamily: { type: 'string', enum: ['CLIENT_ERROR', 'SERVER_ERROR'], description: 'Whose mistake it is.' },
        method: { type: 'string', description: 'The method of the request.' },
        uri: { type: 'string', description: 'The URL of the request.' },
        violations: {
          type: 'array',
          description: 'Every mistake in a body or field selection.',
          items: schemaRef(violation),
        },
      },
    },
    [violation]: {
      type: 'object',
      description: 'One mistake.',
      required: ['path', 'message'],
      properties: {
        path: { type: 'string', description: 'Where it is.', examples: ['bunkerOrderLines[0].unitPrice'] },
        message: { type: 'string', description: 'What is wrong there.', examples: ['is required.'] },
      },
    },
  };
}

export function errorResponses(context: DescriptionContext, shared: SharedNames): Record<string, unknown> {
  return Object.fromEntries(
    errorStatuses.map((status) => [responseName(status), errorResponse(context, shared, status)]),
  );
}

export const errorStatuses: readonly ErrorStatus[] = [
  ...new Set(Object.values(errorTable).map(({ status }) => status)),
].sort();

/** For example `400: {"$ref": "#/components/responses/BadRequest"}`. */
export function errorRefs(...statuses: ErrorStatus[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/${responseName(status)}` }]),
  );
}

function responseName(status: ErrorStatus): string {
  return (STATUS_CODES[status] ?? '').replaceAll(/[^A-Za-z]/g, '');
}

function errorResponse(context: DescriptionContext, { error }: SharedNames, status: ErrorStatus): unknown {
  const rows = Object.entries(errorTable).filter(([, row]) => row.status === status);
  const headerNames = headersOf[status] ?? [];
  return {
    description: rows.map(([, { meaning }]) => meaning).join('\n\n'),
    ...(headerNames.length > 0 ? { headers: headerRefs(...headerNames) } : {}),
    content: {
      'application/json': {
        schema: schemaRef(error),
        examples: Object.fromEntries(
          rows.map(([code, { meaning }]) => [
            code,
            { summary: meaning, value: errorExample(context, code as ErrorCode) },
          ]),
        ),
      },
    },
  };
}

const headersOf: Partial<Record<ErrorStatus, Parameters<typeof headerRefs>>> = {
  409: ['Retry-After'],
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  507: ['Retry-After'],
};

export function errorExample({ baseUrl }: DescriptionContext, code: ErrorCode): Record<string, unknown> {
  const { request, message, violations } = situations[code];
  const [method = '', target = ''] = request.split(' ');
  const error = new ApiError(code, message, violations ? { violations } : {});
  return JSON.parse(renderError(error, { method, target }, baseUrl, exampleClock).body);
}

const exampleClock = { now: () => new Date('2026-11-15T08:30:00Z') };

interface Situation {
  request: string;
  message: string;
  violations?: Violation[];
}

const list = `GET ${restPath}/Voyage`;
const one = `${restPath}/Voyage/1001`;
const subscription = `${restPath}/WebhookSubscription/1009`;

/** A typical request and message for each error. */
const situations: Record<ErrorCode, Situation> = {
  malformedRequest: { request: list, message: 'GET takes no body.' },
  malformedJson: {
    request: `PUT ${one}`,
    message: 'The body is not valid JSON. Line 1, column 14: a JSON value was expected, but here is "}".',
  },
  invalidBody: {
    request: `PUT ${one}`,
    message: 'comments: must be text, not a number. (and 1 more mistake, see violations)',
    violations: [
      { path: 'comments', message: 'must be text, not a number.' },
      { path: 'portCalls[0].port', message: 'there is no Port with unLoCode "NLRTX".' },
    ],
  },
  invalidFilter: {
    request: `${list}?filter=vessel.name(EQ)Northern%20Light`,
    message:
      'In filter "vessel.name(EQ)Northern Light" at position 8: Vessel has no attribute "name". Did you mean "vesselName"?',
  },
  invalidSort: {
    request: `${list}?sort=portCalls.eta(AS)`,
    message:
      'In sort "portCalls.eta(AS)" at position 1: "portCalls" is a collection of PortCall, and sorting over a collection is not possible.',
  },
  invalidFields: {
    request: `${list}?fields=%7B%22comment%22:%22*%22%7D`,
    message: 'The field selection has mistakes. "comment" is no attribute of Voyage. Did you mean "comments"?',
    violations: [{ path: 'comment', message: 'is no attribute of Voyage. Did you mean "comments"?' }],
  },
  invalidPage: {
    request: `${list}?limit=5000`,
    message: '"limit" must be an integer from 1 to 2000, but it is "5000".',
  },
  invalidQuery: { request: `${list}?limit=10&limit=20`, message: 'The query parameter "limit" is given twice.' },
  invalidKey: {
    request: `GET ${restPath}/Voyage/latest`,
    message: '"latest" is not a key; a positive integer was expected.',
  },
  invalidHeader: { request: list, message: 'The header "noCount" is YES or NO, but here it is "maybe".' },
  tooManyObjects: {
    request: list,
    message:
      'The list has more than 2000 objects. Narrow it with filter, or page through it with limit and pageNumber.',
  },
  answerTooLarge: {
    request: list,
    message: 'The answer would have more than 64 MB. Page through the list with limit, or select less with fields.',
  },
  unauthorized: { request: list, message: 'A token is required: Authorization: Bearer <token>.' },
  unknownResource: {
    request: `GET ${restPath}/Voyages`,
    message: 'Not found: /ws/rest/Voyages. See /docs for what this service offers.',
  },
  notFound: { request: `GET ${one}`, message: 'There is no Voyage with key 1001.' },
  methodNotAllowed: {
    request: `PATCH ${one}`,
    message: 'PATCH is not supported by this resource; it supports GET, HEAD, PUT, DELETE, OPTIONS.',
  },
  alreadyExists: {
    request: `POST ${restPath}/Port`,
    message: 'unLoCode: another Port already has this value (NLRTM).',
  },
  stillReferred: {
    request: `DELETE ${one}`,
    message: 'Voyage 1001 cannot be deleted: Document 1009 still refers to it by voyage.',
  },
  newerVersion: {
    request: `POST ${restPath}/WebhookSubscription/1009/sendFailedNotifications`,
    message:
      'sendFailedNotifications came with API version 3.16; this request uses 3.9. Ask for it with the header API-Version: 3.16.',
  },
  tokenExpired: { request: list, message: 'Token expired.' },
  insufficientScope: {
    request: `PUT ${one}`,
    message: 'The token lacks the scope write, which this request needs.',
  },
  editionRequired: {
    request: `PUT ${restPath}/WebhookSubscription/1009`,
    message: 'xsl requires the edition ENTERPRISE; this user has STANDARD.',
  },
  notPermitted: {
    request: `POST ${restPath}/WebhookSubscription`,
    message: 'Only a client with the scope admin may create a WebhookSubscription for another user.',
  },
  issuerAway: { request: list, message: 'The token issuer cannot be reached. Try again in a moment.' },
  secretElsewhere: {
    request: `POST ${restPath}/ApiClient/1009/rotateSecret`,
    message: 'Secrets of clients are managed by https://login.example.com: change it there.',
  },
  unsubscribed: {
    request: `PUT ${subscription}`,
    message: 'The subscription is unsubscribed and can no longer be changed. Create a new one.',
  },
  notReactivated: {
    request: `PUT ${subscription}`,
    message: 'The subscription was deactivated and cannot be reactivated. Create a new one.',
  },
  stillSubscribed: {
    request: `DELETE ${subscription}`,
    message: 'The subscription must be unsubscribed before it is deleted: PUT {"unsubscribed": true}.',
  },
  hasNotifications: {
    request: `DELETE ${subscription}`,
    message:
      'The subscription has had notifications and cannot be deleted. Unsubscribe it instead: PUT {"unsubscribed": true}.',
  },
  unreadableSecrets: {
    request: `POST ${subscription}/ping`,
    message:
      'The secrets of the subscription cannot be read. Set webhookPassword and rotate the signing secret, or create a new one.',
  },
  resendEnded: {
    request: `PUT ${restPath}/ResendJob/1090`,
    message: 'The resend is done and can no longer be cancelled.',
  },
  lastElement: {
    request: `DELETE ${restPath}/BunkerOrderLine/1008`,
    message: 'bunkerOrderLines of BunkerOrder 1007 may not become empty.',
  },
  stillRunning: {
    request: `POST ${restPath}/Voyage`,
    message: 'The first request with this Idempotency-Key has not finished. Try again in a moment.',
  },
  stale: {
    request: `PUT ${one}`,
    message: 'Voyage 1001 has changed since it was read. Read it again, and send its new ETag.',
  },
  tooLarge: { request: `PUT ${one}`, message: 'The body is larger than this resource allows.' },
  headersTooLarge: { request: list, message: 'The request line and headers are larger than 16 kB.' },
  requestTimeout: { request: `PUT ${one}`, message: 'The request did not arrive in time.' },
  unsupportedMediaType: {
    request: `PUT ${one}`,
    message: 'The body must be application/json in UTF-8, not "text/plain".',
  },
  keyReused: {
    request: `POST ${restPath}/Voyage`,
    message: 'This Idempotency-Key was used before with another body. Use a new key for a new request.',
  },
  tooManyRequests: { request: list, message: 'At most 50 requests per second are allowed for one address or client.' },
  internal: { request: list, message: 'Internal error. Its id in the log is Zk3v9QmX-2f.' },
  busy: { request: `PUT ${one}`, message: 'Others are changing the same objects. Try again in a moment.' },
  queryTooSlow: {
    request: list,
    message: 'The request took the database longer than is allowed. Narrow the filter, or ask for fewer fields.',
  },
  starting: { request: list, message: 'The service is starting. Try again in a moment.' },
  stopping: { request: 'GET /health/ready', message: 'The service is stopping.' },
  modelOutdated: {
    request: 'GET /health/ready',
    message: 'The tables have the model of another process. Restart this process with the same model file.',
  },
  databaseAway: { request: list, message: 'The database cannot be reached. Try again in a moment.' },
  diskFull: { request: `PUT ${one}`, message: 'The disk of the database is full. Try again later.' },
};
