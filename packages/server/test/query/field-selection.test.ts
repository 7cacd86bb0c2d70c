// What `fields` picks, and how mistakes in it are reported.

import { describe, expect, test } from 'vitest';
import { buildModel } from '../../src/model/build-model.ts';
import { parseFieldSelectionText } from '../../src/query/field-selection.ts';
import { elementView, minimizedView, type View } from '../../src/query/view.ts';
import { errorOf, typeOf } from './query-fixture.ts';

/** A view as the names in it, for reading. */
type Outline = (string | [string, Outline])[];

function pick(text: string, type = 'Voyage'): Outline {
  return outline(parseFieldSelectionText(text, typeOf(type)));
}

function outline(view: View): Outline {
  return view.items.map((item) =>
    item.kind === 'scalar' ? item.attribute.name : [item.attribute.name, outline(item.view)],
  );
}

function rejection(text: string, type = 'Voyage'): string {
  const error = errorOf(() => parseFieldSelectionText(text, typeOf(type)));
  expect([error.code, error.status]).toEqual(['invalidFields', 400]);
  return error.message;
}

describe('a field selection', () => {
  test('picks a scalar by "*"', () => {
    expect(pick('{"freight":"*"}')).toEqual(['key', 'self', 'freight']);
  });

  test('always includes key and self, first and once', () => {
    expect(pick('{}')).toEqual(['key', 'self']);
    expect(pick('{"comments":"*","self":"*","key":"*"}')).toEqual(['key', 'self', 'comments']);
    expect(pick('{"vessel":{},"portCalls":{}}')).toEqual([
      'key',
      'self',
      ['vessel', ['key', 'self']],
      ['portCalls', ['key', 'self']],
    ]);
  });

  test('shows attributes in the order of the model, whatever the order of the picks', () => {
    expect(pick('{"vessel":{},"freight":"*","comments":"*"}')).toEqual([
      'key',
      'self',
      'comments',
      'freight',
      ['vessel', ['key', 'self']],
    ]);
  });

  test('picks a whole reference by "*", minimized, and a whole collection as the default view shows it', () => {
    const view = parseFieldSelectionText('{"vessel":"*","portCalls":"*"}', typeOf('Voyage'));
    const views = view.items.flatMap((item) => (item.kind === 'scalar' ? [] : [item.view]));
    expect(views).toEqual([minimizedView(typeOf('Vessel')), elementView(typeOf('PortCall'))]);
  });

  test('picks inside references and inside the elements of collections', () => {
    const text = '{"portCalls":{"port":{"portName":"*"},"eventLogs":{"event":"*"}}}';
    const port: Outline = [['port', ['key', 'self', 'portName']]];
    const logs: Outline = [['eventLogs', ['key', 'self', 'event']]];
    expect(pick(text)).toEqual(['key', 'self', ['portCalls', ['key', 'self', ...port, ...logs]]]);
  });

  test('reaches further than the default view: remarks, and an attachment’s file', () => {
    const text = '{"remarks":{"attachments":{"file":"*"}}}';
    expect(pick(text)).toEqual(['key', 'self', ['remarks', ['key', 'self', ['attachments', ['key', 'self', 'file']]]]]);
  });

  test('goes over any number of references, up to 64 levels', () => {
    const berth = buildModel({ Berth: { attributes: { next: { kind: 'reference', to: 'Berth' } } } }).types.get(
      'Berth',
    )!;
    const nest = (levels: number): string => (levels === 1 ? '{}' : `{"next":${nest(levels - 1)}}`);
    const depthOf = (view: View): number =>
      1 + Math.max(0, ...view.items.map((item) => (item.kind === 'scalar' ? 0 : depthOf(item.view))));
    expect(depthOf(parseFieldSelectionText(nest(64), berth))).toBe(64);
    expect(errorOf(() => parseFieldSelectionText(nest(65), berth)).message).toContain('more than 64 levels');
  });
});

