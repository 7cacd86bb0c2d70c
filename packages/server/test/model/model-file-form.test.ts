// A model file with wrong names, kinds, references or owners is refused with the place and the reason.

import { describe, expect, test } from 'vitest';
import { attribute, refusalOf, text } from './refused-model-file.ts';

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
