// Checks the paths of short forms. A path follows references; a bare word that is not an attribute is a text.

import { quoteText } from '@flaghoist/source-text';
import { type AttributeShape, describeKind, type ObjectShape } from '../input/object-shape.ts';
import type { Name, Tree } from '../syntax/syntax-tree.ts';
import { textType } from '../typing/java-type.ts';
import { variableNames } from '../typing/variable.ts';
import { type CheckContext, isUnknown, reportMistake, typed, variableNode, withSource } from './check-context.ts';
import { checkAttribute } from './check-getters.ts';
import type { Checked } from './checked-tree.ts';
import { getterOf } from './getters.ts';
import { type Hint, nearestHint, sentenceOf } from './hint.ts';

export interface ShortOperand {
  readonly node: Checked;
  /** The last attribute of a path. It determines how the other side of a comparison is read. */
  readonly attribute?: AttributeShape;
  /** A bare word that was read as a text. */
  readonly word?: Name;
}

export function checkPath(context: CheckContext, { variable, names, start }: Tree & { kind: 'path' }): ShortOperand {
  const [first] = names;
  // Without a dot before it: `.name` is always an attribute.
  const isBareWord = names.length === 1 && variable === 'new' && start === first!.start;
  if (isBareWord && !context.type.attributes.has(first!.text))
    return { node: typed(textType, start, { kind: 'constant', value: first!.text }), word: first! };
  let node = variableNode(context, variable, start);
  let attribute: AttributeShape | undefined;
  for (const name of names) {
    if (node.type.kind !== 'object') return { node: reportNotReference(context, name, attribute!) };
    const { type } = node.type;
    attribute = type.attributes.get(name.text);
    if (!attribute) return { node: reportUnknown(context, name, type) };
    node = withSource(context, readAttribute(context, name, node, attribute), { start, end: name.end });
    if (isUnknown(node)) return { node };
  }
  return { node, attribute: attribute! };
}

function readAttribute(context: CheckContext, name: Name, object: Checked, attribute: AttributeShape): Checked {
  if (attribute.kind === 'binary' || attribute.kind === 'json' || attribute.kind === 'textList')
    return reportMistake(context, name, `"${name.text}" is ${describeKind(attribute)} and cannot be compared.`);
  return checkAttribute(context, name, object, attribute);
}

function reportNotReference(context: CheckContext, name: Name, attribute: AttributeShape): Checked {
  const kind = describeKind(attribute);
  if (attribute.kind !== 'collection')
    return reportMistake(context, name, `Nothing can follow "${attribute.name}": it is ${kind}, not a reference.`);
  const getter = context.type.attributes.get(attribute.name) === attribute && getterOf(context.type, attribute.name);
  const java = `svcObject.${getter || 'get…'}().stream().anyMatch(item -> …)`;
  const message = `"${attribute.name}" is ${kind}; a short form follows only references. Write ${java}.`;
  return reportMistake(context, name, message);
}

export function reportUnknown(context: CheckContext, name: Name, type: ObjectShape, advice = ''): Checked {
  const hint = nearestHint(name.text, type.attributes.keys()) ?? variableHint(context, name.text, type);
  const message = `${type.name} has no attribute ${quoteText(name.text)}.`;
  return reportMistake(context, name, message, { ...hint, sentence: sentenceOf(hint) + advice });
}

/** A hint if the name is an attribute of a sub-object, or a misspelt variable of Java. */
function variableHint(
  { type: subscribed, hierarchy }: CheckContext,
  name: string,
  type: ObjectShape,
): Hint | undefined {
  const owner = type === subscribed ? hierarchy.find(({ attributes }) => attributes.has(name)) : undefined;
  const getter = owner && getterOf(owner, name);
  return getter
    ? { sentence: ` ${owner.name} has it: in Java, write changedObject.${getter}().` }
    : nearestHint(name, Object.values(variableNames));
}
