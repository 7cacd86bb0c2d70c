// The sections of the docs page about the operations that belong to no type.

import { serviceOperations } from '../../model/catalogue/service-operations.ts';
import type { ServiceOperation } from '../../model/service-operation.ts';
import { restPath } from '../../paths.ts';
import type { DescriptionContext } from '../openapi/description-context.ts';
import { anchorOf } from './attribute-table.ts';
import { type Html, html, proseOf } from './html.ts';
import { nameScopes, renderCall, renderPath } from './type-sections.ts';

/** The search of the page finds operations by their path, as it finds types by their name. */
export function renderOperationEntries(): Html {
  const entries = serviceOperations.map(
    ({ name, path }) => html`<li class="depth-0" data-type="${path}"><a href="#${anchorOf(name)}">${path}</a></li>`,
  );
  return html`<div class="group"><h2>Service</h2>
<ul>${entries}</ul></div>`;
}

export function renderOperations(context: DescriptionContext): Html {
  return html`<section class="types" id="service">
<h2><a href="#service">Service</a></h2>
<p class="lead">Operations that belong to no type.</p>
${serviceOperations.map((operation) => renderOperation(context, operation))}
</section>
`;
}

function renderOperation(context: DescriptionContext, operation: ServiceOperation): Html {
  const { name, path, method, scope, summary } = operation;
  return html`
<section class="type operation" id="${anchorOf(name)}" data-type="${path}">
<h3><a href="#${anchorOf(name)}">${path}</a></h3>
<p class="lead">${proseOf(summary)}.</p>
<ul class="paths">${renderPath(`${restPath}/${path}`, method)}</ul>
<p class="needs">${proseOf(`Scope: ${nameScopes(scope)}.`)}</p>
${renderCall(context, undefined, operation)}
</section>`;
}
