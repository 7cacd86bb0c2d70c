// A model file with impossible access, or with types that cannot belong to users, is refused with the place and the
// reason.

import { describe, expect, test } from 'vitest';
import { refusalOf, toUser } from './refused-model-file.ts';

describe('an invalid model file is rejected with the place and the reason', () => {
  test.each([
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
      'objects that their writers cannot read',
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
  ])('%s', (_, file, expected) => {
    expect(refusalOf(file)).toMatch(expected);
  });
});
