// Follows a path of a short form through references. A bare word that is no attribute is a text.

import { quoteText } from '../../../json/printable.ts';
import type { Attribute, ObjectType } from '../../../model/object-type.ts';
import { nameKind } from '../../../query/attribute-path.ts';
import { didYouMean } from '../../../query/nearest-name.ts';
import { cameLater } from '../../../query/newer-attribute.ts';
import type { Name, Tree } from '../syntax/syntax-tree.ts';
import { checkAttribute } from './check-calls.ts';
import { type CheckContext, isUnknown, made, mistaken } from './check-context.ts';
import type { Checked } from './checked-tree.ts';
import { gettersOf } from './getters.ts';
import { textType } from './java-type.ts';

export interface ShortOperand {
  readonly node: Checked;
  /** What a path ends at: the other side is read as a value of it. */
  readonly attribute?: Attribute;
  /** A bare word that was taken for a text. */
  readonly word?: Name;
}

export type PathTree = Tree & { kind: 'path' };

export function checkPath(context: CheckContext, tree: PathTree): ShortOperand {
  const { variable, names } = tree;
  const [first] = names;
  const isBareWord = names.length === 1 && variable === 'new' && tree.start === first!.start;
  if (isBareWord && !context.type.attributes.has(first!.text)) {
    return { node: made(textType, first!.start, { kind: 'constant', value: first!.text }), word: first! };
  }
  const root = { kind: 'object', type: context.type, places: [context.places[variable]] } as const;
  let node = made(root, tree.start, { kind: 'variable', variable });
  let attribute: Attribute | undefined;
  for (const name of names) {
    if (attribute !== undefined && node.type.kind !== 'object') return { node: refuseStep(context, name, attribute) };
    const { type } = node.type as typeof root;
    attribute = type.attributes.get(name.text);
    if (!attribute) return { node: refuseName(context, name, type) };
    node = readAttribute(context, name, node, attribute);
    if (isUnknown(node)) return { node };
  }
  return { node, attribute: attribute! };
}

function readAttribute(context: CheckContext, name: Name, object: Checked, attribute: Attribute): Checked {
  if (attribute.kind === 'binary' || attribute.kind === 'json' || attribute.kind === 'textList')
    return mistaken(context, name, `"${name.text}" is ${nameKind(attribute)} and cannot be compared.`);
  return checkAttribute(context, name, object, attribute, true);
}

function refuseStep(context: CheckContext, name: Name, attribute: Attribute): Checked {
  if (attribute.kind !== 'collection')
    return mistaken(
      context,
      name,
      `Nothing can follow "${attribute.name}": it is ${nameKind(attribute)}, no reference.`,
    );
  const getter = [...gettersOf(context.type).values()].find((known) => known.attribute === attribute)?.name;
  const java = `svcObject.${getter ?? `get…`}().stream().anyMatch(one -> …)`;
  return mistaken(
    context,
    name,
    `"${attribute.name}" is ${nameKind(attribute)}; a short form follows references. Write ${java}.`,
  );
}

export function refuseName(context: CheckContext, name: Name, type: ObjectType): Checked {
  const later = cameLater(type, name.text);
  if (later !== undefined) return mistaken(context, name, `"${name.text}" ${later}`);
  const hint = didYouMean(name.text, type.attributes.keys());
  return mistaken(context, name, `${type.name} has no attribute ${quoteText(name.text)}.${hint}`);
}
