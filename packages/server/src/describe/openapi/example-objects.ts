// Builds example objects from the examples in the model. An attribute without an example is null, unless it is
// mandatory or its kind has an obvious value.

import { mustBeSent } from '../../model/must-be-sent.ts';
import type {
  Attribute,
  CollectionAttribute,
  ObjectType,
  ReferenceAttribute,
  ScalarAttribute,
  SelfAttribute,
} from '../../model/object-type.ts';
import { minimizedView, type View, type ViewItem, wholeView } from '../../query/view.ts';
import { type DescriptionContext, exampleKey } from './description-context.ts';
import { scalarKinds } from './scalar-kinds.ts';

export type Example = Record<string, unknown>;

export function wholeExample(context: DescriptionContext, type: ObjectType): Example {
  return exampleOf(context, wholeView(type));
}

/** Includes the attributes that only the response to the create shows. */
export function createdExample(context: DescriptionContext, type: ObjectType): Example {
  const once = type.shownOnce.map((attribute) => [attribute.name, kindExample(context, type, attribute)]);
  return { ...wholeExample(context, type), ...Object.fromEntries(once) };
}

export function minimizedExample(context: DescriptionContext, type: ObjectType): Example {
  return exampleOf(context, minimizedView(type));
}

export function referenceExample(context: DescriptionContext, type: ObjectType): Example {
  const shown = type.shownBy.map((attribute) => [attribute.name, scalarExample(context, type, attribute)]);
  return { key: exampleKey(context, type), self: selfExample(context, type), ...Object.fromEntries(shown) };
}

/** Includes the mandatory attributes and those with an example in the model. */
export function createExample(context: DescriptionContext, type: ObjectType, isElement = false): Example {
  const example: Example = {};
  for (const attribute of type.attributes.values()) {
    const isGivenByPlace = isElement && attribute.kind === 'reference' && attribute.isOwner;
    if (attribute.isReadOnly || isGivenByPlace) continue;
    const value = requestValue(context, type, attribute);
    if (value !== undefined) example[attribute.name] = value;
  }
  return example;
}

/** Has one attribute: the first that can be changed. */
export function changeExample(context: DescriptionContext, type: ObjectType): Example {
  const changed = type.scalars.find(({ isReadOnly, isFixed, isUnique, name }) => {
    return !isReadOnly && !isFixed && !isUnique && name !== 'externalObjectKey';
  });
  return changed ? { [changed.name]: kindExample(context, type, changed) } : {};
}

/** Undefined for an attribute that may be empty. */
export function scalarExample(
  context: DescriptionContext,
  type: ObjectType,
  attribute: ScalarAttribute | SelfAttribute,
): unknown {
  if (attribute.kind === 'self') return selfExample(context, type);
  const { hasObviousValue } = scalarKinds[attribute.kind];
  const isShown = attribute.isRequired || attribute.example !== undefined || hasObviousValue?.(attribute);
  return isShown ? kindExample(context, type, attribute) : undefined;
}

function exampleOf(context: DescriptionContext, view: View): Example {
  return Object.fromEntries(view.items.map((item) => [item.attribute.name, itemExample(context, view.type, item)]));
}

function itemExample(context: DescriptionContext, type: ObjectType, item: ViewItem): unknown {
  switch (item.kind) {
    case 'scalar':
      return scalarExample(context, type, item.attribute) ?? null;
    case 'collection':
      return [exampleOf(context, item.view)];
    case 'reference': {
      const whole = referenceExample(context, item.view.type);
      return Object.fromEntries(
        item.view.items.map(({ attribute }) => [attribute.name, whole[attribute.name] ?? null]),
      );
    }
  }
}

function selfExample(context: DescriptionContext, type: ObjectType): string {
  return `${context.restUrl}/${type.name}/${exampleKey(context, type)}`;
}

function kindExample(context: DescriptionContext, type: ObjectType, attribute: ScalarAttribute): unknown {
  if (attribute.name === 'key') return exampleKey(context, type);
  if (attribute.isObjectKey) return exampleKey(context, context.types[0]!);
  const { fits, example } = scalarKinds[attribute.kind];
  return fits?.(attribute.example, attribute) ? attribute.example : example(attribute);
}

function requestValue(context: DescriptionContext, type: ObjectType, attribute: Attribute): unknown {
  switch (attribute.kind) {
    case 'self':
      return undefined;
    case 'reference':
      return mustBeSent(attribute) ? requestReference(context, attribute) : undefined;
    case 'collection':
      return attribute.isRequired ? requestCollection(context, attribute) : undefined;
    default:
      return mustBeSent(attribute) || attribute.example !== undefined
        ? kindExample(context, type, attribute)
        : undefined;
  }
}

function requestReference(context: DescriptionContext, { target }: ReferenceAttribute): unknown {
  return target.code ? kindExample(context, target, target.code) : exampleKey(context, target);
}

function requestCollection(context: DescriptionContext, { of }: CollectionAttribute): unknown {
  return [createExample(context, of, true)];
}
