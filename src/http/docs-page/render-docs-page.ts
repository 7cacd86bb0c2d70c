// The page at `/docs`, for people: one HTML document, made once from the model. It needs nothing from anywhere else, and
// runs no script but our own.

import type { Model } from '../../model/object-type.ts';
import { type DescriptionContext, type DescriptionOptions, describe } from '../openapi/description-context.ts';
import { anchorOf } from './attribute-table.ts';
import { type GuideSection, guideSections } from './guide-sections.ts';
import { type Html, html } from './html.ts';
import { hoistMarkup, iconMarkup } from './page-icon.ts';
import { type PlacedType, placeTypes, renderType } from './type-sections.ts';

export function renderDocsPage(model: Model, options: DescriptionOptions): string {
  const context = describe(model, options);
  const guide = guideSections(context);
  const types = placeTypes(context.types);
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
${renderNavigation(context, guide, types)}
<main id="main">
${renderHead(context)}
<div id="guide">${guide.map(renderGuideSection)}</div>
<section id="types">
<h2><a href="#types">Types</a></h2>
<p class="lead">Each has the same resources and takes the same parameters. Sub-objects stand below their owners.</p>
<p id="found" role="status"></p>
${types.map(({ type }) => renderType(context, type))}
</section>
<footer>Flaghoist ${context.version} · <a href="openapi.json">openapi.json</a></footer>
</main>
</body>
</html>
`.markup;
}

function renderNavigation(context: DescriptionContext, guide: GuideSection[], types: PlacedType[]): Html {
  return html`<nav class="side" aria-label="Contents">
<div class="brand"><a href="#main">${icon}<span>Flaghoist</span></a><small>${context.version}</small>
<button type="button" id="menu" aria-expanded="false" aria-controls="contents" hidden>Contents</button></div>
<div id="contents">
<input type="search" id="search" placeholder="Find a type or attribute" aria-label="Find a type or attribute" autocomplete="off" spellcheck="false">
<h2>Guide</h2>
<ul>${guide.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
<h2>Types</h2>
<ul id="type-list">${types.map(
    ({ type, depth }) =>
      html`<li class="depth-${Math.min(depth, 3)}" data-type="${type.name}"><a href="#${anchorOf(type.name)}">${type.name}</a></li>`,
  )}</ul>
</div>
</nav>`;
}

const icon: Html = { markup: iconMarkup };
const hoist: Html = { markup: hoistMarkup };

function renderHead({ types, baseUrl }: DescriptionContext): Html {
  return html`<header class="head">
${hoist}<h1>Flaghoist API</h1>
<p>Voyages, port calls, cargoes, bunker orders and invoices over REST: ${types.length} types of objects, each to be listed, filtered,
read, created, changed and deleted in the same way.</p>
<dl><dt>Base URL</dt><dd><code>${baseUrl}</code></dd><dt>For programs</dt><dd><a href="openapi.json">openapi.json</a></dd></dl>
</header>`;
}

function renderGuideSection({ id, title, content }: GuideSection): Html {
  return html`
<section id="${id}">
<h2><a href="#${id}">${title}</a></h2>
${content}
</section>`;
}
