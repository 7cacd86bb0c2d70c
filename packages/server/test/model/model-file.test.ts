// A model file adds types and attributes; all its mistakes are reported at once.

import { describe, expect, test } from 'vitest';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { checkDeclarations } from '../../src/model/model-file/check-declarations.ts';
import { extendCatalogue, loadModel } from '../../src/model/model-file/read-model-file.ts';
import { placesOf, refusalOf, text, toUser } from './refused-model-file.ts';

test('the built-in catalogue passes the same check', () => {
  expect(checkDeclarations(catalogue)).toEqual([]);
});

test('a file that does not exist is reported by name', async () => {
  await expect(loadModel('/nowhere/model.json')).rejects.toThrow(/\/nowhere\/model\.json.*cannot be read/);
});

test('a type can declare its access, its owner, and that its changes are audited', () => {
  const { Shift } = extendCatalogue(
    JSON.stringify({
      types: {
        Shift: {
          access: { read: 'webhook', write: 'nobody' },
          ownedBy: 'user',
          makesEvents: false,
          isAudited: true,
          attributes: {
            user: { kind: 'reference', to: 'ApiUser', isRequired: true },
            tags: { kind: 'textList', minItems: 1, example: ['night', 'deck'] },
            details: { kind: 'json' },
            about: { kind: 'key' },
            crew: { kind: 'integer', default: 3, since: '5.23', isRequired: true },
            contact: { kind: 'text', format: 'email', isFixed: true, edition: 'ENTERPRISE' },
          },
        },
      },
    }),
    'model.json',
  );
  const type = buildModel({ ...catalogue, Shift: Shift! }).types.get('Shift')!;
  expect(type).toMatchObject({
    access: { read: 'webhook', write: 'nobody' },
    isAudited: true,
    ownedBy: { name: 'user', target: { name: 'ApiUser' } },
  });
  expect(Object.fromEntries(type.attributes)).toMatchObject({
    tags: { kind: 'textList', minItems: 1, example: ['night', 'deck'] },
    details: { kind: 'json' },
    about: { kind: 'key', isObjectKey: false },
    crew: { default: '3', since: '5.23', isRequired: true },
    contact: { format: 'email', isFixed: true, edition: 'ENTERPRISE' },
  });
});

test('a type can be shown by a reference, but not by its owner', () => {
  const file = (shownBy: string[]) => ({
    types: {
      Berth: {
        shownBy,
        attributes: {
          nearest: { kind: 'reference', to: 'Port' },
          vessel: { kind: 'owner', to: 'Vessel', collection: 'berths' },
        },
      },
    },
  });
  expect(refusalOf(file(['nearest']))).toBe('not refused');
  expect(refusalOf(file(['vessel']))).toContain('"vessel" is not a plain attribute or reference of the type.');
});

