// changedObject and oldChangedObject: the object that changed, which may have any type in the hierarchy.

import { describe, expect, test } from 'vitest';
import { type CompiledExpression, compileExpression } from '../src/compile-expression.ts';
import { completionsAt } from '../src/completions.ts';
import type { TypedReader } from '../src/input/object-shape.ts';
import { mistakesIn, oldVoyage, type Row, readerOf, typeOf, voyage, voyageHierarchy } from './expression-fixture.ts';
import { shapesOf } from './fleet-shapes.ts';

const hierarchy = voyageHierarchy;
const [call, canal] = voyage.portCalls as [Row, Row];

function compiled(text: string): CompiledExpression {
  const result = compileExpression(text, typeOf('Voyage'), hierarchy);
  if (result.kind === 'mistakes') throw new Error(`${text}\n${result.mistakes.map((one) => one.message).join('\n')}`);
  return result;
}

function typedReader(typeName: string, row: Row): TypedReader {
  const { key, get } = readerOf(row);
  return { typeName, key, get };
}

/** The value, or the name of the exception. */
function resultOf(text: string, typeName: string, now: Row, before: Row | null): boolean | string {
  const changedObject = typedReader(typeName, now);
  const oldChangedObject = before && typedReader(typeName, before);
  const outcome = compiled(text).evaluate({
    svcObject: readerOf(voyage),
    oldSvcObject: readerOf(oldVoyage),
    changed: { changedObject, oldChangedObject },
  });
  return outcome.kind === 'value' ? outcome.value : outcome.exception;
}

const ofPortCall = (text: string, before: Row | null = canal) => resultOf(text, 'PortCall', call, before);
const ofVoyage = (text: string) => resultOf(text, 'Voyage', voyage, oldVoyage);

describe('the changed object', () => {
  test.each([
    'changedObject.getSpeed() == 12.5 && oldChangedObject.getSpeed() == null',
    'changedObject.getEta() != null && changedObject.isArrivalFixed() && changedObject.getKey() == 2001',
    'changedObject.getPort().getPortName().equals("Rotterdam")',
    'changedObject.getEventLogs().stream().anyMatch(e -> e.getEvent().equals("ARR"))',
    'changedObject.getReasonForCall() == "L" && changedObject.getVoyage() == null',
    '!Objects.equals(changedObject.getEta(), oldChangedObject.getEta())',
    '(svcObject.isTc() ? changedObject : oldChangedObject).getSpeed() > 12',
    'changedObject != svcObject && !changedObject.equals(svcObject) && !Objects.equals(svcObject, changedObject)',
    'changedObject != oldChangedObject && svcObject.getPortCalls().contains(changedObject)',
    'changedObject == svcObject.getPortCalls().get(0) && svcObject.getPortCalls().get(1) != changedObject',
  ])('is read as an object of its own type: %s', (text) => {
    expect(ofPortCall(text)).toBe(true);
  });

  test.each([
    'changedObject.getSpeed() == null && changedObject.getEta() == null',
    'changedObject.getPort() == null && changedObject.getPort().getPortName() == null',
    'changedObject.getEventLogs().isEmpty() && changedObject.getCargoPorts().stream().count() == 0',
    'changedObject.getVoyageStatus().equals("NOM") && oldChangedObject.getVoyageStatus() == "EST"',
    'changedObject == svcObject && changedObject.getKey().equals(svcObject.getKey())',
  ])('answers null where its type has no such getter, and an empty list for a collection: %s', (text) => {
    expect(ofVoyage(text)).toBe(true);
  });

  test('otherwise behaves as null does in Java', () => {
    expect(ofVoyage('changedObject.getSpeed() > 5')).toBe('NullPointerException');
    expect(ofPortCall('changedObject.getVessel().getFlag().isEmpty()')).toBe('NullPointerException');
    expect(ofVoyage('oldChangedObject.getVessel().getFlag() == null')).toBe('NullPointerException');
  });

  test('that was just created has no old state: it is null, and its getters answer null', () => {
    for (const text of [
      'oldChangedObject == null && !(oldChangedObject instanceof PortCall)',
      'oldChangedObject.getSpeed() == null && changedObject.getSpeed() != null',
      'oldChangedObject.getPort().getPortName() == null && oldChangedObject.getEventLogs().isEmpty()',
      '((PortCall) oldChangedObject).getPort().getPortName() == null',
    ])
      expect([text, ofPortCall(text, null)]).toEqual([text, true]);
  });

  test('has a type that instanceof tells', () => {
    expect(ofPortCall('changedObject instanceof PortCall && changedObject instanceof Object')).toBe(true);
    expect(ofPortCall('changedObject instanceof Voyage || oldChangedObject instanceof Cargo')).toBe(false);
    expect(ofVoyage('changedObject instanceof PortCall && changedObject.getSpeed() > 5')).toBe(false);
  });

  test('can be cast to its type, and to no other', () => {
    expect(ofPortCall('((PortCall) changedObject).getSpeed() > 12')).toBe(true);
    expect(ofVoyage('((PortCall) changedObject).getSpeed() > 12')).toBe('ClassCastException');
    expect(ofVoyage('((PortCall) changedObject) == null')).toBe('ClassCastException');
  });
});

