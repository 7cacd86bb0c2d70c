// The type of `condition ? yes : no` (JLS §15.25): the same on both sides, or two numbers, or a value and null.

import type { Tree } from '../syntax/syntax-tree.ts';
import { type CheckContext, isUnknown, made, mistaken } from './check-context.ts';
import type { Checked } from './checked-tree.ts';
import { asPassed, asPrimitive, unboxed } from './convert.ts';
import {
  boxOf,
  describeType,
  isBoolean,
  isSameType,
  type JavaType,
  numberOf,
  primitive,
  promote,
  unite,
} from './java-type.ts';

interface Branches {
  readonly condition: Checked;
  readonly yes: Checked;
  readonly no: Checked;
}

export function checkChoice(context: CheckContext, tree: Tree, { condition, yes, no }: Branches): Checked {
  if (isUnknown(yes) || isUnknown(no)) return isUnknown(yes) ? yes : no;
  const choose = (type: JavaType, chosen: Checked, otherwise: Checked) =>
    made(type, tree.start, { kind: 'choice', condition, yes: chosen, no: otherwise });
  if (isSameType(yes.type, no.type)) return choose(unite(yes.type, no.type), yes, no);
  if (yes.type.kind === 'null' || no.type.kind === 'null') {
    const type = boxOf(yes.type.kind === 'null' ? no.type : yes.type);
    return choose(type, asPassed(yes, type), asPassed(no, type));
  }
  if (isBoolean(yes.type) && isBoolean(no.type)) return choose(primitive('boolean'), unboxed(yes), unboxed(no));
  if (isGeneric(yes) || isGeneric(no)) return refuse(context, tree, yes, no);
  const [yesName, noName] = [numberOf(yes.type), numberOf(no.type)];
  if (yesName !== undefined && yesName === noName) return choose(primitive(yesName), unboxed(yes), unboxed(no));
  if (yesName !== undefined && noName !== undefined) {
    const as = promote(yesName, noName);
    // A char beside an int is a char or an int, by whether the int is constant: too fine to rely on.
    if (as === 'int') return refuse(context, tree, yes, no);
    return choose(primitive(as), asPrimitive(yes, as), asPrimitive(no, as));
  }
  return refuse(context, tree, yes, no);
}

/** Java does not unbox what a generic method answers, so beside another type it is neither one nor the other. */
function isGeneric(node: Checked): boolean {
  if (node.kind === 'choice') return isGeneric(node.yes) || isGeneric(node.no);
  return node.kind === 'call' && node.method.name === 'requireNonNullElse';
}

function refuse(context: CheckContext, tree: Tree, yes: Checked, no: Checked): Checked {
  const found = `${describeType(yes.type)} and ${describeType(no.type)}`;
  return mistaken(context, tree, `The two sides of "?:" must have one type, but they are ${found}.`);
}
