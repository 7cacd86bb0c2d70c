// Resolves a dotted path (`bunkerOrderLines.bunkerType.bunkerTypeCode`) in the model, for filters and sorts. The
// callers decide what a path may end with, and whether it may cross a collection.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import type { ApiError } from '../../errors.ts';
import type { Attribute, CollectionAttribute, ObjectType, ReferenceAttribute } from '../../model/object-type.ts';
import { cameLater } from './newer-attribute.ts';
import { neverShown } from './write-only-attribute.ts';

export type Step = ReferenceAttribute | CollectionAttribute;

export interface AttributePath {
  steps: Step[];
  end: Attribute;
  /** The offset of the last name in the text. */
  endAt: number;
}

/** Creates the error for a mistake at an offset of the parsed text. */
export type Refuse = (offset: number, problem: string) => ApiError;

export function parseAttributePath(text: string, type: ObjectType, refuse: Refuse): AttributePath {
  const names = text.split('.');
  if (names.length > namesMax) throw refuse(0, `a path has at most ${namesMax} names, this one has ${names.length}.`);
  const last = names.pop() ?? '';
  const steps: Step[] = [];
  let current = type;
  let offset = 0;
  for (const name of names) {
    const attribute = findAttribute(name, current, offset, refuse);
    offset += name.length + 1;
    if (!isStep(attribute)) {
      throw refuse(offset, `nothing can follow "${name}": it is ${nameKind(attribute)}, no reference or collection.`);
    }
    if (attribute.kind === 'collection' && steps.includes(attribute))
      throw refuse(
        offset - name.length - 1,
        `a path goes through each collection once, and "${name}" is there already.`,
      );
    steps.push(attribute);
    current = typeBehind(attribute);
  }
  return { steps, end: findAttribute(last, current, offset, refuse), endAt: offset };
}

export function typeBehind(step: Step): ObjectType {
  return step.kind === 'reference' ? step.target : step.of;
}

/** Names the kind of an attribute in a message. */
export function nameKind(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'self':
      return 'a URL';
    case 'key':
      return 'a key';
    case 'text':
      return 'a text';
    case 'decimal':
      return 'a decimal number';
    case 'integer':
      return 'an integer';
    case 'dateTime':
      return 'a date and time';
    case 'boolean':
      return 'a boolean';
    case 'code':
      return 'a code';
    case 'binary':
      return 'a file';
    case 'textList':
      return 'a list of texts';
    case 'json':
      return 'JSON';
    case 'reference':
      return `a reference to ${attribute.target.name}`;
    case 'collection':
      return `a collection of ${attribute.of.name}`;
  }
}

const namesMax = 10;

function isStep(attribute: Attribute): attribute is Step {
  return attribute.kind === 'reference' || attribute.kind === 'collection';
}

function findAttribute(name: string, type: ObjectType, offset: number, refuse: Refuse): Attribute {
  const attribute = type.attributes.get(name);
  if (attribute) return attribute;
  if (name === '') throw refuse(offset, `the name of an attribute of ${type.name} was expected here.`);
  const reason = cameLater(type, name) ?? neverShown(type, name);
  if (reason) throw refuse(offset, `"${name}" ${reason}`);
  throw refuse(offset, `${type.name} has no attribute ${quoteText(name)}.${didYouMean(name, type.attributes.keys())}`);
}
