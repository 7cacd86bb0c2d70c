// The guide at the top of the docs page: getting started, the first requests, and how to query. Its examples use types
// of the catalogue, which every installation has.

import { STATUS_CODES } from 'node:http';
import { errorTable } from '../../errors.ts';
import { baseAttributeNames } from '../../model/build-model.ts';
import { restPath } from '../../paths.ts';
import { operators } from '../../query/filter/operators.ts';
import { objectsMax } from '../../query/page.ts';
import { type DescriptionContext, exampleKey } from '../openapi/description-context.ts';
import { type ErrorStatus, errorExample, errorStatuses } from '../openapi/error-responses.ts';
import { referenceExample, wholeExample } from '../openapi/example-objects.ts';
import { notifiedTypes } from '../openapi/webhooks-part.ts';
import { renderAttributes } from './attribute-table.ts';
import { gettingToken, scopes, versions } from './caller-sections.ts';
import { type RequestExample, renderJson, renderRequest } from './code-blocks.ts';
import { type Html, html, proseOf } from './html.ts';
import { documentLink } from './page-links.ts';
import { failing, receiving } from './webhook-sections.ts';

export interface GuideSection {
  id: string;
  title: string;
  content: Html;
}

export function guideSections(context: DescriptionContext): GuideSection[] {
  return [
    { id: 'token', title: 'Get a token', content: gettingToken(context) },
    { id: 'first-request', title: 'First requests', content: firstRequests(context) },
    { id: 'reading', title: 'Reading and fields', content: reading(context) },
    { id: 'filter', title: 'Filter', content: filtering(context) },
    { id: 'paging', title: 'Sort and pages', content: paging(context) },
    { id: 'writing', title: 'Writing', content: writing(context) },
    { id: 'concurrency', title: 'Concurrency and repeats', content: concurrency(context) },
    { id: 'scopes', title: 'Scopes', content: scopes() },
    { id: 'versions', title: 'Versions', content: versions(context) },
    { id: 'errors', title: 'Errors', content: errors(context) },
    ...webhookSections(context),
    { id: 'every-object', title: 'What every object has', content: everyObject(context) },
  ];
}

/** Mails of the service link to the section `deliveries-fail`. */
function webhookSections(context: DescriptionContext): GuideSection[] {
  const subscription = context.types.find(({ name }) => name === 'WebhookSubscription');
  const [type] = notifiedTypes(context);
  if (!subscription || !type) return [];
  return [
    { id: 'receive', title: 'Receive notifications', content: receiving(context, type) },
    { id: 'deliveries-fail', title: 'When deliveries fail', content: failing(context, subscription) },
  ];
}

function request(context: DescriptionContext, example: RequestExample): Html {
  return renderRequest(context.baseUrl, { ...example, path: `${restPath}${example.path}` });
}

function firstRequests(context: DescriptionContext): Html {
  return html`
<p>The API uses plain HTTP and JSON. With the token in <code>$TOKEN</code>, paste this into the terminal to list some
ports:</p>
${request(context, {
  path: '/Port',
  parameters: ['filter=country(EQ)NL', 'sort=portName(AS)'],
})}
<p>Create a vessel. The response is the whole object, with its <code>key</code> and its URL in <code>self</code>:</p>
${request(context, { method: 'POST', path: '/Vessel', body: { vesselName: 'Northern Light', imoNumber: '9074729' } })}
${exampleOfType(context, 'Vessel')}
<p>Create a voyage and its port calls in one request. Ports are identified by their code:</p>
${request(context, {
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
})}
<p>For programs, <a href="${documentLink(context)}">openapi.json</a> (OpenAPI 3.1) describes the same. You can
generate a client from it.</p>`;
}

function exampleOfType(context: DescriptionContext, typeName: string): Html | undefined {
  const type = context.types.find(({ name }) => name === typeName);
  return type && renderJson(wholeExample(context, type));
}

function reading(context: DescriptionContext): Html {
  return html`
<p>A list returns a JSON array of <em>minimized</em> objects: their scalar attributes, and references as
<code>key</code> and <code>self</code>. A request for one object, at <code>${restPath}/{Type}/{key}</code>, returns the
<em>whole</em> object: references with code and name, sub-objects as arrays.</p>
<p>To select other attributes, send <code>fields</code>, as a header or as a query parameter. It is JSON that mirrors
the object. <code>"*"</code> selects an attribute, a whole reference or a whole collection. A nested object selects
attributes inside it, over any number of references. <code>key</code> and <code>self</code> are always included.</p>
${request(context, {
  path: '/Voyage',
  headers: {
    fields: JSON.stringify({
      voyageStatus: '*',
      vessel: { vesselName: '*' },
      portCalls: { port: { portName: '*' }, eta: '*' },
    }),
  },
})}
<p><strong>Dates</strong> are <code>yyyy-MM-ddTHH:mm:ss</code> in UTC. Input may have a zone, which is converted, and
fractions of a second, which are cut off. <strong>Decimals</strong> keep their digits: up to 16 before the point and 8
after it, never rounded.</p>`;
}

const operandForms = { one: 'a value', list: 'a list (a,b,c)', pair: 'a pair (a,b)', nothing: 'nothing' };

