// An example of each error of `errors.ts`: a typical request, and the response to it.

import { ApiError, type ErrorCode, type Violation } from '../../../errors.ts';
import { consoleSessionPath, restPath } from '../../../paths.ts';
import { renderError } from '../../../render-error.ts';
import type { DescriptionContext } from '../description-context.ts';

export function errorExample({ baseUrl }: DescriptionContext, code: ErrorCode): Record<string, unknown> {
  const [request, message] = situations[code];
  const [method = '', target = ''] = request.split(' ');
  const violations = exampleViolations[code];
  const error = new ApiError(code, message, violations ? { violations } : {});
  return JSON.parse(renderError(error, { method, target }, baseUrl, exampleClock).body);
}

const exampleClock = { now: () => new Date('2026-11-15T08:30:00Z') };

const list = `GET ${restPath}/Voyage`;
const one = `${restPath}/Voyage/1001`;
const subscription = `${restPath}/WebhookSubscription/1009`;

/** A typical request and message for each error. */
const situations: Record<ErrorCode, readonly [request: string, message: string]> = {
  malformedRequest: [list, 'GET takes no body.'],
  malformedJson: [
    `PUT ${one}`,
    'The body is not valid JSON. Line 1, column 14: a JSON value was expected, but here is "}".',
  ],
  invalidBody: [`PUT ${one}`, 'comments: must be text, not a number. (and 1 more mistake, see violations)'],
  invalidFilter: [
    `${list}?filter=vessel.name(EQ)Northern%20Light`,
    'In filter "vessel.name(EQ)Northern Light" at position 8: Vessel has no attribute "name". Did ' +
      'you mean "vesselName"?',
  ],
  invalidSort: [
    `${list}?sort=portCalls.eta(AS)`,
    'In sort "portCalls.eta(AS)" at position 1: "portCalls" is a collection of PortCall, and ' +
      'sorting over a collection is not possible.',
  ],
  invalidFields: [
    `${list}?fields=%7B%22comment%22:%22*%22%7D`,
    'The field selection has mistakes. "comment" is not an attribute of Voyage. Did you mean "comments"?',
  ],
  invalidPage: [`${list}?limit=5000`, '"limit" must be an integer from 1 to 2000, but it is "5000".'],
  invalidQuery: [`${list}?limit=10&limit=20`, 'The query parameter "limit" is given twice.'],
  invalidKey: [`GET ${restPath}/Voyage/latest`, '"latest" is not a key; a positive integer was expected.'],
  invalidHeader: [list, 'The header "noCount" must be YES or NO, but it is "maybe".'],
  tooManyObjects: [
    list,
    'The list has more than 2000 objects. Narrow it with filter, or page through it with limit and pageNumber.',
  ],
  answerTooLarge: [
    list,
    'The response would have more than 64 MB. Page through the list with limit, or select less with fields.',
  ],
  unauthorized: [list, 'A token is required: Authorization: Bearer <token>.'],
  unknownResource: [`GET ${restPath}/Voyages`, 'Not found: /ws/rest/Voyages. See /docs for what this service offers.'],
  notFound: [`GET ${one}`, 'There is no Voyage with key 1001.'],
  methodNotAllowed: [
    `PATCH ${one}`,
    'PATCH is not supported by this resource; it supports GET, HEAD, PUT, DELETE, OPTIONS.',
  ],
  alreadyExists: [`POST ${restPath}/Port`, 'unLoCode: another Port already has this value (NLRTM).'],
  stillReferred: [`DELETE ${one}`, 'Voyage 1001 cannot be deleted: Document 1009 still refers to it by voyage.'],
  newerVersion: [
    `POST ${subscription}/sendFailedNotifications`,
    'sendFailedNotifications came with API version 3.16; this request uses 3.9. Ask for it with the ' +
      'header API-Version: 3.16.',
  ],
  tokenExpired: [list, 'Token expired.'],
  signInFailed: [`POST ${consoleSessionPath}`, 'The client is unknown, or its secret is wrong.'],
  sessionEnded: [`POST ${consoleSessionPath}/renewal`, 'The session has ended. Sign in again.'],
  notFromConsole: [
    `POST ${consoleSessionPath}`,
    'Only the console may send this request: the header "flaghoist-console: 1" is missing.',
  ],
  noAccess: [
    `POST ${consoleSessionPath}`,
    'The client has not been granted the audience of this installation, https://flaghoist.dev.',
  ],
  insufficientScope: [`PUT ${one}`, 'The token lacks the scope write, which this request needs.'],
  editionRequired: [`PUT ${subscription}`, 'xsl requires the edition ENTERPRISE; this user has STANDARD.'],
  viewOnly: [
    `PUT ${one}`,
    'As another user you can only look. Send GET or HEAD, or omit the header "flaghoist-view-as".',
  ],
  notPermitted: [
    `POST ${restPath}/WebhookSubscription`,
    'Only a client with the scope admin may create a WebhookSubscription for another user.',
  ],
  issuerAway: [list, 'The token issuer cannot be reached. Try again in a moment.'],
  issuerFault: [
    `POST ${consoleSessionPath}`,
    'The sign-in at the issuer does not work as it is set up. The log of the service has the reason.',
  ],
  secretElsewhere: [
    `POST ${restPath}/ApiClient/1009/rotateSecret`,
    'Client secrets are managed by https://login.example.com. Rotate the secret there.',
  ],
  unsubscribed: [
    `PUT ${subscription}`,
    'The subscription is unsubscribed and can no longer be changed. Create a new one.',
  ],
  notReactivated: [
    `PUT ${subscription}`,
    'The subscription was deactivated and cannot be reactivated. Create a new one.',
  ],
  stillSubscribed: [
    `DELETE ${subscription}`,
    'The subscription must be unsubscribed before it is deleted: PUT {"unsubscribed": true}.',
  ],
  notStreamed: [
    `GET ${subscription}/stream`,
    'The notifications of this subscription are sent by HTTP. Only those of a subscription with the channel STREAM ' +
      'can be fetched.',
  ],
  hasNotifications: [
    `DELETE ${subscription}`,
    'The subscription has had notifications and cannot be deleted. Unsubscribe it instead: PUT {"unsubscribed": true}.',
  ],
  unreadableSecrets: [
    `POST ${subscription}/ping`,
    'Secrets of the subscription cannot be read. To fix this, set webhookPassword and call rotateSecret, or create ' +
      'a new subscription.',
  ],
  resendEnded: [`PUT ${restPath}/ResendJob/1090`, 'The resend is done and can no longer be cancelled.'],
  noDemo: [
    `POST ${restPath}/installation/demo`,
    'The demo fleet runs only in a test environment (FLAGHOIST_ENVIRONMENT).',
  ],
  lastElement: [
    `DELETE ${restPath}/BunkerOrderLine/1008`,
    'bunkerOrderLines of BunkerOrder 1007 may not become empty.',
  ],
  stillRunning: [
    `POST ${restPath}/Voyage`,
    'The first request with this Idempotency-Key has not finished. Try again in a moment.',
  ],
  stale: [`PUT ${one}`, 'Voyage 1001 has changed since it was read. Read it again, and send its new ETag.'],
  tooLarge: [`PUT ${one}`, 'The body is larger than this resource allows.'],
  headersTooLarge: [list, 'The request line and headers are larger than 16 kB.'],
  requestTimeout: [`PUT ${one}`, 'The request did not arrive in time.'],
  unsupportedMediaType: [`PUT ${one}`, 'The body must be application/json in UTF-8, not "text/plain".'],
  keyReused: [
    `POST ${restPath}/Voyage`,
    'This Idempotency-Key was used before with another body. Use a new key for a new request.',
  ],
  tooManyRequests: [list, 'At most 50 requests per second are allowed for one address or client.'],
  internal: [list, 'Internal error. Its id in the log is Zk3v9QmX-2f.'],
  busy: [`PUT ${one}`, 'Others are changing the same objects. Try again in a moment.'],
  queryTooSlow: [
    list,
    'The request took the database longer than is allowed. Narrow the filter, or ask for fewer fields.',
  ],
  starting: [list, 'The service is starting. Try again in a moment.'],
  stopping: ['GET /health/ready', 'The service is stopping.'],
  modelOutdated: [
    'GET /health/ready',
    'The tables have the model of another process. Restart this process with the same model file.',
  ],
  databaseAway: [list, 'The database cannot be reached. Try again in a moment.'],
  diskFull: [`PUT ${one}`, 'The disk of the database is full. Try again later.'],
};

const exampleViolations: Partial<Record<ErrorCode, Violation[]>> = {
  invalidBody: [
    { path: 'comments', message: 'must be text, not a number.' },
    { path: 'portCalls[0].port', message: 'there is no Port with unLoCode "NLRTX".' },
  ],
  invalidFields: [{ path: 'comment', message: 'is not an attribute of Voyage. Did you mean "comments"?' }],
};
