// A model file with wrong versions, editions, defaults or lists is refused with the place and the reason.

import { describe, expect, test } from 'vitest';
import { attribute, refusalOf } from './refused-model-file.ts';

describe('an invalid model file is rejected with the place and the reason', () => {
  test.each([
    [
      'an unknown version',
      attribute({ kind: 'text', since: '7.0' }),
      /attributes\.b\.since: must be an API version from 3\.3 to/,
    ],
    [
      'a deprecation without a date',
      attribute({ kind: 'text', deprecated: { instead: 'c' } }),
      /attributes\.b\.deprecated\.since: is missing/,
    ],
    [
      'a deprecation since a day that does not exist',
      attribute({ kind: 'text', deprecated: { since: '2026-02-30' } }),
      /attributes\.b\.deprecated\.since: must be a day like 2026-11-15/,
    ],
    [
      'an end before the deprecation',
      attribute({ kind: 'text', deprecated: { since: '2026-02-01', sunset: '2026-01-31' } }),
      /attributes\.b\.deprecated\.sunset: must not be before since/,
    ],
    [
      'an unknown member of a deprecation',
      attribute({ kind: 'text', deprecated: { since: '2026-02-01', until: '2027-02-01' } }),
      /attributes\.b\.deprecated\.until: is unknown; known are since, sunset, instead/,
    ],
    [
      'a deprecation that is no object',
      attribute({ kind: 'text', deprecated: true }),
      /attributes\.b\.deprecated: must be an object/,
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
});
