// The attributes of a type as a table: what each is, whether it must be sent, and what it may be.

import type { Attribute } from '../../model/object-type.ts';
import { explainAttribute } from '../openapi/describe-attribute.ts';
import { type Html, html, proseOf } from './html.ts';

export function renderAttributes(attributes: readonly Attribute[]): Html {
  return html`<table class="attributes">
<thead><tr><th>Attribute</th><th>Type</th><th>Description</th></tr></thead>
<tbody>${attributes.map(renderRow)}</tbody>
</table>`;
}

export function anchorOf(typeName: string): string {
  return `type-${typeName}`;
}

function renderRow(attribute: Attribute): Html {
  return html`<tr><td><code>${attribute.name}</code>${marksOf(attribute)}</td><td>${typeOf(attribute)}</td><td>${proseOf(explainAttribute(attribute))}${valuesOf(attribute)}</td></tr>
`;
}

function marksOf({ isRequired, isReadOnly }: Attribute): Html | undefined {
  if (isRequired) return html` <span class="mark required">required</span>`;
  return isReadOnly ? html` <span class="mark">read-only</span>` : undefined;
}

function typeOf(attribute: Attribute): Html {
  switch (attribute.kind) {
    case 'reference':
      return linkTo(attribute.target.name, '→ ');
    case 'collection':
      return html`${linkTo(attribute.of.name)}[]`;
    case 'text':
      return html`text${attribute.maxLength === undefined ? undefined : html` <small>≤ ${attribute.maxLength}</small>`}`;
    case 'dateTime':
      return html`date and time`;
    case 'binary':
      return html`Base64`;
    case 'self':
      return html`URL`;
    default:
      return html`${attribute.kind}`;
  }
}

function linkTo(typeName: string, before = ''): Html {
  return html`<a href="#${anchorOf(typeName)}">${before}${typeName}</a>`;
}

function valuesOf(attribute: Attribute): Html | undefined {
  if (attribute.kind !== 'code') return undefined;
  return html`<span class="values">${attribute.values.map((value) => html`<code>${value}</code> `)}</span>`;
}