describe('what is read of the changed object', () => {
  test('is recorded by type, for the types that have the attribute', () => {
    const { changed, selections } = compiled(
      'changedObject.getPort().getPortName() != null && oldChangedObject.getComments() == null',
    );
    const port = new Map([['port', new Map([['portName', '*']])]]);
    expect(changed).toEqual({
      new: new Map([
        ['PortCall', port],
        ['CargoPort', port],
      ]),
      old: new Map([['Voyage', new Map([['comments', '*']])]]),
    });
    expect(selections).toEqual({ new: new Map(), old: new Map() });
  });

  test('is recorded for one type after a cast', () => {
    const { changed } = compiled('((CargoPort) changedObject).getPort().getPortName() != null');
    expect([...changed!.new.keys()]).toEqual(['CargoPort']);
  });

  test('is undefined if the expression does not use it, and empty if nothing is read', () => {
    expect(compiled('svcObject.isTc()').changed).toBeUndefined();
    expect(compiled('isTc').changed).toBeUndefined();
    expect(compiled('changedObject instanceof PortCall').changed).toEqual({ new: new Map(), old: new Map() });
  });
});

describe('a mistake has a hint', () => {
  test.each([
    ['svcObject.getEta() != null', 'Voyage has no getter getEta(); PortCall has it: use changedObject.getEta().'],
    [
      'oldSvcObject.getQuantity() > 1',
      'Voyage has no getter getQuantity(); Cargo and CargoPort have it: use oldChangedObject.getQuantity().',
    ],
    ['svcObject.getEtaa() != null', 'Voyage has no getter getEtaa(). Did you mean "changedObject.getEta"?'],
    ['svcObject.getFreigth() > 5', 'Voyage has no getter getFreigth(). Did you mean "getFreight"?'],
    [
      'changedObject.getEtaa() != null',
      'No type in the hierarchy of Voyage has a getter getEtaa(). Did you mean "getEta"?',
    ],
    ['changedObject.eta != null', 'Object has no fields. Write getEta().'],
    ['changedObject.getSpeed(1) > 2', 'The getter getSpeed() takes no arguments.'],
    ['changedObjct.getSpeed() > 2', '"changedObjct" is not known here. Did you mean "changedObject"?'],
    ['changedObject instanceof Portcall', 'A changed object is never a Portcall here. Did you mean "PortCall"?'],
    [
      'changedObject instanceof Vessel',
      'A changed object is never a Vessel here. It is one of Voyage, PortCall, EventLog, Cargo, CargoPort.',
    ],
    ['((Cargoport) changedObject) == null', 'A changed object is never a Cargoport here. Did you mean "CargoPort"?'],
    ['changedObject == svcObject.getVessel()', 'An Object is never equal to a Vessel.'],
    ['changedObject', 'The expression must be true or false (boolean), but it is an Object.'],
    ['"" + changedObject == ""', 'An Object cannot be added to a String: its text form is not defined.'],
    ['eta > "2026-01-01"', 'Voyage has no attribute "eta". PortCall has it: in Java, write changedObject.getEta().'],
  ])('%s', (text, message) => {
    expect(mistakesIn(text, 'Voyage', hierarchy)).toEqual([expect.stringMatching(/^1:\d+ /)]);
    expect(mistakesIn(text, 'Voyage', hierarchy)[0]!.replace(/^\S+ /, '')).toBe(message);
  });

  test('if two types have a getter of one name with different types, which a cast can choose from', () => {
    const types = shapesOf({
      Ship: { attributes: { state: 'text', size: 'integer' } },
      Tank: { attributes: { state: 'integer', size: 'integer', file: 'text' } },
      Plan: { attributes: { file: 'binary' } },
    });
    const all = ['Ship', 'Tank', 'Plan'].map((name) => types.get(name)!);
    const check = (text: string) => {
      const result = compileExpression(text, all[0]!, all);
      return result.kind === 'compiled' ? [] : result.mistakes.map(({ message }) => message);
    };
    expect(check('changedObject.getState() == null')).toEqual([
      'getState() is a String in Ship and an Integer in Tank. Cast first: ((Ship) changedObject).getState().',
    ]);
    expect(
      check(
        'changedObject instanceof Tank ? ((Tank) changedObject).getState() > 1 : ' +
          '"x".equals(((Ship) changedObject).getState()) && changedObject.getSize() > 1 ' +
          '&& changedObject.getFile() == null',
      ),
    ).toEqual([]);
  });
});

test('completions list the getters of all types', () => {
  const offered = (text: string) =>
    completionsAt(text, text.length, typeOf('Voyage'), hierarchy).options.map(({ shown, type }) => `${shown}: ${type}`);
  expect(offered('changedObject.getSp')).toEqual(['getSpeed(): Double']);
  expect(offered('changedObject.getEventLogs().get(0).getEv')).toContain('getEvent(): String');
  expect(offered('changedObj')).toEqual(['changedObject: Object']);
});

test('without a hierarchy, the changed object has the type of the subscribed one', () => {
  expect(compileExpression('changedObject.getDaysTotal() > 1', typeOf('Voyage')).kind).toBe('compiled');
  expect(compileExpression('changedObject.getSpeed() > 1', typeOf('Voyage')).kind).toBe('mistakes');
});

test('an evaluation that is not given the changed object reads nulls', () => {
  const objects = { svcObject: readerOf(voyage), oldSvcObject: null };
  const { evaluate } = compiled('changedObject == null && changedObject.getPort().getPortName() == null');
  expect(evaluate(objects)).toEqual({ kind: 'value', value: true });
});
