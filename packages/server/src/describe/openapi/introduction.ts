// The introduction of the API description: authentication, versions, filter, sort, fields, paging, concurrency and
// idempotency. It applies to all types.

import { errorTable } from '../../errors.ts';
import { newestVersion, oldestVersion, versionTable } from '../../model/api-versions.ts';
import { scopeTable } from '../../model/scopes.ts';
import { restPath } from '../../paths.ts';
import { objectsMax } from '../../query/page.ts';
import { type DescriptionContext, metadataUrl } from './description-context.ts';
import { tokenCommand } from './token-command.ts';
import { heardTypes, triesText } from './webhooks-part.ts';

export function introduce(context: DescriptionContext): string {
  const { baseUrl, limits, apiVersion } = context;
  const page = `${baseUrl}/docs${apiVersion === newestVersion ? '' : `?version=${apiVersion}`}`;
  return `
Shipping business objects over REST, and webhooks that never miss a change. This describes API version ${apiVersion}${sameUntil(apiVersion)}. A readable page is at
[${page}](${page}).

${introduceTokens(context)}

## Scopes
${scopeRows()}

## Versions
A request says in the header \`API-Version\` which version it speaks; without it the \`apiVersion\` of its user counts, else the newest.
Every version from ${oldestVersion} to ${newestVersion} is known; one between two rows has what the row above it has. What came with a later version is
absent from answers, and a 400 where it is sent. \`${baseUrl}/openapi.json?version=${oldestVersion}\` describes that version. All versions stay supported:
nothing is removed or changes its meaning without \`Deprecation\` and \`Sunset\` headers a year ahead.

| Version | What came with it |
|---|---|
${versionTable.map(({ version, addition }) => `| ${version} | ${addition} |`).join('\n')}

## Objects
Each type has a resource at \`${restPath}/{Type}\`, each object one at \`${restPath}/{Type}/{key}\`. A list answers a JSON array of
minimized objects: scalar attributes, and references as \`key\` and \`self\`. One object is answered whole: references with code
and name, sub-objects as arrays of minimized objects. Answers may gain attributes in later versions; ignore those you do not know.

**Dates** are \`yyyy-MM-ddTHH:mm:ss\` in UTC, without a zone. Input may leave out the time, and may have a zone or fractions of a
second: \`2026-11-15\`, \`2026-11-15T08:30\`, \`2026-11-15T09:30:00.5+01:00\`; it is converted, and fractions are cut off.
**Decimals** are JSON numbers of up to 16 digits before the point and 8 after it. They are stored and answered digit for digit, never
rounded; a client that needs all of them must not read numbers as doubles. **Text** cannot hold U+0000.

## fields
What to show, as JSON that mirrors the object, in the header or the query parameter \`fields\`: \`"*"\` picks a scalar, a whole
reference or a whole collection; a nested object picks inside a reference or each element. \`key\` and \`self\` always come along.
\`{"comments":"*","vessel":{"vesselName":"*"},"portCalls":{"port":"*"}}\`

## filter
\`filter=<path>(<OP>)<value>\`, repeatable, at most ${limits.filtersMax}; all must hold. A path goes through references and collections
(\`portCalls.port.unLoCode(EQ)NLRTM\`: some port call is there). \`EQ NE GT GTE LT LTE LIKE ILIKE\` take a value, \`IN NIN\` a list
\`(a,b,c)\`, \`BETWEEN\` a pair \`(a,b)\`, \`NULL NOTNULL\` nothing. Text may stand in double quotes, with \`\\"\` and \`\\\\\` inside them; inside a list, a
value with a comma or parenthesis must. \`LIKE\` knows \`%\` and \`_\`, \`ILIKE\` ignores case. \`NE\` and \`NIN\` also hold for null. \`filter=(OR)\`
between others separates groups. Filters of a group that go through the same collection speak of the same element.

## sort and pages
\`sort=<path>(AS|ASI|DS|DSI)\`, repeatable; \`I\` ignores case; ties are broken by key. \`limit\` (at most ${objectsMax}) and \`pageNumber\`
(from 1) ask for a page. The header \`totalObjectsNumber\` counts all matches, unless the request says \`noCount: YES\`. \`Link\` leads to the
first, prev, next and last page; \`next\` neither repeats nor skips objects that stay, whatever is written meanwhile. Without
\`limit\`, a list of more than ${objectsMax} objects is a 400.

## Writing
\`POST\` creates an object, or all of an array or none. \`PUT\` carries only what changes; \`null\` clears. In a collection, an element without
\`key\` is added, one with \`key\` is changed, one left out is removed. A reference is written as a key, as \`{"key": 1001}\`, or as the code of a
coded type (\`"currency": "USD"\`). Unknown attributes are a 400. What the service sets may be sent back as it is;
only the \`key\` of a new object must be null or left out. A body has at most ${limits.bodyBytesMax}
bytes (${limits.fileBodyBytesMax} where it holds files) and ${limits.bodyDepthMax} levels.

## Concurrency and repeats
Every single object has an \`ETag\`. \`If-Match\` on PUT and DELETE answers 412 if the object or one of its sub-objects has changed since;
\`If-None-Match\` on GET answers 304. \`Idempotency-Key\` on POST: a repeat within 24 hours gets the first answer and creates
nothing; another body under the same key is a 422, a repeat while the first still runs a 409.

\`HEAD\` and \`OPTIONS\` work on every resource; a method that it does not take is a 405 with \`Allow\`.

${introduceWebhooks(context)}## Errors
All errors have the same body. A mistake in a body or in \`fields\` adds \`violations\`: every mistake at once, each with its path.

| Status | When |
|---|---|
${errorRows()}
`.trim();
}