describe('a mistake in a field selection', () => {
  test('names the path of an unknown attribute and the nearest known name', () => {
    expect(rejection('{"portCalls":{"prot":"*"}}')).toBe(
      'The field selection has mistakes. "portCalls.prot" is not an attribute of PortCall. Did you mean "port"?',
    );
  });

  test.each([
    ['{"":"*"}', '""', 'Voyage'],
    ['{"vessel":{"":"*"}}', 'vessel.""', 'Vessel'],
  ])('names an empty name as "": %s', (text, path, type) => {
    const error = errorOf(() => parseFieldSelectionText(text, typeOf('Voyage')));
    expect(error.violations?.map((violation) => violation.path)).toEqual([path]);
    expect(error.message).toBe(`The field selection has mistakes. ${path} is not an attribute of ${type}.`);
  });

  test('gives no hint if no name is similar', () => {
    expect(rejection('{"zzzzzz":"*"}')).toBe(
      'The field selection has mistakes. "zzzzzz" is not an attribute of Voyage.',
    );
  });

  test.each([
    ['{"freight":1}', '"freight" takes "*", but it is a number.'],
    ['{"freight":true}', '"freight" takes "*", but it is true.'],
    ['{"freight":null}', '"freight" takes "*", but it is null.'],
    ['{"freight":["*"]}', '"freight" takes "*", but it is a list.'],
    ['{"freight":{}}', '"freight" takes "*", but it is an object.'],
    ['{"freight":"**"}', '"freight" takes "*", but it is the text "**".'],
    ['{"key":{}}', '"key" takes "*", but it is an object.'],
    ['{"self":0}', '"self" takes "*", but it is a number.'],
    ['{"vessel":[]}', '"vessel" takes "*" or an object, but it is a list.'],
    ['{"portCalls":[{"port":"*"}]}', '"portCalls" takes "*" or an object, but it is a list.'],
    ['{"vessel":{"vesselName":{"x":"*"}}}', '"vessel.vesselName" takes "*", but it is an object.'],
  ])('in the value of an attribute is reported: %s', (text, sentence) => {
    expect(rejection(text)).toBe(`The field selection has mistakes. ${sentence}`);
  });

  test.each(['"*"', '[]', 'null', '1', 'true'])('at the top level is reported: %s', (text) => {
    expect(rejection(text)).toContain('must be a JSON object of Voyage attributes');
  });

  test('does not hide others: all are reported, each with its path', () => {
    const text = '{"freigt":"*","vessel":{"name":"*"},"portCalls":{"eta":1}}';
    const error = errorOf(() => parseFieldSelectionText(text, typeOf('Voyage')));
    expect(error.violations?.map(({ path }) => path)).toEqual(['freigt', 'vessel.name', 'portCalls.eta']);
    for (const { path } of error.violations ?? []) expect(error.message).toContain(`"${path}"`);
  });

  test('that is repeated a thousand times does not fill the response', () => {
    const names = Array.from({ length: 900 }, (_, index) => `"unknown${index}":"*"`);
    const error = errorOf(() => parseFieldSelectionText(`{${names}}`, typeOf('Voyage')));
    expect(error.violations).toHaveLength(20);
    expect(error.message).toContain('880 more');
  });

  test('in the syntax is reported with line and column', () => {
    expect(rejection('{"freight":"*",}')).toMatch(/^The field selection is not JSON\. Line 1, column 16: /);
    expect(rejection('')).toContain('the text is empty');
  });

  test.each([
    [
      'more than 1,000 attributes',
      `{${Array.from({ length: 1001 }, (_, index) => `"a${index}":"*"`)}}`,
      '1000 attributes',
    ],
    ['more than 64 kB of text', `{"a":"${'x'.repeat(65_536)}"}`, '65536 bytes'],
    ['a collection inside itself', '{"portCalls":{"voyage":{"portCalls":"*"}}}', 'each collection once'],
  ])('is %s', (_, text, told) => {
    expect(rejection(text)).toContain(told);
  });

  test('different collections inside each other are not a mistake', () => {
    expect(pick('{"cargos":{"cargoPorts":{"portCall":{"eventLogs":"*","voyage":{"portCalls":"*"}}}}}')).toBeDefined();
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])(
    'is the name %s at every level, and it stays without effect',
    (name) => {
      const before = Object.getOwnPropertyNames(Object.prototype);
      rejection(`{"${name}":"*"}`);
      rejection(`{"${name}":{"x":"*"}}`);
      rejection(`{"vessel":{"${name}":"*"}}`);
      rejection(`{"portCalls":{"port":{"${name}":{}}}}`);
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    },
  );
});
