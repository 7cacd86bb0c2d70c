// The guide: getting started, the first requests, and how to query. Its examples use types of the catalogue, which
// every installation has.

import { errorTable } from '../../errors.ts';
import { batchName, restPath } from '../../paths.ts';
import { operatorNames, operators } from '../../query/filter/operators.ts';
import { objectsMax } from '../../query/page.ts';
import { type DescriptionContext, documentLink, notifiedTypes } from '../openapi/description-context.ts';
import { errorExample } from '../openapi/examples/error-examples.ts';
import { exampleKey, wholeExample } from '../openapi/examples/object-examples.ts';
import { describedErrors } from '../openapi/paths/error-responses.ts';
import { scopes, tokens, versions } from './caller-sections.ts';
import { type Block, type GuideSection, json, request } from './guide-block.ts';
import { failing, receiving } from './webhook-sections.ts';

export function guideSections(context: DescriptionContext): GuideSection[] {
  return [
    { id: 'token', title: 'Get a token', blocks: tokens(context) },
    { id: 'first-request', title: 'First requests', blocks: firstRequests(context) },
    { id: 'reading', title: 'Reading and fields', blocks: reading(context) },
    { id: 'filter', title: 'Filter', blocks: filtering(context) },
    { id: 'paging', title: 'Sort and pages', blocks: paging(context) },
    { id: 'writing', title: 'Writing', blocks: writing(context) },
    { id: 'concurrency', title: 'Concurrency and repeats', blocks: concurrency(context) },
    { id: 'scopes', title: 'Scopes', blocks: scopes() },
    { id: 'versions', title: 'Versions', blocks: versions(context) },
    { id: 'errors', title: 'Errors', blocks: errors(context) },
    ...webhookSections(context),
  ];
}

/** Mails of the service link to the section `deliveries-fail`. */
function webhookSections(context: DescriptionContext): GuideSection[] {
  const subscription = context.types.find(({ name }) => name === 'WebhookSubscription');
  const [type] = notifiedTypes(context);
  if (!subscription || !type) return [];
  return [
    { id: 'receive', title: 'Receive notifications', blocks: receiving(context, type) },
    { id: 'deliveries-fail', title: 'When deliveries fail', blocks: failing(context, subscription) },
  ];
}

function firstRequests(context: DescriptionContext): Block[] {
  const vessel = context.types.find(({ name }) => name === 'Vessel');
  return [
    'The API uses plain HTTP and JSON. With the token in `$TOKEN`, paste this into the terminal to list some ports:',
    request(context, { path: '/Port', parameters: ['filter=country(EQ)NL', 'sort=portName(AS)'] }),
    'Create a vessel. The response is the whole object, with its `key` and its URL in `self`:',
    request(context, {
      method: 'POST',
      path: '/Vessel',
      body: { vesselName: 'Northern Light', imoNumber: '9074729' },
    }),
    ...(vessel ? [json(wholeExample(context, vessel))] : []),
    'Create a voyage and its port calls in one request. Ports are identified by their code:',
    request(context, {
      method: 'POST',
      path: '/Voyage',
      body: {
        voyageStatus: 'EST',
        comments: 'First of the season',
        portCalls: [
          { port: 'NLRTM', reasonForCall: 'L' },
          { port: 'SGSIN', reasonForCall: 'D' },
        ],
      },
    }),
    `For programs, [openapi.json](${documentLink(context)}) (OpenAPI 3.1) describes the same. You can generate a client
from it. Every resource supports \`HEAD\` and \`OPTIONS\`. An unsupported method is rejected with 405 and an \`Allow\`
header.`,
  ];
}

function reading(context: DescriptionContext): Block[] {
  const fields = {
    voyageStatus: '*',
    vessel: { vesselName: '*' },
    portCalls: { port: { portName: '*' }, eta: '*' },
  };
  return [
    `A list returns a JSON array of minimized objects: their scalar attributes, and references as \`key\` and \`self\`.
A request for one object, at \`${restPath}/{Type}/{key}\`, returns the whole object, with its sub-objects as arrays.
There, each reference shows what identifies its object: code and name, or the port, the ETA and the reason of a port
call. Notifications contain the same. Later versions may add attributes to responses; ignore attributes that you do
not know.

To select other attributes, send \`fields\`, as a header or as a query parameter. It is JSON that mirrors the object.
\`"*"\` selects an attribute, a whole reference or a whole collection. A nested object selects attributes inside it,
over any number of references. \`key\` and \`self\` are always included. \`"*"\` alone selects whole
objects, in lists too.`,
    request(context, { path: '/Voyage', headers: { fields: JSON.stringify(fields) } }),
    `**Dates** are \`yyyy-MM-ddTHH:mm:ss\` in UTC, without a zone. Input may omit the time, and may have a zone or
fractions of a second: \`2026-11-15\`, \`2026-11-15T08:30\`, \`2026-11-15T09:30:00.5+01:00\`. Input is converted to UTC,
and fractions are cut off. **Decimals** are JSON numbers of up to 16 digits before the point and 8 after it. They are
stored and returned digit for digit, never rounded. A client that needs every digit must not parse numbers as doubles.
**Text** cannot contain U+0000.`,
  ];
}

const operandForms = { one: 'a value', list: 'a list `(a,b,c)`', pair: 'a pair `(a,b)`', nothing: 'nothing' };