describe('all mistakes of a file are reported at once', () => {
  test('of form, of conflicts with the catalogue, and between types', () => {
    const file = {
      types: {
        A: { attributes: { b: { kind: 'money' }, C: text, d: { kind: 'reference', to: 'Nope' } } },
        Voyage: { makesEvents: false, attributes: { comments: text, extra: { kind: 'code' } } },
        ApiUser: { attributes: { shoeSize: text } },
        small: { attributes: { n: { kind: 'text', isUnique: true } } },
        B: { attributes: { c: { kind: 'owner', to: 'B', collection: 'bs' } } },
      },
    };
    expect(placesOf(file).sort()).toEqual(
      [
        'types.A.attributes.C',
        'types.A.attributes.b.kind',
        'types.A.attributes.d.to',
        'types.ApiUser',
        'types.B',
        'types.Voyage.attributes.comments',
        'types.Voyage.attributes.extra.values',
        'types.Voyage.makesEvents',
        'types.small',
        'types.small.attributes.n',
      ].sort(),
    );
  });

  const money = { kind: 'money' };

  test.each<[string, Record<string, unknown>, string[]]>([
    ['a name', { small: { attributes: { b: money } } }, ['types.small.attributes.b.kind', 'types.small']],
    ['the name of a type that is no object', { small: 5 }, ['types.small', 'types.small']],
    ['a name of the service', { ObjectKey: { foo: 1 } }, ['types.ObjectKey.foo', 'types.ObjectKey']],
    [
      'two tables of one name',
      { XaBC: {}, XaBc: { attributes: { b: money } } },
      ['types.XaBc.attributes.b.kind', 'types.XaBc'],
    ],
    [
      'shownBy of nothing',
      { A: { shownBy: ['nope', 'b'], attributes: { b: money } } },
      ['types.A.attributes.b.kind', 'types.A.shownBy'],
    ],
    [
      'ownedBy of nothing',
      { A: { ownedBy: 'zz', makesEvents: false, attributes: { b: { kind: 'text', maxLength: 'x' } } } },
      ['types.A.attributes.b.maxLength', 'types.A.ownedBy'],
    ],
    [
      'an unknown member',
      { A: { foo: 1, shownBy: ['nope'], attributes: { b: money } } },
      ['types.A.foo', 'types.A.attributes.b.kind', 'types.A.shownBy'],
    ],
    [
      'a malformed member',
      { A: { isAudited: 'yes', access: { read: 'all', write: 'write' }, ownedBy: 'zz', makesEvents: false } },
      ['types.A.isAudited', 'types.A.access.read', 'types.A.ownedBy'],
    ],
    [
      'two owners beside a malformed attribute',
      {
        A: {
          attributes: {
            b: money,
            v: { kind: 'owner', to: 'Voyage', collection: 'as' },
            w: { kind: 'owner', to: 'Port', collection: 'as' },
          },
        },
      },
      ['types.A.attributes.b.kind', 'types.A'],
    ],
    [
      'a type name with a dot',
      { A: { attributes: { b: money } }, 'A.B': { shownBy: ['nope'], attributes: { b: text } } },
      ['types.A.attributes.b.kind', 'types.A.B', 'types.A.B.shownBy'],
    ],
    [
      'a malformed type whose name begins with that of another',
      { A: { shownBy: ['nope'], attributes: {} }, 'A.B': { attributes: { b: money } } },
      ['types.A.B.attributes.b.kind', 'types.A.shownBy', 'types.A.B'],
    ],
  ])('of the same type: %s', (_, types, places) => {
    expect(placesOf({ types })).toEqual(places);
  });

  test('a mistake that only follows from another is not reported', () => {
    const broken = {
      types: {
        // With an owner, which is malformed, the sequence would be good.
        A: { attributes: { v: { kind: 'owner', to: 'Voyage' }, n: { kind: 'integer', isSequence: true } } },
        B: { shownBy: ['b'], attributes: { b: { kind: 'money' } } },
        C: { ownedBy: 'u', makesEvents: false, attributes: { u: { ...toUser, isRequired: 'yes' } } },
        D: { attributes: { a: { kind: 'reference', to: 'A' }, e: { kind: 'reference', to: 'E' } } },
        E: 5,
        F: { shownBy: ['f'], ownedBy: 'f', makesEvents: false, attributes: ['f'] },
        H: { ownedBy: 'u', makesEvents: 'no', attributes: { u: toUser } },
        // The service's own, which belongs to users besides.
        G: { attributes: { s: { kind: 'reference', to: 'WebhookSubscription' } } },
        // The catalogue has it as an owner.
        PortCall: { attributes: { voyage: text } },
      },
    };
    expect(placesOf(broken)).toEqual([
      'types.A.attributes.v.collection',
      'types.B.attributes.b.kind',
      'types.C.attributes.u.isRequired',
      'types.E',
      'types.F.attributes',
      'types.H.makesEvents',
      'types.PortCall.attributes.voyage',
      'types.G.attributes.s.to',
    ]);
  });

  test('any value in place of an object', () => {
    for (const value of [5, 'x', true, null, [1]]) {
      expect(placesOf({ types: value })).toEqual(['types']);
      expect(placesOf({ types: { A: value } })).toEqual(['types.A']);
      expect(placesOf({ types: { A: { attributes: value } } })).toEqual(['types.A.attributes']);
    }
  });
});
