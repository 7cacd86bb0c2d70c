// Any text is compiled or rejected quickly, mistakes point into the text, and an evaluation ends with a value. EXP-29
// in full is `npm run endurance expressions`; the comparison with Java is `differential.long.test.ts`.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Dice } from './differential/dice.ts';
import { examine, mutate } from './differential/examine.ts';
import { randomExpression } from './differential/random-expression.ts';

/** The full run allows ten milliseconds; a test shares its machine with others. */
const msMax = 100;

function check(text: string): void {
  const problem = examine(text, msMax);
  if (problem !== undefined) throw new Error(`${JSON.stringify(text)}: ${problem}`);
}

describe('any text is compiled or rejected, and evaluated to a value', () => {
  test('of random characters', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), check), { numRuns: 1000 });
  });

  test('of random tokens', () => {
    const pieces = fc.constantFrom(
      ...[
        'svcObject',
        'oldSvcObject',
        '.getVessel()',
        '.getDaysTotal()',
        '.getPortCalls()',
        '.stream()',
        '.anyMatch(',
        'p -> ',
        '.length()',
      ],
      ...[
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        ',',
        '.',
        ';',
        '?',
        ':',
        ' ',
        '\n',
        '"',
        "'",
        '"a"',
        "'b'",
        '\\',
        '"""',
        '/*',
        '*/',
        '//',
      ],
      ...['+', '-', '*', '/', '%', '&&', '||', '!', '==', '!=', '<', '>=', '=', '<>', '->', '::', '&', '~'],
      ...[
        '1',
        '0',
        '1.5',
        '2147483648',
        '1L',
        '0x',
        '1e9',
        'true',
        'null',
        'new ',
        'Date',
        'BigDecimal',
        'Math',
        '.abs(',
        ' instanceof ',
      ],
      ...['(int)', '(String)', ' AND ', ' OR ', 'NOT ', 'voyageStatus', 'vessel', 'old.', 'NOM', 'é', '😀', '\u2028'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => check(parts.join(''))),
      { numRuns: 3000 },
    );
  });

  test('EXP-29: 3,000 valid expressions in which a few bytes were changed', () => {
    const dice = new Dice(7);
    let isRight = '';
    for (let count = 0; count < 3000; count++) {
      if (count % 5 === 0) isRight = randomExpression(dice).ours;
      check(mutate(dice, isRight));
    }
    expect(isRight).not.toBe('');
  });
});
