// Renders the attributes of a type as a table: name, type, allowed values, and whether the attribute is required.

import type { Deprecation } from '../../model/deprecation.ts';
import { mustBeSent } from '../../model/must-be-sent.ts';
import type { Attribute } from '../../model/object-type.ts';
import { explainAttribute } from '../openapi/describe-attribute.ts';
import { type Html, html, proseOf } from './html.ts';

/** `isWritten`: callers can send the attributes. */
export function renderAttributes(attributes: readonly Attribute[], isWritten = true): Html {
  return html`<table class="attributes">
<thead><tr><th>Attribute</th><th>Type</th><th>Description</th></tr></thead>
<tbody>${attributes.map((attribute) => renderRow(attribute, isWritten))}</tbody>
</table>`;
}

export function anchorOf(typeName: string): string {
  return `type-${typeName}`;
}

function renderRow(attribute: Attribute, isWritten: boolean): Html {
  const name = html`<code>${attribute.name}</code>${marksOf(attribute, isWritten)}`;
  const text = html`${proseOf(explainAttribute(attribute))}${valuesOf(attribute)}`;
  return html`<tr><td>${name}</td><td>${typeOf(attribute)}</td><td>${text}</td></tr>
`;
}

function marksOf(attribute: Attribute, isWritten: boolean): Html {
  const { isReadOnly, since, edition } = attribute;
  return html`${[
    isWritten && mustBeSent(attribute) ? html` <span class="mark required">required</span>` : undefined,
    isWritten && isReadOnly ? html` <span class="mark">read-only</span>` : undefined,
    since === undefined ? undefined : html` <span class="mark badge">since ${since}</span>`,
    edition === undefined ? undefined : html` <span class="mark badge">${edition}</span>`,
    deprecationMark(attribute),
  ]}`;
}

export function deprecationMark({ deprecated }: { deprecated?: Deprecation }): Html | undefined {
  return deprecated && html` <span class="mark badge">deprecated</span>`;
}

const kindNames: Partial<Record<Attribute['kind'], string>> = {
  dateTime: 'date and time',
  binary: 'Base64',
  textList: 'text[]',
  json: 'JSON',
  self: 'URL',
};

function typeOf(attribute: Attribute): Html {
  if (attribute.kind === 'reference') return linkTo(attribute.target.name, '→ ');
  if (attribute.kind === 'collection') return html`${linkTo(attribute.of.name)}[]`;
  const length = attribute.kind === 'text' ? attribute.maxLength : undefined;
  const name = kindNames[attribute.kind] ?? attribute.kind;
  return html`${name}${length === undefined ? undefined : html` <small>≤ ${length}</small>`}`;
}

function linkTo(typeName: string, before = ''): Html {
  return html`<a href="#${anchorOf(typeName)}">${before}${typeName}</a>`;
}

function valuesOf(attribute: Attribute): Html | undefined {
  if (!('values' in attribute) || attribute.values.length === 0) return undefined;
  return html`<span class="values">${attribute.values.map((value) => html`<code>${value}</code> `)}</span>`;
}
