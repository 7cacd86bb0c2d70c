// The introduction of the API description: authentication, versions, filter, sort, fields, paging, concurrency and
// idempotency. It applies to all types.

import { errorTable } from '../../errors.ts';
import { newestVersion, oldestVersion, versionTable } from '../../model/api-versions.ts';
import { scopeTable } from '../../model/scopes.ts';
import { restPath } from '../../paths.ts';
import { objectsMax } from '../../query/page.ts';
import { type DescriptionContext, metadataUrl } from './description-context.ts';
import { tokenCommand } from './token-command.ts';
import { deliveryText, notifiedTypes } from './webhooks-part.ts';

export function introduce(context: DescriptionContext): string {
  const { baseUrl, limits, apiVersion } = context;
  const page = `${baseUrl}/docs${apiVersion === newestVersion ? '' : `?version=${apiVersion}`}`;
  return `
Shipping business objects over REST, and webhooks that never miss a change.
This document describes API version ${apiVersion}${versionRange(apiVersion)}. A readable page is at
[${page}](${page}).

${introduceTokens(context)}

## Scopes
${scopeRows()}

## Versions
The request header \`API-Version\` selects the API version. Without the header, the \`apiVersion\` of the user applies.
If the user has none, the newest version applies. Every version from ${oldestVersion} to ${newestVersion} is valid. A
version between two rows equals the row above it. Responses omit what a later version added, and a request that sends it
is rejected with 400. \`${baseUrl}/openapi.json?version=${oldestVersion}\` describes that version. All versions stay
supported: nothing is removed or changes its meaning without \`Deprecation\` and \`Sunset\` headers a year ahead.

| Version | Additions |
|---|---|
${versionTable.map(({ version, addition }) => `| ${version} | ${addition} |`).join('\n')}

## Objects
Each type has a resource at \`${restPath}/{Type}\`, and each object has one at \`${restPath}/{Type}/{key}\`. A list
returns a JSON array of minimized objects: scalar attributes, and references as \`key\` and \`self\`. A request for one
object returns the whole object: references with code and name, sub-objects as arrays of minimized objects. Later
versions may add attributes to responses; ignore attributes that you do not know.

**Dates** are \`yyyy-MM-ddTHH:mm:ss\` in UTC, without a zone. Input may omit the time, and may have a zone or fractions
of a second: \`2026-11-15\`, \`2026-11-15T08:30\`, \`2026-11-15T09:30:00.5+01:00\`. Input is converted to UTC, and
fractions are cut off. **Decimals** are JSON numbers of up to 16 digits before the point and 8 after it. They are stored
and returned digit for digit, never rounded. A client that needs every digit must not parse numbers as doubles.
**Text** cannot contain U+0000.

## fields
\`fields\` selects what to show. It is JSON that mirrors the object, sent as a header or as a query parameter. \`"*"\`
selects a scalar, a whole reference or a whole collection. A nested object selects attributes of a reference or of each
element. \`key\` and \`self\` are always included.
\`{"comments":"*","vessel":{"vesselName":"*"},"portCalls":{"port":"*"}}\`

## filter
\`filter=<path>(<OP>)<value>\` can be repeated, at most ${limits.filtersMax} times; all filters must match. A path can
go through references and collections: \`portCalls.port.unLoCode(EQ)NLRTM\` matches if any port call is there.
\`EQ NE GT GTE LT LTE LIKE ILIKE\` take a value, \`IN NIN\` a list \`(a,b,c)\`, \`BETWEEN\` a pair \`(a,b)\`,
\`NULL NOTNULL\` nothing. Text may be in double quotes, with \`\\"\` and \`\\\\\` as escapes. In a list, a value with a
comma or a parenthesis must be quoted. \`LIKE\` supports \`%\` and \`_\`, \`ILIKE\` ignores case. \`NE\` and \`NIN\`
also match null. \`filter=(OR)\` between other filters separates groups. Filters of one group that go through the same
collection apply to the same element.

## sort and pages
\`sort=<path>(AS|ASI|DS|DSI)\` can be repeated; \`I\` ignores case; ties are broken by key. \`limit\` (at most
${objectsMax}) and \`pageNumber\` (from 1) select a page. The header \`totalObjectsNumber\` has the number of all
matches, unless the request has the header \`noCount: YES\`. \`Link\` has the URLs of the first, prev, next and last
page. Pages read with \`next\` never repeat or skip an object that exists throughout, even if others write meanwhile.
Without \`limit\`, a list of more than ${objectsMax} objects is rejected with 400.

## Writing
\`POST\` creates one object, or all objects of an array or none. \`PUT\` contains only what changes; \`null\` clears an
attribute. In a collection, an element without \`key\` is added, one with \`key\` is changed, and an omitted one is
removed. A reference is written as a key, as \`{"key": 1001}\`, or as the code of a coded type (\`"currency": "USD"\`).
Unknown attributes are rejected with 400. Values that the service sets may be sent back unchanged; only the \`key\` of a
new object must be null or omitted. A body has at most ${limits.bodyBytesMax} bytes (${limits.fileBodyBytesMax} if it
contains files) and ${limits.bodyDepthMax} levels.

## Concurrency and repeats
Every single object has an \`ETag\`. With \`If-Match\`, a PUT or DELETE returns 412 if the object or one of its
sub-objects has changed since. With \`If-None-Match\`, a GET returns 304 if nothing has changed. With
\`Idempotency-Key\`, a POST that is repeated within 24 hours returns the first response and creates nothing. Another
body with the same key is rejected with 422, and a repeat while the first request is running with 409.

Every resource supports \`HEAD\` and \`OPTIONS\`. An unsupported method is rejected with 405 and an \`Allow\` header.

${introduceWebhooks(context)}## Errors
All errors have the same body. For mistakes in a body or in \`fields\`, \`violations\` lists every mistake with
its path.

| Status | When |
|---|---|
${errorRows()}
`.trim();
}

