// The default views, which the model alone determines.

import { describe, expect, test } from 'vitest';
import { keyAndSelfView, minimizedView, type View, wholeView } from '../../src/query/view.ts';
import { model, typeOf } from './query-fixture.ts';

describe('the minimized view', () => {
  test.each([...model.types.keys()])('of %s has its scalars and references in the order of the model', (name) => {
    const type = typeOf(name);
    const expected = [...type.attributes.values()].filter(
      (attribute) => attribute.kind !== 'collection' && !attribute.isOnDemand && !attribute.isLarge,
    );
    expect(namesOf(minimizedView(type))).toEqual(expected.map((attribute) => attribute.name));
  });

  test('shows a reference as key and self alone', () => {
    expect(namesOf(viewBehind(minimizedView(typeOf('PortCall')), 'port'))).toEqual(['key', 'self']);
  });

  test('leaves out attributes that are shown only on demand', () => {
    expect(namesOf(minimizedView(typeOf('Attachment')))).not.toContain('file');
  });

  test('leaves out attributes that are too large for a list; the whole view has them', () => {
    const type = typeOf('WebhookNotification');
    expect(namesOf(minimizedView(type))).not.toContain('body');
    expect(namesOf(wholeView(type))).toContain('body');
  });
});

describe('the whole view', () => {
  test('starts with key and self', () => {
    for (const type of model.types.values()) expect(namesOf(wholeView(type)).slice(0, 2)).toEqual(['key', 'self']);
  });

  test('shows a reference with its code and name', () => {
    const view = wholeView(typeOf('PortCall'));
    expect(namesOf(viewBehind(view, 'port'))).toEqual(['key', 'self', 'portName', 'unLoCode']);
    expect(namesOf(viewBehind(view, 'currency'))).toEqual(['key', 'self', 'currencyCode', 'currencyName']);
    expect(namesOf(viewBehind(view, 'voyage'))).toEqual(['key', 'self', 'referenceNo']);
    expect(namesOf(viewBehind(wholeView(typeOf('Voyage')), 'vessel'))).toEqual(['key', 'self', 'vesselName']);
  });

  test('shows sub-objects as minimized objects', () => {
    expect(viewBehind(wholeView(typeOf('Voyage')), 'portCalls')).toBe(minimizedView(typeOf('PortCall')));
  });

  test('shows neither remarks nor an attachment’s file', () => {
    expect(namesOf(wholeView(typeOf('Voyage')))).not.toContain('remarks');
    expect(namesOf(wholeView(typeOf('Attachment')))).not.toContain('file');
  });
});

test('the default views of a type are cached', () => {
  const type = typeOf('Voyage');
  expect(wholeView(type)).toBe(wholeView(type));
  expect(minimizedView(type)).toBe(minimizedView(type));
  expect(keyAndSelfView(type)).toBe(keyAndSelfView(type));
});

function namesOf(view: View): string[] {
  return view.items.map((item) => item.attribute.name);
}

function viewBehind(view: View, name: string): View {
  const item = view.items.find(({ attribute }) => attribute.name === name);
  if (item === undefined || item.kind === 'scalar') throw new Error(`nothing behind ${name}`);
  return item.view;
}
