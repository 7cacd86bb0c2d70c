// Several evaluations can share a budget of steps. An evaluation fails if the budget is used up, and says so.

import { describe, expect, test } from 'vitest';
import { stepsMax } from '../src/run/meter.ts';
import { compiled, readerOf, voyage } from './expression-fixture.ts';

const usedUp = {
  kind: 'error',
  exception: 'LimitExceeded',
  message: 'LimitExceeded: the expressions of this user have used all evaluation steps for one change.',
};
const expensive = 'svcObject.getComments().toUpperCase().length() == 16000';
const cheap = 'svcObject.isTc()';

function evaluate(text: string, steps?: { left: number }) {
  const svcObject = readerOf({ ...voyage, comments: 'x'.repeat(16_000) });
  return compiled(text).evaluate({ svcObject, oldSvcObject: null, ...(steps && { steps }) });
}

describe('a shared budget', () => {
  test('is reduced by the steps of each evaluation, at least one', () => {
    const steps = { left: 10_000 };
    expect(evaluate(cheap, steps)).toEqual({ kind: 'value', value: true });
    expect(steps.left).toBe(9999);
    expect(evaluate(expensive, steps)).toEqual({ kind: 'value', value: true });
    expect(steps.left).toBe(7999);
  });

  test('that is too small ends the evaluation and all later ones', () => {
    const steps = { left: 1000 };
    expect([evaluate(expensive, steps), steps.left]).toEqual([usedUp, 0]);
    expect([evaluate(cheap, steps), steps.left]).toEqual([usedUp, 0]);
    expect(evaluate(cheap)).toEqual({ kind: 'value', value: true });
  });

  test('does not raise the limit of a single evaluation', () => {
    const steps = { left: 10 * stepsMax };
    const replaced = '.replace("x", "y").replace("y", "x")'.repeat(20);
    const endless = `svcObject != null && "x".repeat(60000)${replaced}.isEmpty()`;
    expect(evaluate(endless, steps)).toMatchObject({ message: expect.stringContaining(`more than ${stepsMax} steps`) });
    expect(steps.left).toBe(9 * stepsMax);
  });

  test('is also reduced by an evaluation that fails for another reason, which keeps its message', () => {
    const steps = { left: 100 };
    expect(evaluate('svcObject != null && 1 / 0 == 1', steps)).toMatchObject({ exception: 'ArithmeticException' });
    expect(steps.left).toBe(99);
  });
});
