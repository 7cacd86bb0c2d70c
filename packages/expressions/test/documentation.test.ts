// docs/reference/expressions.md is correct: it lists the methods of the tables, and its examples behave as it says.
// After a change to a table: npm test -- -u

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileExpression } from '../src/compile-expression.ts';
import { renderParameters } from '../src/methods/choose-method.ts';
import { classNames, findClass, methodsOn } from '../src/methods/known-classes.ts';
import type { Method } from '../src/methods/method.ts';
import { stepsMax, textMax } from '../src/run/meter.ts';
import { boxed, generic, type JavaType, nullType, plain, renderType, unknownType } from '../src/typing/java-type.ts';
import { mistakesIn, typeOf, voyageHierarchy } from './expression-fixture.ts';

const page = readFileSync(new URL('../../../docs/reference/expressions.md', import.meta.url), 'utf8');

test('the page lists every method, static method, constant and constructor of the tables', async () => {
  const rows = [
    ...receivers.map(
      ([name, type]) =>
        `| \`${name}\` | ${methodsOn(type)
          .map((method) => shown(method, type))
          .join(', ')} |`,
    ),
    ...classNames().map((name) => `| ${name} | ${ofClass(name).join(', ')} |`),
  ];
  const table = `<!-- methods -->\n| On | Can be called |\n|---|---|\n${rows.join('\n')}\n<!-- /methods -->`;
  await expect(page.replace(/<!-- methods -->.*<!-- \/methods -->/s, () => table)).toMatchFileSnapshot(
    '../../../docs/reference/expressions.md',
  );
});

describe('the examples of the page are accepted', () => {
  const examples = [...page.matchAll(/```(java|text)\n(.*?)```/gs)].flatMap(([, language, block]) =>
    block!
      .trim()
      .split('\n')
      .map((text) => [language === 'java' ? 'java' : 'short', text] as const),
  );
  test.each(examples)('as %s: %s', (form, text) => {
    expect(compileExpression(text, typeOf('Voyage'), voyageHierarchy)).toMatchObject({ kind: 'compiled', form });
  });
});

describe('the mistakes of the page are reported as shown', () => {
  const examples = [...page.matchAll(/^\| `([^`]+)` \| ([A-Z"][^`|]*[.?]) \|$/gm)];
  test.each(examples.map(([, text, message]) => [text!, message!]))('%s', (text, message) => {
    expect(mistakesIn(text, 'Voyage', voyageHierarchy).map((mistake) => mistake.replace(/^\S+ /, ''))).toEqual([
      message,
    ]);
  });
  test('the page has several', () => expect(examples.length).toBeGreaterThan(3));
});

describe('the page states the limits of the code', () => {
  test('of an evaluation', () => {
    expect(page).toContain(`${stepsMax} steps`);
    expect(page).toContain(`${textMax} characters`);
  });

  test.each([
    ['8192 bytes', `svcObject != null /* ${'x'.repeat(8192)} */`],
    ['2000 parts', `svcObject != null ${'|| 1 < 2 '.repeat(700)}`],
    ['100 levels deep', `svcObject != ${'('.repeat(101)}null${')'.repeat(101)}`],
    ['1000 characters', `"a".matches("a+${'b'.repeat(1000)}") && svcObject != null`],
    ['1000 parts', '"a".matches("a{1000}b{1000}") && svcObject != null'],
  ])('%s', (limit, text) => {
    expect(page).toContain(limit);
    expect(mistakesIn(text)[0]).toContain(limit);
  });
});

const receivers: readonly (readonly [name: string, type: JavaType])[] = [
  ['String', plain('String')],
  ...(['Integer', 'Long', 'Float', 'Double', 'Boolean', 'Character'] as const).map(
    (name) => [name, boxed(name)] as const,
  ),
  ['BigDecimal', plain('BigDecimal')],
  ['Date', plain('Date')],
  ['List<T>', generic('List', unknownType)],
  ['Stream<T>', generic('Stream', unknownType)],
  ['Optional<T>', generic('Optional', unknownType)],
  ...(['IntStream', 'LongStream', 'DoubleStream', 'OptionalInt', 'OptionalLong', 'OptionalDouble'] as const).map(
    (name) => [name, plain(name)] as const,
  ),
  ['RoundingMode', plain('RoundingMode')],
];

function ofClass(name: string): string[] {
  const { statics, constants, constructors } = findClass(name)!;
  return [
    ...constructors.map((method) => `\`new ${name}${renderParameters(method, nullType)}\``),
    ...statics.map((method) => shown(method, nullType, `${name}.`)),
    ...[...constants.keys()].map((constant) => `\`${name}.${constant}\``),
  ];
}

/** Such as `length()` int. */
function shown(method: Method, receiver: JavaType, before = ''): string {
  const other = method.parameters.some((parameter) => parameter.kind === 'lambda' && parameter.returns === 'anything');
  const element = other || before !== '' ? '…' : 'T';
  const result = renderType(method.returnType({ receiver, args: method.parameters.map(() => unknownType) }));
  const signature = `${before}${method.name}${renderParameters(method, receiver)}`;
  return `\`${signature.replaceAll('?', 'T')}\` ${result.replaceAll('?', element).replaceAll('<', '\\<')}`;
}
