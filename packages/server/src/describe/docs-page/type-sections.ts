// The sections of the docs page about the types, one per type. Sub-objects follow their owners, and types for admins
// are in a separate group.

import { baseAttributeNames } from '../../model/build-model.ts';
import type { Action, Attribute, ObjectType } from '../../model/object-type.ts';
import { type Scope, scopesNeeded } from '../../model/scopes.ts';
import { restPath } from '../../paths.ts';
import { json } from '../guide/guide-block.ts';
import { withDeprecation } from '../openapi/describe-attribute.ts';
import type { DescriptionContext } from '../openapi/description-context.ts';
import {
  actionResponseExample,
  createdExample,
  createExample,
  wholeExample,
} from '../openapi/examples/object-examples.ts';
import { anchorOf, deprecationMark, renderAttributes } from './attribute-table.ts';
import { type Html, html, proseOf } from './html.ts';
import { renderCode } from './render-block.ts';

export interface TypeGroup {
  id: string;
  title: string;
  lead: string;
  types: PlacedType[];
}

export interface PlacedType {
  type: ObjectType;
  /** The number of owners above the type. */
  depth: number;
}

export function groupTypes(types: readonly ObjectType[]): TypeGroup[] {
  const isForAdmins = ({ access }: ObjectType) => access.read === 'admin';
  const groups: TypeGroup[] = [
    {
      id: 'types',
      title: 'Types',
      lead: 'All types have the same resources and parameters. Sub-objects are listed below their owners.',
      types: placeTypes(types, (root) => !isForAdmins(root)),
    },
    {
      id: 'administration',
      title: 'Administration',
      lead: 'Users, clients and the audit log. These resources need the scope `admin`.',
      types: placeTypes(types, isForAdmins),
    },
  ];
  return groups.filter((group) => group.types.length > 0);
}

/** Owners first, each followed by the types that it owns. An owned type is always in the group of its owner. */
function placeTypes(types: readonly ObjectType[], isWanted: (root: ObjectType) => boolean): PlacedType[] {
  const below = (owner: ObjectType, depth: number): PlacedType[] =>
    types
      .filter((type) => type.owner?.target === owner)
      .flatMap((type) => [{ type, depth }, ...below(type, depth + 1)]);
  const roots = types.filter((type) => type.owner === undefined && isWanted(type));
  return roots.flatMap((type) => [{ type, depth: 0 }, ...below(type, 1)]);
}

export function renderType(context: DescriptionContext, type: ObjectType): Html {
  const isWritten = type.access.write !== 'nobody';
  return html`
<section class="type" id="${anchorOf(type.name)}" data-type="${type.name}">
<h3><a href="#${anchorOf(type.name)}">${type.name}</a>${deprecationMark(type)}</h3>
<p class="lead">${proseOf(withDeprecation(type.description, type))}</p>
${renderPaths(type)}
${renderAttributes(attributesOf(type), isWritten)}
${isWritten && !type.isCreatedByService ? example('a request to create', createExample(context, type)) : undefined}
${type.shownOnce.length > 0 ? example('the response to the create', createdExample(context, type)) : undefined}
${example('the whole object', wholeExample(context, type))}
${[...type.actions.values()].map((action) => renderAction(context, type, action))}
</section>`;
}

function attributesOf({ attributes, writeOnly, shownOnce }: ObjectType): Attribute[] {
  const own = [...attributes.values()].filter((attribute) => {
    return !baseAttributeNames.includes(attribute.name) && (attribute.kind !== 'collection' || attribute.isOwned);
  });
  return [...own, ...writeOnly.values(), ...shownOnce];
}

function renderPaths({ name, access, actions, isCreatedByService }: ObjectType): Html {
  const path = `${restPath}/${name}`;
  const isWritten = access.write !== 'nobody';
  const isCreated = isWritten && !isCreatedByService;
  return html`<ul class="paths">
${renderPath(path, 'GET', isCreated && 'POST')}
${renderPath(`${path}/{key}`, 'GET', isWritten && 'PUT', isCreated && 'DELETE')}
${[...actions.values()].map((action) => [
  action.on === 'type' ? undefined : renderPath(`${path}/{key}/${action.name}`, action.method),
  action.on === 'object' ? undefined : renderPath(`${path}/${action.name}`, action.method),
])}
</ul>
<p class="needs">${proseOf(scopesOf({ access, actions }))}</p>`;
}

export function renderPath(path: string, ...methods: (string | false)[]): Html {
  const badges = methods
    .filter((method) => method !== false)
    .map((method) => html`<span class="method ${method.toLowerCase()}">${method}</span> `);
  return html`<li>${badges} <code>${path}</code></li>`;
}

/** For example ``Scope: `read` to read, `write` to write.`` */
function scopesOf({ access, actions }: Pick<ObjectType, 'access' | 'actions'>): string {
  const reading = nameScopes(access.read);
  if (access.write === 'nobody') return `Scope: ${reading}${actions.size > 0 ? '' : '; only the service writes it'}.`;
  const writing = nameScopes(access.write);
  return `Scope: ${reading === writing ? reading : `${reading} to read, ${writing} to write`}.`;
}

export function nameScopes(scope: Scope): string {
  return scopesNeeded(scope)
    .map((needed) => `\`${needed}\``)
    .join(' and ');
}

function renderAction(context: DescriptionContext, type: ObjectType, action: Action): Html {
  const { name, since } = action;
  return html`
<h4>${name}${since === undefined ? undefined : html` <span class="mark badge">since ${since}</span>`}${deprecationMark(action)}</h4>
${renderCall(context, type, action)}`;
}

/** What the action does, takes and answers. */
export function renderCall(context: DescriptionContext, type: ObjectType | undefined, action: Action): Html {
  const { name, description, takes, answers, answersList } = action;
  const members = actionResponseExample(context, type, action);
  return html`<p>${proseOf(withDeprecation(description, action))}</p>
${takes.length > 0 ? html`<p>Parameters:</p>${renderAttributes(takes)}` : undefined}
${answers.length > 0 ? example(`the response of ${name}`, answersList ? [members] : members) : undefined}`;
}

function example(title: string, value: unknown): Html {
  return html`<details><summary>Example: ${title}</summary>${renderCode(json(value))}</details>`;
}
