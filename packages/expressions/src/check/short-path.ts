// Checks a path of a short form, which follows references. A bare word that is not an attribute is a text.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import { type AttributeShape, describeKind, type ObjectShape } from '../input/object-shape.ts';
import type { Name, Tree } from '../syntax/syntax-tree.ts';
import { textType } from '../typing/java-type.ts';
import { checkAttribute } from './check-calls.ts';
import { type CheckContext, isUnknown, reportMistake, typed } from './check-context.ts';
import type { Checked } from './checked-tree.ts';
import { gettersOf } from './getters.ts';

export interface ShortOperand {
  readonly node: Checked;
  /** The last attribute of a path. It determines how the other side of a comparison is read. */
  readonly attribute?: AttributeShape;
  /** A bare word that was read as a text. */
  readonly word?: Name;
}

export type PathTree = Tree & { kind: 'path' };

export function checkPath(context: CheckContext, tree: PathTree): ShortOperand {
  const { variable, names } = tree;
  const [first] = names;
  const isBareWord = names.length === 1 && variable === 'new' && tree.start === first!.start;
  if (isBareWord && !context.type.attributes.has(first!.text)) {
    return { node: typed(textType, first!.start, { kind: 'constant', value: first!.text }), word: first! };
  }
  const root = { kind: 'object', type: context.type, places: [context.places[variable]] } as const;
  let node = typed(root, tree.start, { kind: 'variable', variable });
  let attribute: AttributeShape | undefined;
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

function readAttribute(context: CheckContext, name: Name, object: Checked, attribute: AttributeShape): Checked {
  if (attribute.kind === 'binary' || attribute.kind === 'json' || attribute.kind === 'textList')
    return reportMistake(context, name, `"${name.text}" is ${describeKind(attribute)} and cannot be compared.`);
  return checkAttribute(context, name, object, attribute, true);
}

function refuseStep(context: CheckContext, name: Name, attribute: AttributeShape): Checked {
  if (attribute.kind !== 'collection')
    return reportMistake(
      context,
      name,
      `Nothing can follow "${attribute.name}": it is ${describeKind(attribute)}, not a reference.`,
    );
  const getter = [...gettersOf(context.type).values()].find((known) => known.attribute === attribute)?.name;
  const java = `svcObject.${getter ?? `get…`}().stream().anyMatch(one -> …)`;
  return reportMistake(
    context,
    name,
    `"${attribute.name}" is ${describeKind(attribute)}; a short form follows references. Write ${java}.`,
  );
}

export function refuseName(context: CheckContext, name: Name, type: ObjectShape): Checked {
  const hint = didYouMean(name.text, type.attributes.keys());
  return reportMistake(context, name, `${type.name} has no attribute ${quoteText(name.text)}.${hint}`);
}
