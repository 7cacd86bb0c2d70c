// Compiles the text of an expression against an object type. The result is an evaluator and the attributes that it
// reads, or the list of all mistakes. Neither the compiler nor the compiled expression accesses a database.
//
//   text → checked tree → closures

import type { CheckContext } from './check/check-context.ts';
import { checkText, type RejectedExpression } from './check/check-text.ts';
import { compileChecked } from './compile/compile-checked.ts';
import { type Evaluate, evaluator } from './compile/evaluate.ts';
import type { Run } from './compile/frame.ts';
import type { ObjectShape } from './input/object-shape.ts';
import { type FieldTree, fieldTree, type ReadPlace } from './typing/read-place.ts';

export interface CompiledExpression {
  readonly kind: 'compiled';
  readonly form: 'java' | 'short';
  /** The attributes that are read from the new and the old object, as field selections. */
  readonly selections: Selections<FieldTree>;
  /** The same for the changed object, by the name of its type. Undefined if the expression does not use it. */
  readonly changed: Selections<ReadonlyMap<string, FieldTree>> | undefined;
  readonly evaluate: Evaluate;
}

interface Selections<T> {
  readonly new: T;
  readonly old: T;
}

/** `hierarchy`: the types of the objects whose changes are evaluated; by default only `type` itself. */
export function compileExpression(
  text: string,
  type: ObjectShape,
  hierarchy: readonly ObjectShape[] = [type],
): CompiledExpression | RejectedExpression {
  const checked = checkText(text, { type, hierarchy });
  if (checked.kind === 'mistakes') return checked;
  const { form, context, tree } = checked;
  return {
    kind: 'compiled',
    form,
    selections: { new: fieldTree(context.places.new), old: fieldTree(context.places.old) },
    changed: context.usesChanged ? readOfChanged(context) : undefined,
    evaluate: evaluator(compileChecked(tree) as Run<boolean>, text),
  };
}

function readOfChanged({ places }: CheckContext): CompiledExpression['changed'] {
  const byType = ({ children }: ReadPlace) => new Map([...children].map(([name, place]) => [name, fieldTree(place)]));
  return { new: byType(places.changed), old: byType(places.oldChanged) };
}
