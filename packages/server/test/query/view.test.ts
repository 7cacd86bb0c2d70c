// The default views, which the model alone determines.

import { describe, expect, test } from 'vitest';
import { buildModel } from '../../src/model/build-model.ts';
import { elementView, isInColumn, keyAndSelfView, minimizedView, type View, wholeView } from '../../src/query/view.ts';
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
    expect(namesOf(viewBehind(view, 'voyage'))).toEqual(['key', 'self', 'referenceNo', 'vessel']);
    const vessel = viewBehind(wholeView(typeOf('Voyage')), 'vessel');
    expect(namesOf(vessel)).toEqual(['key', 'self', 'vesselName', 'imoNumber']);
  });

  test('shows a port call where it is referred to by its reason, ETA and port, and its port by code and name', () => {
    const portCall = viewBehind(wholeView(typeOf('BunkerOrder')), 'portCall');
    expect(namesOf(portCall)).toEqual(['key', 'self', 'reasonForCall', 'eta', 'port']);
    expect(namesOf(viewBehind(portCall, 'port'))).toEqual(['key', 'self', 'portName', 'unLoCode']);
  });

  test('shows for each reference to a business object more than key and self, in sub-objects too', () => {
    const bare = [...model.types.values()].flatMap((type) => [
      ...bareReferences(type.name, wholeView(type)),
      ...bareReferences(`${type.name} in its owner`, elementView(type)),
    ]);
    expect(bare).toEqual([]);
  });

  test('shows sub-objects without their collections, and their owner by key and self', () => {
    const view = viewBehind(wholeView(typeOf('Voyage')), 'portCalls');
    expect(view).toBe(elementView(typeOf('PortCall')));
    expect(namesOf(view)).toEqual(namesOf(minimizedView(typeOf('PortCall'))));
    expect(namesOf(viewBehind(view, 'voyage'))).toEqual(['key', 'self']);
    expect(namesOf(viewBehind(view, 'port'))).toEqual(['key', 'self', 'portName', 'unLoCode']);
  });

  test('follows references two steps at most, so types that are shown by each other end', () => {
    const text = { kind: 'text' } as const;
    const circular = buildModel({
      Hen: { shownBy: ['henName', 'egg'], attributes: { henName: text, egg: { kind: 'reference', to: 'Egg' } } },
      Egg: { shownBy: ['eggName', 'hen'], attributes: { eggName: text, hen: { kind: 'reference', to: 'Hen' } } },
    });
    const egg = viewBehind(wholeView(circular.types.get('Hen')!), 'egg');
    expect(namesOf(egg)).toEqual(['key', 'self', 'eggName', 'hen']);
    expect(namesOf(viewBehind(egg, 'hen'))).toEqual(['key', 'self', 'henName']);
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
  expect(elementView(type)).toBe(elementView(type));
  expect(keyAndSelfView(type)).toBe(keyAndSelfView(type));
});

function namesOf(view: View): string[] {
  return view.items.map((item) => item.attribute.name);
}

function bareReferences(from: string, view: View): string[] {
  return view.items
    .filter((item) => item.kind === 'reference' && !item.attribute.isOwner && !item.attribute.target.isServiceOwn)
    .filter((item) => isInColumn(item))
    .map(({ attribute }) => `${from}.${attribute.name}`);
}

function viewBehind(view: View, name: string): View {
  const item = view.items.find(({ attribute }) => attribute.name === name);
  if (item === undefined || item.kind === 'scalar') throw new Error(`nothing behind ${name}`);
  return item.view;
}
