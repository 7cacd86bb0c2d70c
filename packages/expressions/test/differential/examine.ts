// Checks what must hold for every text: it is compiled or rejected quickly, its mistakes point into it, and an
// evaluation ends with a value (EXP-29).

import { placeInText } from '@flaghoist/source-text';
import { compileExpression } from '../../src/compile-expression.ts';
import type { Mistake } from '../../src/syntax/mistake.ts';
import { oldVoyage, readerOf, typeOf, voyage } from '../expression-fixture.ts';
import type { Dice } from './dice.ts';

const type = typeOf('Voyage');
const objects = { svcObject: readerOf(voyage), oldSvcObject: readerOf(oldVoyage), nowMs: 0 };

/** The first violation; undefined if there is none. */
export function examine(text: string, msMax: number): string | undefined {
  const started = performance.now();
  const problem = findProblem(text);
  if (problem !== undefined || performance.now() - started <= msMax) return problem;
  // Other processes use the machine too, so a slow text is measured again, by the processor time of this process.
  const fastest = Math.min(...Array.from({ length: 5 }, () => processorMs(() => findProblem(text))));
  return fastest > msMax ? `it takes ${fastest.toFixed(1)} ms` : undefined;
}

export function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function findProblem(text: string): string | undefined {
  try {
    const result = compileExpression(text, type);
    if (result.kind === 'mistakes') return problemOf(text, result.mistakes);
    const outcome = result.evaluate(objects);
    if (outcome.kind === 'value')
      return typeof outcome.value === 'boolean' ? undefined : `its value is ${String(outcome.value)}`;
    return outcome.exception === 'InternalError' ? outcome.message : undefined;
  } catch (error) {
    return `it throws ${error instanceof Error ? error.stack : String(error)}`;
  }
}

function problemOf(text: string, mistakes: readonly Mistake[]): string | undefined {
  if (mistakes.length === 0) return 'it is rejected without a reason';
  const misplaced = mistakes.find(({ line, column, offset, length, message }) => {
    const place = placeInText(text, offset);
    const isInside = offset >= 0 && length >= 0 && offset + length <= text.length;
    return !isInside || place.line !== line || place.column !== column || !/^\S.*[.?]$/s.test(message);
  });
  return misplaced && `a mistake is not well-formed: ${JSON.stringify(misplaced)}`;
}

/** Makes one to four changes: bytes are removed, repeated, replaced, inserted or moved. */
export function mutate(dice: Dice, text: string): string {
  let bytes = [...Buffer.from(text)];
  for (let times = 1 + dice.below(4); times > 0; times--) {
    const at = dice.below(bytes.length + 1);
    const length = 1 + dice.below(4);
    const [before, piece, after] = [bytes.slice(0, at), bytes.slice(at, at + length), bytes.slice(at + length)];
    const elsewhere = dice.below(before.length + 1);
    bytes = dice.pick([
      [...before, ...after],
      [...before, ...piece, ...piece, ...after],
      [...before, dice.below(256), ...piece.slice(1), ...after],
      [...before, dice.pick(syntaxBytes), ...piece, ...after],
      [...before.slice(0, elsewhere), ...piece, ...before.slice(elsewhere), ...after],
    ]);
  }
  return Buffer.from(bytes).toString('utf8');
}

const syntaxBytes = [...Buffer.from('()[]{}.,;:?!&|<>=+-*/%"\'\\ \n09aeE_$@#~^')];
