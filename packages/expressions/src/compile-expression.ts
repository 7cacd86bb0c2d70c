// Compiles the text of an expression against an object type. The result is an evaluator and the attributes that it
// reads, or the list of all mistakes. Neither the compiler nor the compiled expression accesses a database.
//
//   text → tokens → tree → checked tree → closures

import { variables } from './check/check-context.ts';
import type { CheckedExpression } from './check/check-java.ts';
import { checkJava } from './check/check-java.ts';
import { checkShortForm } from './check/check-short-form.ts';
import { compileAs } from './compile/compile-checked.ts';
import { type Evaluate, evaluator } from './compile/evaluate.ts';
import type { ObjectShape } from './input/object-shape.ts';
import { EnoughMistakes, ExpressionSyntaxError, type Mistake, mistakeAt, type Span } from './syntax/mistake.ts';
import { parseJava } from './syntax/parse-java.ts';
import { parseShortForm } from './syntax/parse-short-form.ts';
import { type Token, tokenize } from './syntax/token.ts';
import { type FieldTree, fieldTree, type Variable } from './typing/read-place.ts';

export interface CompiledExpression {
  readonly kind: 'compiled';
  readonly form: 'java' | 'short';
  /** The attributes that are read from the new and the old object, as field selections. */
  readonly selections: Readonly<Record<Variable, FieldTree>>;
  readonly evaluate: Evaluate;
}

export interface RefusedExpression {
  readonly kind: 'mistakes';
  readonly mistakes: readonly Mistake[];
}

export function compileExpression(text: string, type: ObjectShape): CompiledExpression | RefusedExpression {
  if (Buffer.byteLength(text) > bytesMax) {
    return singleMistake(text, { start: 0, end: 0 }, `The expression is longer than ${bytesMax} bytes.`);
  }
  const tokens = attempt(text, () => tokenize(text));
  if ('mistakes' in tokens) return tokens;
  const java = () => compileForm('java', text, () => checkJava(text, parseJava(tokens.done), type));
  if (namesVariable(tokens.done)) return java();
  const short = compileForm('short', text, () => checkShortForm(text, parseShortForm(tokens.done), type));
  if (short.kind === 'compiled') return short;
  // An expression without variables can still be Java, such as Math.abs(-1) > 0. If it looks like Java, the mistakes
  // of the Java parse are reported.
  const asJava = java();
  return asJava.kind === 'compiled' || looksLikeJava(tokens.done) ? asJava : short;
}

const bytesMax = 8192;

function compileForm(
  form: 'java' | 'short',
  source: string,
  check: () => CheckedExpression,
): CompiledExpression | RefusedExpression {
  const checked = attempt(source, check);
  if ('mistakes' in checked) return checked;
  const { context, tree } = checked.done;
  if (context.mistakes.found.length > 0) return { kind: 'mistakes', mistakes: context.mistakes.found };
  return {
    kind: 'compiled',
    form,
    selections: { new: fieldTree(context.places.new), old: fieldTree(context.places.old) },
    evaluate: evaluator(compileAs<boolean>(tree), source),
  };
}

function attempt<T>(text: string, parse: () => T): { done: T } | RefusedExpression {
  try {
    return { done: parse() };
  } catch (error) {
    if (error instanceof EnoughMistakes) return { kind: 'mistakes', mistakes: error.found };
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    return singleMistake(text, error.span, error.message);
  }
}

function singleMistake(text: string, span: Span, message: string): RefusedExpression {
  return { kind: 'mistakes', mistakes: [mistakeAt(text, span, message)] };
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
