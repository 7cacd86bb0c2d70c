// Parses and checks the text of an expression: as Java if it names one of the variables, otherwise as a short form, or
// as Java if it is not a valid one.
//
//   text → tokens → tree → checked tree

import { ExpressionSyntaxError, type Mistake, MistakeLimitReached, mistakeAt } from '../syntax/mistake.ts';
import { parseJava } from '../syntax/parse-java.ts';
import { parseShortForm } from '../syntax/parse-short-form.ts';
import { type Token, tokenize } from '../syntax/token.ts';
import { variables } from '../typing/variable.ts';
import type { ExpressionTypes } from './check-context.ts';
import { type CheckedExpression, checkJava } from './check-java.ts';
import { checkShortForm } from './check-short-form.ts';

export interface CheckedText extends CheckedExpression {
  readonly kind: 'checked';
  readonly form: 'java' | 'short';
}

export interface RejectedExpression {
  readonly kind: 'mistakes';
  readonly mistakes: readonly Mistake[];
}

export function checkText(text: string, types: ExpressionTypes): CheckedText | RejectedExpression {
  return attempt(text, () => {
    if (Buffer.byteLength(text) > bytesMax)
      throw new ExpressionSyntaxError({ start: 0, end: 0 }, `The expression is longer than ${bytesMax} bytes.`);
    const tokens = tokenize(text);
    const asJava = () => checkForm('java', text, () => checkJava(text, parseJava(tokens), types));
    if (namesVariable(tokens)) return asJava();
    const short = checkForm('short', text, () => checkShortForm(text, parseShortForm(tokens), types));
    if (short.kind === 'checked') return short;
    // An expression without variables can still be Java, such as Math.abs(-1) > 0. If it looks like Java, the mistakes
    // of the Java parse are reported.
    const java = asJava();
    return java.kind === 'checked' || looksLikeJava(tokens) ? java : short;
  });
}

const bytesMax = 8192;

type Result = CheckedText | RejectedExpression;

function checkForm(form: CheckedText['form'], text: string, check: () => CheckedExpression): Result {
  return attempt(text, () => {
    const { context, tree } = check();
    if (context.mistakes.length > 0) return { kind: 'mistakes', mistakes: context.mistakes };
    return { kind: 'checked', form, context, tree };
  });
}

function attempt(text: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof MistakeLimitReached) return { kind: 'mistakes', mistakes: error.found };
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    return { kind: 'mistakes', mistakes: [mistakeAt(text, error.span, error.message, error.suggestion)] };
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
