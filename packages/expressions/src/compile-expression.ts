// Compiles the text of an expression against an object type. The result is an evaluator and the attributes that it
// reads, or the list of all mistakes. Neither the compiler nor the compiled expression accesses a database.
//
//   text → tokens → tree → checked tree → closures

import type { CheckContext, ExpressionTypes } from './check/check-context.ts';
import { type CheckedExpression, checkJava } from './check/check-java.ts';
import { checkShortForm } from './check/check-short-form.ts';
import { compileAs } from './compile/compile-checked.ts';
import { type Evaluate, evaluator } from './compile/evaluate.ts';
import type { ObjectShape } from './input/object-shape.ts';
import { ExpressionSyntaxError, type Mistake, MistakeLimitReached, mistakeAt } from './syntax/mistake.ts';
import { parseJava } from './syntax/parse-java.ts';
import { parseShortForm } from './syntax/parse-short-form.ts';
import { type Token, tokenize } from './syntax/token.ts';
import { type FieldTree, fieldTree, type ReadPlace } from './typing/read-place.ts';
import { variables } from './typing/variable.ts';

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

export interface RejectedExpression {
  readonly kind: 'mistakes';
  readonly mistakes: readonly Mistake[];
}

/** `hierarchy`: the types of the objects whose changes are evaluated; by default only `type` itself. */
export function compileExpression(
  text: string,
  type: ObjectShape,
  hierarchy: readonly ObjectShape[] = [type],
): CompiledExpression | RejectedExpression {
  const types: ExpressionTypes = { type, hierarchy };
  return attempt(text, () => {
    if (Buffer.byteLength(text) > bytesMax)
      throw new ExpressionSyntaxError({ start: 0, end: 0 }, `The expression is longer than ${bytesMax} bytes.`);
    const tokens = tokenize(text);
    const compileJava = () => compileForm('java', text, () => checkJava(text, parseJava(tokens), types));
    if (namesVariable(tokens)) return compileJava();
    const short = compileForm('short', text, () => checkShortForm(text, parseShortForm(tokens), types));
    if (short.kind === 'compiled') return short;
    // An expression without variables can still be Java, such as Math.abs(-1) > 0. If it looks like Java, the mistakes
    // of the Java parse are reported.
    const java = compileJava();
    return java.kind === 'compiled' || looksLikeJava(tokens) ? java : short;
  });
}

const bytesMax = 8192;

type Compiled = CompiledExpression | RejectedExpression;

function compileForm(form: CompiledExpression['form'], text: string, check: () => CheckedExpression): Compiled {
  return attempt(text, () => {
    const { context, tree } = check();
    if (context.mistakes.length > 0) return { kind: 'mistakes', mistakes: context.mistakes };
    return {
      kind: 'compiled',
      form,
      selections: { new: fieldTree(context.places.new), old: fieldTree(context.places.old) },
      changed: context.usesChanged ? readOfChanged(context) : undefined,
      evaluate: evaluator(compileAs<boolean>(tree), text),
    };
  });
}

function readOfChanged({ places }: CheckContext): CompiledExpression['changed'] {
  const byType = ({ children }: ReadPlace) => new Map([...children].map(([name, place]) => [name, fieldTree(place)]));
  return { new: byType(places.changed), old: byType(places.oldChanged) };
}

function attempt(text: string, compile: () => Compiled): Compiled {
  try {
    return compile();
  } catch (error) {
    if (error instanceof MistakeLimitReached) return { kind: 'mistakes', mistakes: error.found };
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    return { kind: 'mistakes', mistakes: [mistakeAt(text, error.span, error.message)] };
  }
}

function namesVariable(tokens: readonly Token[]): boolean {
  return tokens.some(({ kind, text }) => kind === 'name' && variables.has(text));
}

/** Whether the tokens contain a call or a constructor; `NOT (…)` is neither. */
function looksLikeJava(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ kind, text }, index) =>
      kind === 'name' && (text === 'new' || (tokens[index + 1]?.text === '(' && !/^(and|or|not)$/i.test(text))),
  );
}