/** A row of the version table describes every version before the next row. */
function versionRange(apiVersion: string): string {
  const next = versionTable[versionTable.findIndex(({ version }) => version === apiVersion) + 1];
  return next ? `, and every later version before ${next.version}` : ', the newest';
}

function introduceTokens(context: DescriptionContext): string {
  const { audience, issuerUrl, lifetimeSeconds } = context.tokens;
  const use = `Every request under \`${restPath}\` needs a token: \`Authorization: Bearer <token>\`. Use the same
token for all requests until it expires. When a response is a 401 with the message \`Token expired.\`, get a new
one.`;
  if (issuerUrl !== undefined) {
    return `## Authentication
${use}
Tokens come from the issuer ${issuerUrl} ([metadata](${metadataUrl(issuerUrl)})). Request one with the audience
\`${audience}\`. This service must have an ApiClient with the id of the issuer's client. The ApiClient defines what the
client may do.`;
  }
  return `## Authentication
${use} A token is valid for ${lifetimeSeconds} seconds. A client gets a token with its id and secret:

\`\`\`sh
${tokenCommand(context)}
curl -s '${context.restUrl}/Port?limit=5' -H "Authorization: Bearer $TOKEN"
\`\`\`

The request may also be a form, and the client may authenticate with HTTP Basic (RFC 6749 §4.4). An admin creates
clients at \`${restPath}/ApiClient\`.`;
}

function introduceWebhooks(context: DescriptionContext): string {
  if (notifiedTypes(context).length === 0) return '';
  return `## Webhooks
A \`WebhookSubscription\` sends changes of objects to its \`url\`: a POST with the headers and the body that
\`webhooks\` describes. Each message is signed according to [Standard Webhooks](https://www.standardwebhooks.com) with
the \`signingSecret\` of the subscription. Only the response that creates the subscription shows the secret.

Verify the signature, and reject messages older than five minutes. Ignore a \`webhook-id\` that you have already seen.
Respond first, and process the message afterwards. ${deliveryText(context.limits)} The owner is notified by mail. Failed
notifications are kept: \`sendFailedNotifications\` sends them again, and a new subscription with \`replaces\` takes
them over. \`WebhookNotification\` is the log.

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
