// Builds example objects from the examples in the model. An attribute without an example is null, unless it is
// mandatory or its kind has an obvious value.

import { mustBeSent } from '../../../model/must-be-sent.ts';
import type { Action, Attribute, ObjectType, ScalarAttribute, SelfAttribute } from '../../../model/object-type.ts';
import { minimizedView, referenceView, type View, type ViewItem, wholeView } from '../../../query/view.ts';
import type { DescriptionContext } from '../description-context.ts';
import { byName } from '../json-schema.ts';
import { scalarKinds } from '../scalar-kinds.ts';

export type Example = Record<string, unknown>;

/** Each type has the same key in all examples, so that the examples are consistent. */
export function exampleKey({ types }: DescriptionContext, type: ObjectType): number {
  return 1001 + types.indexOf(type);
}

export function wholeExample(context: DescriptionContext, type: ObjectType): Example {
  return viewExample(context, wholeView(type));
}

/** Includes the attributes that only the response to the create shows. */
export function createdExample(context: DescriptionContext, type: ObjectType): Example {
  const once = byName(type.shownOnce, (attribute) => scalarValue(context, type, attribute));
  return { ...wholeExample(context, type), ...once };
}

export function minimizedExample(context: DescriptionContext, type: ObjectType): Example {
  return viewExample(context, minimizedView(type));
}

export function referenceExample(context: DescriptionContext, type: ObjectType): Example {
  return viewExample(context, referenceView(type));
}

/** Includes the mandatory attributes and those with an example in the model. */
export function createExample(context: DescriptionContext, type: ObjectType, isElement = false): Example {
  const isSent = (attribute: Attribute) =>
    !attribute.isReadOnly && !(isElement && attribute.kind === 'reference' && attribute.isOwner);
  const sent = [...type.attributes.values()].filter(isSent);
  return withoutUndefined(byName(sent, (attribute) => requestValue(context, type, attribute)));
}

/** Has one attribute: the first that can be changed. */
export function changeExample(context: DescriptionContext, type: ObjectType): Example {
  const changed = type.scalars.find(({ isReadOnly, isFixed, isUnique, name }) => {
    return !isReadOnly && !isFixed && !isUnique && name !== 'externalObjectKey';
  });
  return changed ? { [changed.name]: scalarValue(context, type, changed) } : {};
}

/** An optional member is included only if the model has an example for it, because some members exclude each other. */
export function actionRequestExample(
  context: DescriptionContext,
  type: ObjectType | undefined,
  { takes }: Action,
): Example {
  const sent = takes.filter((member) => mustBeSent(member) || member.example !== undefined);
  return withoutUndefined(byName(sent, (member) => scalarExample(context, type, member)));
}

/** One element, if the response is a list. */
export function actionResponseExample(
  context: DescriptionContext,
  type: ObjectType | undefined,
  { answers }: Action,
): Example {
  return withoutUndefined(byName(answers, (member) => scalarExample(context, type, member)));
}

/** Undefined for an attribute that may be empty. `type` is undefined for a member of an operation without a type. */
export function scalarExample(
  context: DescriptionContext,
  type: ObjectType | undefined,
  attribute: ScalarAttribute | SelfAttribute,
): unknown {
  if (attribute.kind === 'self') return type && selfExample(context, type);
  const { hasObviousValue } = scalarKinds[attribute.kind];
  const isShown = attribute.isRequired || attribute.example !== undefined || hasObviousValue?.(attribute);
  return isShown ? scalarValue(context, type, attribute) : undefined;
}

function viewExample(context: DescriptionContext, { type, items }: View): Example {
  return Object.fromEntries(items.map((item) => [item.attribute.name, itemExample(context, type, item)]));
}

function itemExample(context: DescriptionContext, type: ObjectType, item: ViewItem): unknown {
  switch (item.kind) {
    case 'scalar':
      return scalarExample(context, type, item.attribute) ?? null;
    case 'collection':
      return [viewExample(context, item.view)];
    case 'reference':
      return viewExample(context, item.view);
  }
}

function selfExample(context: DescriptionContext, type: ObjectType): string {
  return `${context.restUrl}/${type.name}/${exampleKey(context, type)}`;
}

function scalarValue(context: DescriptionContext, type: ObjectType | undefined, attribute: ScalarAttribute): unknown {
  if (attribute.name === 'key' && type) return exampleKey(context, type);
  if (attribute.isObjectKey) return exampleKey(context, context.types[0]!);
  const { fits, example } = scalarKinds[attribute.kind];
  return fits?.(attribute.example, attribute) ? attribute.example : example(attribute);
}

function requestValue(context: DescriptionContext, type: ObjectType, attribute: Attribute): unknown {
  if (attribute.kind === 'self') return undefined;
  if (attribute.kind === 'collection')
    return attribute.isRequired ? [createExample(context, attribute.of, true)] : undefined;
  if (attribute.kind === 'reference') {
    const { target } = attribute;
    if (!mustBeSent(attribute)) return undefined;
    return target.code ? scalarValue(context, target, target.code) : exampleKey(context, target);
  }
  const isSent = mustBeSent(attribute) || attribute.example !== undefined;
  return isSent ? scalarValue(context, type, attribute) : undefined;
}

function withoutUndefined(example: Example): Example {
  return Object.fromEntries(Object.entries(example).filter(([, value]) => value !== undefined));
}
