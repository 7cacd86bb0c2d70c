// Determines the type of `condition ? yes : no` (JLS §15.25). The branches must have the same type, or be two numbers,
// or a value and null.

import type { Tree } from '../syntax/syntax-tree.ts';
import {
  boxOf,
  isBoolean,
  isSameType,
  type JavaType,
  numberOf,
  primitive,
  promote,
  unite,
} from '../typing/java-type.ts';
import { type CheckContext, isUnknown, reportMistake, typed } from './check-context.ts';
import { describeBoth } from './check-operators.ts';
import type { Checked } from './checked-tree.ts';
import { asArgument, asPrimitive, unboxed } from './convert.ts';

interface Branches {
  readonly condition: Checked;
  readonly yes: Checked;
  readonly no: Checked;
}

export function checkChoice(context: CheckContext, tree: Tree, { condition, yes, no }: Branches): Checked {
  if (isUnknown(yes) || isUnknown(no)) return isUnknown(yes) ? yes : no;
  const choose = (type: JavaType, chosen: Checked, otherwise: Checked) =>
    typed(type, tree.start, { kind: 'choice', condition, yes: chosen, no: otherwise });
  if (isSameType(yes.type, no.type)) return choose(unite(yes.type, no.type), yes, no);
  if (yes.type.kind === 'null' || no.type.kind === 'null') {
    const type = boxOf(yes.type.kind === 'null' ? no.type : yes.type);
    return choose(type, asArgument(yes, type), asArgument(no, type));
  }
  if (isBoolean(yes.type) && isBoolean(no.type)) return choose(primitive('boolean'), unboxed(yes), unboxed(no));
  if (isGeneric(yes) || isGeneric(no)) return differentTypes(context, tree, yes, no);
  const [yesName, noName] = [numberOf(yes.type), numberOf(no.type)];
  if (yesName !== undefined && yesName === noName) return choose(primitive(yesName), unboxed(yes), unboxed(no));
  if (yesName !== undefined && noName !== undefined) {
    const as = promote(yesName, noName);
    // In Java a char and an int give a char or an int, depending on whether the int is constant. This is too subtle to
    // support.
    if (as === 'int') return differentTypes(context, tree, yes, no);
    return choose(primitive(as), asPrimitive(yes, as), asPrimitive(no, as));
  }
  return differentTypes(context, tree, yes, no);
}

/** Java does not unbox the result of a generic method, so its choice with another type has neither of the two types. */
function isGeneric(node: Checked): boolean {
  if (node.kind === 'choice') return isGeneric(node.yes) || isGeneric(node.no);
  return node.kind === 'call' && node.method.name === 'requireNonNullElse';
}

function differentTypes(context: CheckContext, tree: Tree, yes: Checked, no: Checked): Checked {
  return reportMistake(
    context,
    tree,
    `The two sides of "?:" must have one type, but they are ${describeBoth(yes, no)}.`,
  );
}
