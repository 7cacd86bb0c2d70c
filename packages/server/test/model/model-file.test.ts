// A model file adds types and attributes; a wrong one is refused with the place and the reason.

import { describe, expect, test } from 'vitest';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { checkDeclarations } from '../../src/model/model-file/check-declarations.ts';
import { extendCatalogue, loadModel } from '../../src/model/model-file/read-model-file.ts';

function refusalOf(file: unknown): string {
  try {
    extendCatalogue(typeof file === 'string' ? file : JSON.stringify(file), 'model.json');
  } catch (error) {
    return (error as Error).message;
  }
  return 'not refused';
}

const text = { kind: 'text' };
const toUser = { kind: 'reference', to: 'ApiUser', isRequired: true };

/** A file with one attribute, as JSON. */
function attribute(details: object): string {
  return JSON.stringify({ types: { A: { attributes: { b: details } } } });
}

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

/** The places that are told of. */
function placesOf(file: unknown): string[] {
  return [...refusalOf(file).matchAll(/^- ([^:]+):/gm)].map(([, place]) => place!);
}

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

describe('an invalid model file is rejected with the place and the reason', () => {
  test.each([
    ['no JSON', '{"types": {', /model\.json is not JSON\. Line 1, column \d+/],
    ['no types', {}, /types: is missing/],
    ['an array', [], /the file: must be an object/],
    ['an unknown member', { types: {}, tpyes: {} }, /tpyes: is unknown; known are types/],
    [
      'a small type name',
      { types: { certificate: { attributes: {} } } },
      /types\.certificate: a type name starts with a capital/,
    ],
    ['a type name of the service', { types: { ApiUser: { attributes: {} } } }, /types\.ApiUser: this name is reserved/],
    [
      'a capital attribute name',
      { types: { A: { attributes: { B: text } } } },
      /types\.A\.attributes\.B: an attribute name starts with a small letter/,
    ],
    [
      'an attribute name that all objects have',
      { types: { A: { attributes: { key: text } } } },
      /types\.A\.attributes\.key: this name is reserved/,
    ],
    [
      'a column name of PostgreSQL',
      { types: { A: { attributes: { ctid: text } } } },
      /types\.A\.attributes\.ctid: its column would have the same name as that of PostgreSQL/,
    ],
    [
      'a column name that every object has',
      { types: { Voyage: { attributes: { createdByID: text } } } },
      /types\.Voyage\.attributes\.createdByID: its column would have the same name as that of createdById/,
    ],
    [
      'a name that all objects have, on an attachment',
      { types: { Attachment: { attributes: { createdDate: text } } } },
      /types\.Attachment\.attributes\.createdDate: this name is reserved/,
    ],
    ['two columns of one name', { types: { A: { attributes: { aBC: text, aBc: text } } } }, /same name as that of aBC/],
    [
      'an unknown kind',
      { types: { A: { attributes: { b: { kind: 'money' } } } } },
      /types\.A\.attributes\.b\.kind: must be one of text, decimal/,
    ],
    ['no kind', { types: { A: { attributes: { b: {} } } } }, /types\.A\.attributes\.b\.kind/],
    [
      'an option of another kind',
      { types: { A: { attributes: { b: { kind: 'decimal', maxLength: 3 } } } } },
      /types\.A\.attributes\.b\.maxLength: is unknown; known are/,
    ],
    [
      'an option of the wrong type',
      { types: { A: { attributes: { b: { kind: 'text', maxLength: '3' } } } } },
      /types\.A\.attributes\.b\.maxLength: must be a whole number/,
    ],
    [
      'a code without values',
      { types: { A: { attributes: { b: { kind: 'code' } } } } },
      /types\.A\.attributes\.b\.values: is missing/,
    ],
    [
      'a value twice',
      { types: { A: { attributes: { b: { kind: 'code', values: ['X', 'X'] } } } } },
      /types\.A\.attributes\.b\.values: a value is listed twice/,
    ],
    [
      'a value with a quote',
      { types: { A: { attributes: { b: { kind: 'code', values: ["X'"] } } } } },
      /is not a code/,
    ],
    [
      'a reference to nothing',
      { types: { A: { attributes: { b: { kind: 'reference', to: 'Nope' } } } } },
      /types\.A\.attributes\.b\.to: there is no type "Nope"/,
    ],
    [
      'a reference to a prototype',
      { types: { A: { attributes: { b: { kind: 'reference', to: 'toString' } } } } },
      /there is no type "toString"/,
    ],
    [
      'an attribute that is there already',
      { types: { Voyage: { attributes: { comments: text } } } },
      /types\.Voyage\.attributes\.comments: Voyage already has it/,
    ],
    [
      'more than attributes on a built-in type',
      { types: { Voyage: { makesEvents: false, attributes: {} } } },
      /types\.Voyage\.makesEvents: Voyage is a built-in type/,
    ],
    [
      'a collection that is there already',
      { types: { A: { attributes: { v: { kind: 'owner', to: 'Voyage', collection: 'portCalls' } } } } },
      /Voyage\.portCalls already exists/,
    ],
    [
      'two owners',
      {
        types: {
          A: {
            attributes: {
              v: { kind: 'owner', to: 'Voyage', collection: 'as' },
              w: { kind: 'owner', to: 'Port', collection: 'as' },
            },
          },
        },
      },
      /types\.A: a type has at most one owner/,
    ],
    [
      'a sequence without an owner',
      { types: { A: { attributes: { n: { kind: 'integer', isSequence: true } } } } },
      /needs an owner/,
    ],
    [
      'a unique text without a bound',
      { types: { A: { attributes: { n: { kind: 'text', isUnique: true } } } } },
      /needs a maxLength/,
    ],
    [
      'shownBy of nothing',
      { types: { A: { shownBy: ['x'], attributes: {} } } },
      /types\.A\.shownBy: "x" is not a plain attribute/,
    ],
    [
      'circular ownership',
      {
        types: {
          A: { attributes: { b: { kind: 'owner', to: 'B', collection: 'as' } } },
          B: { attributes: { a: { kind: 'owner', to: 'A', collection: 'bs' } } },
        },
      },
      /types\.A: ownership is circular: A → B → A/,
    ],
    [
      'ownership of itself',
      { types: { A: { attributes: { a: { kind: 'owner', to: 'A', collection: 'as' } } } } },
      /ownership is circular: A → A/,
    ],
    ...['ApiUser', 'ApiClient', 'AuditLog'].map((name): [string, object, RegExp] => [
      `an attribute of ${name}`,
      { types: { [name]: { attributes: { b: text } } } },
      new RegExp(`types\\.${name}: this name is reserved for the service; nothing can be added`),
    ]),
    [
      'something that a user owns',
      { types: { A: { attributes: { b: { kind: 'owner', to: 'ApiUser', collection: 'as' } } } } },
      /types\.A\.attributes\.b\.to: ApiUser is the service's own; only a reference to ApiUser is possible/,
    ],
    [
      'a reference to a client',
      { types: { Voyage: { attributes: { b: { kind: 'reference', to: 'ApiClient' } } } } },
      /types\.Voyage\.attributes\.b\.to: ApiClient is the service's own/,
    ],
    ...['isHidden', 'isShownOnce', 'isFilledIn', 'isReadOnly'].map((note): [string, string, RegExp] => [
      `${note}, which is for the service alone`,
      attribute({ kind: 'text', [note]: true }),
      new RegExp(`types\\.A\\.attributes\\.b\\.${note}: is unknown; known are`),
    ]),
    ...['clientId', 'apiVersion', 'url'].map((format): [string, string, RegExp] => [
      `the format ${format}`,
      attribute({ kind: 'text', format }),
      /types\.A\.attributes\.b\.format: must be one of imoNumber, email/,
    ]),
    ...['raises', 'actions'].map((member): [string, object, RegExp] => [
      `${member}, which is for the service alone`,
      { types: { A: { [member]: {}, attributes: {} } } },
      new RegExp(`types\\.A\\.${member}: is unknown; known are`),
    ]),
    [
      'access that is no object',
      { types: { A: { access: 'admin', attributes: {} } } },
      /types\.A\.access: must be an object/,
    ],
    [
      'access by an unknown scope',
      { types: { A: { access: { read: 'all', write: 'write' }, attributes: {} } } },
      /types\.A\.access\.read: must be one of read, write, webhook, admin\./,
    ],
    [
      'access that is read by nobody',
      { types: { A: { access: { read: 'nobody', write: 'nobody' }, attributes: {} } } },
      /types\.A\.access\.read: must be one of read, write, webhook, admin\./,
    ],
    [
      'access without who may write',
      { types: { A: { access: { read: 'read' }, attributes: {} } } },
      /types\.A\.access\.write: must be one of read, write, webhook, admin, nobody\./,
    ],
    [
      'an owner by name that is no attribute',
      { types: { A: { ownedBy: 'user', attributes: {} } } },
      /types\.A\.ownedBy: must be the name of a reference to ApiUser that is required/,
    ],
    [
      'an owner by name that may be empty',
      { types: { A: { ownedBy: 'user', attributes: { user: { kind: 'reference', to: 'ApiUser' } } } } },
      /types\.A\.ownedBy: must be/,
    ],
    [
      'private objects that make events',
      { types: { A: { ownedBy: 'user', attributes: { user: toUser } } } },
      /types\.A\.ownedBy: a type that belongs to users cannot have events/,
    ],
    [
      'objects that whoever writes them cannot read',
      { types: { A: { makesEvents: false, access: { read: 'admin', write: 'write' }, attributes: {} } } },
      /types\.A\.access: who may write it \(write\) must also be able to read it \(admin\)/,
    ],
    [
      'events of objects that only some may read',
      { types: { A: { access: { read: 'admin', write: 'admin' }, attributes: {} } } },
      /types\.A\.access: a type that only some may read cannot have events/,
    ],
    [
      'a private type with a unique value',
      {
        types: {
          A: {
            ownedBy: 'user',
            makesEvents: false,
            attributes: { user: toUser, label: { kind: 'text', maxLength: 9, isUnique: true } },
          },
        },
      },
      /types\.A\.ownedBy: a type that belongs to users cannot have a code or unique values/,
    ],
    [
      'a private type with a code',
      {
        types: {
          A: {
            ownedBy: 'user',
            makesEvents: false,
            attributes: { user: toUser, code: { kind: 'text', maxLength: 9, isCode: true } },
          },
        },
      },
      /types\.A\.ownedBy: a type that belongs to users cannot have a code/,
    ],
    [
      'a private type with an owner',
      {
        types: {
          A: {
            ownedBy: 'user',
            makesEvents: false,
            attributes: { user: toUser, voyage: { kind: 'owner', to: 'Voyage', collection: 'as' } },
          },
        },
      },
      /types\.A\.ownedBy: a type that belongs to users cannot have an owner/,
    ],
    [
      'a reference to a private type from one that all can see',
      {
        types: {
          A: { ownedBy: 'user', makesEvents: false, attributes: { user: toUser } },
          B: { attributes: { a: { kind: 'reference', to: 'A' } } },
        },
      },
      /types\.B\.attributes\.a\.to: A belongs to users/,
    ],
    [
      'sub-objects of a private type',
      {
        types: {
          A: { ownedBy: 'user', makesEvents: false, attributes: { user: toUser } },
          B: { attributes: { a: { kind: 'owner', to: 'A', collection: 'bs', isRequired: true } } },
        },
      },
      /types\.B\.attributes\.a\.to: A belongs to users/,
    ],
    [
      'access of a sub-object apart from its owner',
      {
        types: {
          A: {
            access: { read: 'read', write: 'nobody' },
            attributes: { voyage: { kind: 'owner', to: 'Voyage', collection: 'as', isRequired: true } },
          },
        },
      },
      /types\.A\.access: a sub-object has the access of its owner/,
    ],
    [
      'an owner by name that is no user',
      { types: { A: { ownedBy: 'v', attributes: { v: { kind: 'reference', to: 'Voyage', isRequired: true } } } } },
      /types\.A\.ownedBy: must be/,
    ],
    [
      'an unknown version',
      attribute({ kind: 'text', since: '7.0' }),
      /attributes\.b\.since: must be an API version from 3\.3 to/,
    ],
    [
      'an unknown edition',
      attribute({ kind: 'text', edition: 'GOLD' }),
      /attributes\.b\.edition: must be STANDARD or ENTERPRISE/,
    ],
    [
      'a required attribute that came later, without a default',
      attribute({ kind: 'text', since: '5.23', isRequired: true }),
      /attributes\.b: is required, but a caller of an older version than 5\.23 cannot send it: give it a default/,
    ],
    [
      'a code that came later',
      attribute({ kind: 'text', since: '3.9', isCode: true, maxLength: 9 }),
      /attributes\.b: is required, but/,
    ],
    [
      'an owner that came later',
      attribute({ kind: 'owner', to: 'Voyage', collection: 'as', since: '5.23' }),
      /attributes\.b\.since: an owner has no version/,
    ],
    [
      'a default that may be null',
      attribute({ kind: 'text', default: 'x', isRequired: false }),
      /b\.default: is never empty/,
    ],
    [
      'a default for one edition',
      attribute({ kind: 'text', default: 'x', edition: 'ENTERPRISE' }),
      /b\.default: cannot be combined with edition/,
    ],
    [
      'a default that is null',
      attribute({ kind: 'text', default: null }),
      /b\.default: must be text, a number or a boolean/,
    ],
    [
      'a default with digits that would be lost',
      attribute({ kind: 'decimal', default: 1 }).replace(':1}', ':1234567890.12345678}'),
      /b\.default: has more digits than a number can keep/,
    ],
    ...(
      [
        [{ kind: 'text', default: 5 }, 'must be text'],
        [{ kind: 'text', maxLength: 3, default: 'long' }, 'must be text of at most maxLength characters'],
        [{ kind: 'text', maxLength: 3, isUnique: true, default: 'x' }, 'one that is unique'],
        [{ kind: 'text', format: 'email', default: 'a@b' }, 'one that is unique, or has a format, cannot'],
        [{ kind: 'code', values: ['A'], default: 'B' }, 'must be one of the values'],
        [{ kind: 'integer', default: '5' }, 'must be a whole number'],
        [{ kind: 'integer', default: 1.5 }, 'must be a whole number'],
        [{ kind: 'integer', default: 2147483648 }, 'must be a whole number of 32 bits'],
        [{ kind: 'integer', isAssigned: true, default: 1 }, 'one that is numbered by the service cannot'],
        [{ kind: 'decimal', default: true }, 'must be a number'],
        [{ kind: 'decimal', default: 0.123456789 }, 'must be a number of at most 16 digits'],
        [{ kind: 'boolean', default: 'true' }, 'must be true or false'],
        [{ kind: 'dateTime', default: '2026-01-01T00:00:00' }, 'a dateTime cannot have a default'],
        [{ kind: 'textList', default: 'x' }, 'a textList cannot have a default'],
        [{ kind: 'json', default: 'x' }, 'a json cannot have a default'],
        [{ kind: 'key', default: 1 }, 'a key cannot have a default'],
        [{ kind: 'reference', to: 'Voyage', default: 1 }, 'a reference cannot have a default'],
      ] as const
    ).map(([details, reason]): [string, string, RegExp] => [
      `the default of ${JSON.stringify(details)}`,
      attribute(details),
      new RegExp(`types\\.A\\.attributes\\.b\\.default: .*${reason}`),
    ]),
    ['a list of no values', attribute({ kind: 'textList', values: [] }), /b\.values: at least one value is needed/],
    ['a list of odd values', attribute({ kind: 'textList', values: ["X'"] }), /is not a code/],
    [
      'a list that must be longer than it can be',
      attribute({ kind: 'textList', values: ['A'], minItems: 2 }),
      /b\.minItems: a list cannot have that many/,
    ],
    [
      'a list that a reference shows',
      { types: { A: { shownBy: ['b'], attributes: { b: { kind: 'textList' } } } } },
      /types\.A\.shownBy: "b" is not a plain attribute/,
    ],
  ])('%s', (_, file, expected) => {
    expect(refusalOf(file)).toMatch(expected);
  });

  test('all mistakes are reported at once', () => {
    const refusal = refusalOf({
      types: { A: { attributes: { b: { kind: 'money' }, c: { kind: 'text', maxLength: -1 } } } },
    });
    expect(refusal.match(/^- /gm)).toHaveLength(2);
  });
});