function filtering(context: DescriptionContext): Html {
  const rows = Object.entries(operators).map(
    ([name, { meaning, operand }]) =>
      html`<tr><td><code>${name}</code></td><td>${meaning}</td><td>${operandForms[operand]}</td></tr>`,
  );
  return html`
<p><code>filter=&lt;path&gt;(&lt;OP&gt;)&lt;value&gt;</code> can be repeated, at most ${context.limits.filtersMax}
times; all filters must match. A path can go through references and collections:</p>
${request(context, {
  path: '/Voyage',
  parameters: ['filter=vessel.vesselName(EQ)Northern Light', 'filter=portCalls.port.unLoCode(IN)(NLRTM,SGSIN)'],
})}
<p><code>filter=(OR)</code> between other filters separates groups:</p>
${request(context, {
  path: '/Voyage',
  parameters: [
    'filter=voyageStatus(EQ)OPR',
    'filter=(OR)',
    'filter=createdDate(GTE)2026-01-01',
    'filter=comments(ILIKE)"%season%"',
  ],
})}
<div class="scroll"><table>
<thead><tr><th>Operator</th><th>Matches if the attribute</th><th>Operand</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>
<p>Text may be in double quotes, with <code>\\"</code> and <code>\\\\</code> as escapes. In a list, a value with a comma
or parenthesis must be quoted. Filters of one group that go through the same collection apply to the same element. A
reference may be compared with a key or a code: <code>currency(EQ)USD</code>.</p>`;
}

function paging(context: DescriptionContext): Html {
  return html`
<p><code>sort=&lt;path&gt;(AS|ASI|DS|DSI)</code> can be repeated. It sorts ascending or descending; <code>I</code>
ignores case. Ties are broken by key. <code>limit</code> (at most ${objectsMax}) and <code>pageNumber</code> (from 1)
select a page:</p>
${request(context, {
  path: '/Port',
  parameters: ['sort=country(AS)', 'sort=portName(ASI)', 'limit=5', 'pageNumber=2'],
  showsHeaders: true,
})}
<p>The header <code>totalObjectsNumber</code> has the number of all matches; <code>noCount: YES</code> omits it. The
<code>Link</code> header has the URLs of the first, prev, next and last page. Follow <code>next</code> to read a long
list: it never repeats or skips an object that exists throughout, even if others write meanwhile. Without
<code>limit</code>, a list of more than ${objectsMax} objects is rejected with 400, never cut off silently.</p>`;
}

function writing(context: DescriptionContext): Html {
  const key = exampleKey(context, context.types[0]!);
  return html`
<ul>
<li><strong>POST</strong> creates an object. The response is a 201 with <code>Location</code> and the whole object. A
JSON array of at most ${context.limits.arrayObjectsMax} objects creates all of them or none.</li>
<li><strong>PUT</strong> contains only what changes; <code>null</code> clears an attribute. In a collection, an element
without <code>key</code> is added, one with <code>key</code> is changed, and an omitted one is removed.</li>
<li><strong>References</strong> are written as a key, as <code>{"key": ${key}}</code>, or as the code of a coded type:
<code>"currency": "USD"</code>.</li>
<li><strong>DELETE</strong> deletes the object and its sub-objects. It is rejected with 409 while another object refers
to one of them.</li>
<li>An unknown attribute is rejected with 400. Values that the service sets may be sent back unchanged; only the
<code>key</code> of a new object must be null or omitted.</li>
</ul>
<p>Replace ${key} with the key of your own voyage:</p>
${request(context, { method: 'PUT', path: `/Voyage/${key}`, body: { voyageStatus: 'NOM', comments: null } })}`;
}

function concurrency(context: DescriptionContext): Html {
  const key = exampleKey(context, context.types[0]!);
  return html`
<p>Every single object has an <code>ETag</code>. Send it as <code>If-Match</code>, and a PUT or DELETE is rejected with
412 if the object, or one of its sub-objects, has changed since you read it. Send it as <code>If-None-Match</code>, and
a GET returns 304 if nothing has changed.</p>
${request(context, {
  method: 'PUT',
  path: `/Voyage/${key}`,
  headers: { 'If-Match': '"1f4a0c.Q2n8sYx0"' },
  body: { comments: 'Only if nobody was faster' },
})}
<p>With an <code>Idempotency-Key</code> that you choose, a POST can be repeated safely. Within 24 hours the repeat
returns the first response and creates nothing. Another body with the same key is rejected with 422.</p>
${request(context, {
  method: 'POST',
  path: '/Vessel',
  headers: { 'Idempotency-Key': 'northern-star-2026-11-15' },
  body: { vesselName: 'Northern Star' },
})}`;
}

function errors(context: DescriptionContext): Html {
  return html`
<p>All errors have the same body. For mistakes in a body or in <code>fields</code>, <code>violations</code> lists every
mistake with its path.</p>
${renderJson(errorExample(context, 'invalidBody'))}
<table class="errors">
<thead><tr><th>Status</th><th>When</th></tr></thead>
<tbody>${errorStatuses.map(renderStatus)}</tbody>
</table>`;
}

function renderStatus(status: ErrorStatus): Html {
  const rows = Object.values(errorTable).filter((row) => row.status === status);
  const meanings = rows.map(({ meaning }) => html`<p>${proseOf(meaning)}</p>`);
  return html`<tr><td><strong>${status}</strong> ${STATUS_CODES[status]}</td><td>${meanings}</td></tr>
`;
}

function everyObject(context: DescriptionContext): Html {
  const type = context.types[0]!;
  const attributes = [...type.attributes.values()].filter(({ name }) => baseAttributeNames.includes(name));
  return html`
<p>Every object has these attributes, in addition to those of its type:</p>
${renderAttributes(attributes)}
<p>A reference shows <code>key</code>, <code>self</code>, and the code and name of its type:</p>
${renderJson(referenceExample(context, context.types.find(({ code }) => code) ?? type))}`;
}
