// Finds what is deprecated in the parts of a request: its type and action, what its answer shows, its filters and sorts,
// and its body.

import { entryOf } from '../../entry-of.ts';
import type { JsonValue } from '../../json/parse-json.ts';
import type { Action, Attribute, ObjectType } from '../../model/object-type.ts';
import type { ListRequest } from '../../query/list-request.ts';
import { valuesOf } from '../../query/query-parameter.ts';
import type { View } from '../../query/view.ts';
import type { Deprecated } from './deprecation-headers.ts';

export function deprecatedType({ name, deprecated }: ObjectType): Deprecated[] {
  return deprecated ? [{ typeName: name, deprecation: deprecated }] : [];
}

/** Of the action itself, and what its answer always has. */
export function deprecatedAction({ name }: ObjectType, { deprecated, answers }: Action): Deprecated[] {
  return [deprecated, ...answers.map((member) => member.deprecated)].flatMap((one) =>
    one ? [{ typeName: name, deprecation: one }] : [],
  );
}

/** Of the members that were sent. */
export function deprecatedMembers({ name }: ObjectType, { takes }: Action, sent: Iterable<string>): Deprecated[] {
  const names = new Set(sent);
  return takes.flatMap(({ name: member, deprecated }) =>
    deprecated && names.has(member) ? [{ typeName: name, deprecation: deprecated }] : [],
  );
}

/** What an answer in this view shows. */
export function deprecatedInView(view: View): readonly Deprecated[] {
  return entryOf(inViews, view, () => [
    ...deprecatedType(view.type),
    ...view.items.flatMap((item) => [
      ...deprecatedAttribute(view.type, item.attribute),
      ...(item.kind === 'scalar' ? [] : deprecatedInView(item.view)),
    ]),
  ]);
}

/** Views are cached, so that this is found once for each. */
const inViews = new WeakMap<View, readonly Deprecated[]>();

export function deprecatedInList(list: ListRequest): readonly Deprecated[] {
  return entryOf(inLists, list, () => {
    const texts = [...valuesOf(list.query, 'filter'), ...valuesOf(list.query, 'sort')];
    return [...deprecatedInView(list.view), ...texts.flatMap((text) => deprecatedOnPath(list.type, text))];
  });
}

const inLists = new WeakMap<ListRequest, readonly Deprecated[]>();

/** `text`: a filter or a sort that has been parsed without a mistake. */
function deprecatedOnPath(type: ObjectType, text: string): Deprecated[] {
  const found: Deprecated[] = [];
  let at: ObjectType | undefined = type;
  for (const name of (/^[\w.]*/.exec(text)?.[0] ?? '').split('.')) {
    const attribute: Attribute | undefined = at?.attributes.get(name);
    if (!at || !attribute) break;
    found.push(...deprecatedAttribute(at, attribute));
    at = typeBehind(attribute);
    if (at) found.push(...deprecatedType(at));
  }
  return found;
}

export function deprecatedInBody(type: ObjectType, body: JsonValue): Deprecated[] {
  if (Array.isArray(body)) return body.flatMap((each) => deprecatedInBody(type, each));
  if (!(body instanceof Map)) return [];
  return [...body].flatMap(([name, value]) => {
    const attribute = type.attributes.get(name) ?? type.writeOnly.get(name);
    if (!attribute) return [];
    const inside = typeBehind(attribute);
    return [
      ...deprecatedAttribute(type, attribute),
      ...(inside ? [...deprecatedType(inside), ...deprecatedInBody(inside, value)] : []),
    ];
  });
}

function typeBehind(attribute: Attribute): ObjectType | undefined {
  if (attribute.kind === 'reference') return attribute.target;
  return attribute.kind === 'collection' ? attribute.of : undefined;
}

function deprecatedAttribute({ name }: ObjectType, { deprecated }: Attribute): Deprecated[] {
  return deprecated ? [{ typeName: name, deprecation: deprecated }] : [];
}