/** A row of the version table describes every version before the next row. */
function sameUntil(apiVersion: string): string {
  const next = versionTable[versionTable.findIndex(({ version }) => version === apiVersion) + 1];
  return next ? `, and every later one before ${next.version}` : ', the newest';
}

function introduceTokens(context: DescriptionContext): string {
  const { audience, issuerUrl, lifetimeSeconds } = context.tokens;
  const use = `Every request under \`${restPath}\` carries a token, as \`Authorization: Bearer <token>\`. Keep it and use it for all requests until it
expires; then the answer is a 401 with the message \`Token expired.\`, and it is time for a new one.`;
  if (issuerUrl !== undefined) {
    return `## Authentication
${use}
Tokens come from the issuer ${issuerUrl} ([metadata](${metadataUrl(issuerUrl)})): ask it for one with the audience \`${audience}\`. Its client has
to be known here as an ApiClient with the same id; what the client may do is said there.`;
  }
  return `## Authentication
${use} A token is good for ${lifetimeSeconds} seconds. A client gets one with its id and secret:

\`\`\`sh
${tokenCommand(context)}
curl -s '${context.restUrl}/Port?limit=5' -H "Authorization: Bearer $TOKEN"
\`\`\`

The same as a form, and the client by HTTP Basic, works as well (RFC 6749 §4.4). An admin creates clients at \`${restPath}/ApiClient\`.`;
}

function introduceWebhooks(context: DescriptionContext): string {
  if (heardTypes(context).length === 0) return '';
  return `## Webhooks
A \`WebhookSubscription\` has changes of objects sent to its \`url\`: a POST with the headers and the body that \`webhooks\` describes, signed as
[Standard Webhooks](https://www.standardwebhooks.com) says with the \`signingSecret\` that is in the answer which creates it. Verify the signature, refuse what is
older than five minutes, leave out a \`webhook-id\` that you have seen, answer, and work on it afterwards. ${triesText(context.limits)} The owner is notified by mail.
Everything that has failed is kept: \`sendFailedNotifications\` sends it again, and a new subscription with \`replaces\` takes it over. \`WebhookNotification\` is the log.

`;
}

function scopeRows(): string {
  const rows = Object.entries(scopeTable).map(([scope, { meaning }]) => `| \`${scope}\` | ${meaning} |`);
  return ['| Scope | Meaning |', '|---|---|', ...rows].join('\n');
}

function errorRows(): string {
  return Object.values(errorTable)
    .toSorted((one, other) => one.status - other.status)
    .map(({ status, meaning }) => `| ${status} | ${meaning} |`)
    .join('\n');
}
