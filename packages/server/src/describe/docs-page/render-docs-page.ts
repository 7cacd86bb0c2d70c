// Renders the page at `/docs` for people: one HTML document, built from the model in one API version. It loads no
// third-party resources and runs only our own script.

import { versionTable } from '../../model/api-versions.ts';
import { baseAttributeNames } from '../../model/build-model.ts';
import type { Model } from '../../model/object-type.ts';
import { json } from '../guide/guide-block.ts';
import { guideSections } from '../guide/guide-sections.ts';
import {
  createContext,
  type DescriptionContext,
  type DescriptionOptions,
  documentLink,
  pageLink,
} from '../openapi/description-context.ts';
import { referenceExample } from '../openapi/examples/object-examples.ts';
import { anchorOf, renderAttributes } from './attribute-table.ts';
import { type Html, html, proseOf } from './html.ts';
import { renderOperationEntries, renderOperations } from './operation-sections.ts';
import { hoistMarkup, iconMarkup } from './page-icon.ts';
import { renderBlock, renderCode } from './render-block.ts';
import { groupTypes, renderType, type TypeGroup } from './type-sections.ts';

export function renderDocsPage(model: Model, options: DescriptionOptions): string {
  const context = createContext(model, options);
  const guide = [
    ...guideSections(context).map(({ blocks, ...section }) => ({
      ...section,
      content: html`${blocks.map(renderBlock)}`,
    })),
    { id: 'every-object', title: 'What every object has', content: renderEveryObject(context) },
  ];
  const groups = groupTypes(context.types);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Flaghoist API</title>
<link rel="icon" href="docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs/style.css">
<script src="docs/script.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${renderNavigation(context, guide, groups)}
<main id="main">
${renderHead(context)}
<div id="guide">${guide.map(renderGuideSection)}</div>
<p id="found" role="status"></p>
${groups.map((group) => renderGroup(context, group))}
${renderOperations(context)}
<footer>Flaghoist ${context.version} · API version ${context.apiVersion} ·
<a href="${documentLink(context)}">openapi.json</a></footer>
</main>
</body>
</html>
`.markup;
}

interface GuideSection {
  id: string;
  title: string;
  content: Html;
}

function renderEveryObject(context: DescriptionContext): Html {
  const type = context.types[0]!;
  const attributes = [...type.attributes.values()].filter(({ name }) => baseAttributeNames.includes(name));
  return html`
<p>Every object has these attributes, in addition to those of its type:</p>
${renderAttributes(attributes)}
<p>A reference shows <code>key</code>, <code>self</code>, and what identifies its object, such as code and name:</p>
${renderCode(json(referenceExample(context, context.types.find(({ code }) => code) ?? type)))}`;
}

function renderNavigation(context: DescriptionContext, guide: GuideSection[], groups: TypeGroup[]): Html {
  return html`<nav class="side" aria-label="Contents">
<div class="brand"><a href="#main">${icon}<span>Flaghoist</span></a><small>${context.version}</small>
<button type="button" id="menu" aria-expanded="false" aria-controls="contents" hidden>Contents</button></div>
<div id="contents">
<input type="search" id="search" placeholder="Find a type or attribute" aria-label="Find a type or attribute"
autocomplete="off" spellcheck="false">
<h2>Guide</h2>
<ul>${guide.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
<div id="type-list">${groups.map(renderGroupEntries)}${renderOperationEntries()}</div>
</div>
</nav>`;
}

function renderGroupEntries({ title, types }: TypeGroup): Html {
  const entries = types.map(({ type: { name }, depth }) => {
    const link = html`<a href="#${anchorOf(name)}">${name}</a>`;
    return html`<li class="depth-${Math.min(depth, 3)}" data-type="${name}">${link}</li>`;
  });
  return html`<div class="group"><h2>${title}</h2>
<ul>${entries}</ul></div>`;
}

const icon: Html = { markup: iconMarkup };
const hoist: Html = { markup: hoistMarkup };

function renderHead(context: DescriptionContext): Html {
  const types = context.types.filter(({ access }) => access.read !== 'admin');
  return html`<header class="head">
${hoist}<h1>Flaghoist API</h1>
<p>Voyages, port calls, cargoes, bunker orders and invoices over REST. You list, filter, read, create, change and delete
objects of all ${types.length} types in the same way.</p>
<dl><dt>Base URL</dt><dd><code>${context.baseUrl}</code></dd>
<dt>For programs</dt><dd><a href="${documentLink(context)}">openapi.json</a></dd>
<dt>API version</dt><dd>${renderVersions(context)}</dd></dl>
</header>`;
}

/** The version of this page, and links to the others. */
function renderVersions({ apiVersion }: DescriptionContext): Html {
  const links = versionTable.map(({ version }) => {
    const current = version === apiVersion ? html` aria-current="page"` : undefined;
    return html`<li><a href="${pageLink(version)}"${current}>${version}</a></li>`;
  });
  return html`<ul class="versions">${links}</ul>`;
}

function renderGuideSection({ id, title, content }: GuideSection): Html {
  return html`
<section id="${id}">
<h2><a href="#${id}">${title}</a></h2>
${content}
</section>`;
}

function renderGroup(context: DescriptionContext, { id, title, lead, types }: TypeGroup): Html {
  return html`<section class="types" id="${id}">
<h2><a href="#${id}">${title}</a></h2>
<p class="lead">${proseOf(lead)}</p>
${types.map(({ type }) => renderType(context, type))}
</section>
`;
}
