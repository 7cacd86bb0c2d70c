// The part of the page about the types: a section for each, sub-objects below their owners.

import { baseAttributeNames } from '../../model/build-model.ts';
import type { ObjectType } from '../../model/object-type.ts';
import type { DescriptionContext } from '../openapi/description-context.ts';
import { createExample, wholeExample } from '../openapi/example-objects.ts';
import { restPath } from '../routes/object-routes.ts';
import { anchorOf, renderAttributes } from './attribute-table.ts';
import { renderJson } from './code-blocks.ts';
import { type Html, html, proseOf } from './html.ts';

export interface PlacedType {
  type: ObjectType;
  /** How many owners are above it. */
  depth: number;
}

/** Owners first, each followed by what it owns. */
export function placeTypes(types: readonly ObjectType[]): PlacedType[] {
  const below = (owner: ObjectType | undefined, depth: number): PlacedType[] =>
    types
      .filter((type) => type.owner?.target === owner)
      .flatMap((type) => [{ type, depth }, ...below(type, depth + 1)]);
  return below(undefined, 0);
}

export function renderType(context: DescriptionContext, type: ObjectType): Html {
  const path = `${restPath}/${type.name}`;
  const attributes = [...type.attributes.values()].filter(({ name, isOnDemand, isReadOnly }) => {
    return !baseAttributeNames.includes(name) && !(isOnDemand && isReadOnly);
  });
  return html`
<section class="type" id="${anchorOf(type.name)}" data-type="${type.name}">
<h3><a href="#${anchorOf(type.name)}">${type.name}</a></h3>
<p class="lead">${proseOf(type.description)}</p>
<ul class="paths">
<li>${methods('GET', 'POST')} <code>${path}</code></li>
<li>${methods('GET', 'PUT', 'DELETE')} <code>${path}/{key}</code></li>
</ul>
${renderAttributes(attributes)}
<details><summary>Example: create one</summary>${renderJson(createExample(context, type))}</details>
<details><summary>Example: the whole object</summary>${renderJson(wholeExample(context, type))}</details>
</section>`;
}

function methods(...names: string[]): Html {
  return html`${names.map((name) => html`<span class="method ${name.toLowerCase()}">${name}</span> `)}`;
}