function filtering(context: DescriptionContext): Block[] {
  return [
    `\`filter=<path>(<OP>)<value>\` can be repeated, at most ${context.settings.filtersMax} times; all filters must
match. A path can go through references and collections; any element of a collection may match:`,
    request(context, {
      path: '/Voyage',
      parameters: ['filter=vessel.vesselName(EQ)Northern Light', 'filter=portCalls.port.unLoCode(IN)(NLRTM,SGSIN)'],
    }),
    '`filter=(OR)` between other filters separates groups:',
    request(context, {
      path: '/Voyage',
      parameters: [
        'filter=voyageStatus(EQ)OPR',
        'filter=(OR)',
        'filter=createdDate(GTE)2026-01-01',
        'filter=comments(ILIKE)"%season%"',
      ],
    }),
    {
      head: ['Operator', 'Matches if the attribute', 'Operand'],
      rows: operatorNames.map((name) => [
        `\`${name}\``,
        operators[name].meaning,
        operandForms[operators[name].operand],
      ]),
    },
    `Text may be in double quotes, with \`\\"\` and \`\\\\\` as escapes. In a list, a value with a comma or parenthesis
must be quoted. Filters of one group that go through the same collection apply to the same element. A reference may be
compared with a key or a code: \`currency(EQ)USD\`.`,
  ];
}

function paging(context: DescriptionContext): Block[] {
  return [
    `\`sort=<path>(AS|ASI|DS|DSI)\` can be repeated. It sorts ascending or descending; \`I\` ignores case. Ties are
broken by key. \`limit\` (at most ${objectsMax}) and \`pageNumber\` (from 1) select a page:`,
    request(context, {
      path: '/Port',
      parameters: ['sort=country(AS)', 'sort=portName(ASI)', 'limit=5', 'pageNumber=2'],
      showsHeaders: true,
    }),
    `The header \`totalObjectsNumber\` has the number of all matches; \`noCount: YES\` omits it. The \`Link\` header has
the URLs of the first, prev, next and last page. Follow \`next\` to read a long list: it never repeats or skips an
object that exists throughout, even if others write meanwhile. Without \`limit\`, a list of more than ${objectsMax}
objects is rejected with 400, never cut off silently.`,
  ];
}

function writing(context: DescriptionContext): Block[] {
  const { arrayObjectsMax, bodyBytesMax, fileBodyBytesMax, bodyDepthMax } = context.settings;
  const key = exampleKey(context, context.types[0]!);
  return [
    `- **POST** creates an object. The response is a 201 with \`Location\` and the whole object. A JSON array of at most
${arrayObjectsMax} objects, best sent to \`${restPath}/{Type}/${batchName}\`, creates all of them or none.
- **PUT** contains only what changes; \`null\` clears an attribute. In a collection, an element without \`key\` is
added, one with \`key\` is changed, and an omitted one is removed.
- **References** are written as a key, as \`{"key": ${key}}\`, or as the code of a coded type: \`"currency": "USD"\`.
- **DELETE** deletes the object and its sub-objects. It is rejected with 409 while another object refers to one of them.
- An unknown attribute is rejected with 400. Values that the service sets may be sent back unchanged; only the \`key\`
of a new object must be null or omitted.
- A body has at most ${bodyBytesMax} bytes (${fileBodyBytesMax} if it contains files) and ${bodyDepthMax} levels.

Replace ${key} with the key of your own voyage:`,
    request(context, { method: 'PUT', path: `/Voyage/${key}`, body: { voyageStatus: 'NOM', comments: null } }),
  ];
}

function concurrency(context: DescriptionContext): Block[] {
  return [
    `Every single object has an \`ETag\`. Send it as \`If-Match\`, and a PUT or DELETE is rejected with 412 if the
object, or one of its sub-objects, has changed since you read it. Send it as \`If-None-Match\`, and a GET returns 304 if
nothing has changed.`,
    request(context, {
      method: 'PUT',
      path: `/Voyage/${exampleKey(context, context.types[0]!)}`,
      headers: { 'If-Match': '"1f4a0c.Q2n8sYx0"' },
      body: { comments: 'Only if nothing has changed' },
    }),
    `With an \`Idempotency-Key\` that you choose, a POST can be repeated safely. Within 24 hours the repeat returns the
first response and creates nothing. Another body with the same key is rejected with 422, and a repeat while the first
request is running with 409.`,
    request(context, {
      method: 'POST',
      path: '/Vessel',
      headers: { 'Idempotency-Key': 'northern-star-2026-11-15' },
      body: { vesselName: 'Northern Star' },
    }),
  ];
}

function errors(context: DescriptionContext): Block[] {
  const rows = describedErrors()
    .map((code) => [code, errorTable[code]] as const)
    .toSorted(([, one], [, other]) => one.status - other.status)
    .map(([code, { status, meaning }]) => [`**${status}**`, `\`${code}\``, meaning]);
  return [
    `All errors have the same body. For mistakes in a body or in \`fields\`, \`violations\` lists every mistake with its
path. The header \`flaghoist-error\` has the name of the error. Every answer has a \`flaghoist-request-id\`: the id of
the request in the log of the service.`,
    json(errorExample(context, 'invalidBody')),
    { head: ['Status', 'Name', 'When'], rows },
  ];
}
