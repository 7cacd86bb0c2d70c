// The message of a failed evaluation can always be stored and shown, whatever text it quotes.

import { expect, test } from 'vitest';
import type { ObjectReader } from '../src/input/object-shape.ts';
import { compiled, outcomeOf, voyage } from './expression-fixture.ts';

test('a text that is not a number is quoted, with names for invisible characters', () => {
  expect(outcomeOf('svcObject != null && Integer.parseInt("\\0") == 1')).toMatchObject({
    exception: 'NumberFormatException',
    message: expect.stringContaining('"U+0000" is not a number'),
  });
});

test.each([
  'Integer.parseInt(svcObject.getComments()) == 1',
  'Double.parseDouble(svcObject.getComments()) == 1',
  '"a".matches(svcObject.getComments())',
  '"a".replaceAll("a", svcObject.getComments()).isEmpty()',
])('%s', (text) => {
  for (const sign of ['\0', '\u001b', '\n', '\u2028', '\ud800', '😀', '[\0', '$\0', '\\\0'])
    for (const comments of [sign, sign.repeat(400), `(${sign}`.repeat(400)]) {
      const outcome = outcomeOf(text, { ...voyage, comments });
      if (outcome.kind === 'error') expectStorable(outcome.message);
    }
});

test('the message of an unexpected error is shortened and made printable too', () => {
  const broken: ObjectReader = {
    key: 1,
    get() {
      throw new Error('\0😀'.repeat(5000));
    },
  };
  const outcome = compiled('svcObject.getComments() != null').evaluate({ svcObject: broken, oldSvcObject: null });
  expect(outcome).toMatchObject({ kind: 'error', exception: 'InternalError' });
  if (outcome.kind === 'error') expectStorable(outcome.message);
});

function expectStorable(message: string): void {
  expect(message.length).toBeLessThanOrEqual(1000);
  expect(message).not.toMatch(/\p{C}|[\u2028\u2029]/u);
}
