// The list of recent changes to objects.

import type { ServiceOperationDeclaration } from '../service-operation.ts';

const keySchema = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** How many notifications of a change are counted. */
export const notificationsCountedMax = 1_000;

export const changeSchema = {
  title: 'ObjectChange',
  description: 'A change: one object created, updated or deleted.',
  type: 'object',
  required: [
    'id',
    'event',
    'objectType',
    'objectKey',
    'name',
    'occurredAt',
    'user',
    'client',
    'changedAttributes',
    'mainObjects',
    'notificationCount',
  ],
  properties: {
    id: { ...keySchema, description: 'Id of the event: the `sequence` of its notifications.' },
    event: { type: 'string', description: 'Type of the changed object, and the operation: `Voyage.U`.' },
    objectType: { type: 'string', description: 'Type of the changed object.' },
    objectKey: { ...keySchema, description: 'Key of the changed object.' },
    name: {
      type: ['string', 'null'],
      description: 'What identifies the object to a person, such as code and name. Null if it has nothing such.',
    },
    occurredAt: {
      type: 'string',
      format: 'date-time',
      description: 'When the change was made, in UTC, with microseconds.',
    },
    user: {
      title: 'ChangeUser',
      description: 'Who made the change. Null if no user is known.',
      type: ['object', 'null'],
      required: ['key', 'userCode'],
      properties: {
        key: { ...keySchema, description: 'Key of the ApiUser.' },
        userCode: { type: ['string', 'null'], description: 'Code of the user. Null if the user was deleted.' },
      },
    },
    client: { type: ['string', 'null'], description: 'Id of the client that made the change. Null if none is known.' },
    changedAttributes: {
      type: 'array',
      description: 'The attributes that differ; on create and delete, all that are set.',
      items: {
        title: 'ChangedAttribute',
        description: 'A changed attribute, with its old and new value.',
        type: 'object',
        required: ['name', 'old', 'new'],
        properties: {
          name: { type: 'string', description: 'Name of the attribute.' },
          old: { description: 'The value before the change. A reference has `key` and `self`. Null on create.' },
          new: { description: 'The value after the change, in the same form. Null on delete.' },
        },
      },
    },
    mainObjects: {
      type: 'array',
      description: 'The objects that have, or had, the changed object in their hierarchy.',
      items: {
        title: 'MainObject',
        description: 'An object that has the changed object in its hierarchy.',
        type: 'object',
        required: ['objectType', 'objectKey'],
        properties: {
          objectType: { type: 'string', description: 'Its type.' },
          objectKey: { ...keySchema, description: 'Its key.' },
        },
      },
    },
    notificationCount: {
      type: 'integer',
      format: 'int32',
      minimum: 0,
      description:
        `How many notifications of the change there are, at most ${notificationsCountedMax}. Only an administrator ` +
        "counts those of other users' subscriptions.",
    },
  },
};

const exampleChange = {
  id: 52011,
  event: 'PortCall.U',
  objectType: 'PortCall',
  objectKey: 1042,
  name: 'NLRTM, 2026-11-15 08:30, L',
  occurredAt: '2026-11-15T08:30:00.123456Z',
  user: { key: 1001, userCode: 'ops' },
  client: 'operations',
  changedAttributes: [{ name: 'eta', old: '2026-11-15T06:00:00', new: '2026-11-15T08:30:00' }],
  mainObjects: [{ objectType: 'Voyage', objectKey: 1007 }],
  notificationCount: 2,
};

export const readChanges: ServiceOperationDeclaration = {
  path: 'changes',
  scope: 'read',
  method: 'GET',
  summary: 'Recent changes to objects',
  description:
    'The changes to all objects, of one type, or to one object, newest first. `next` is null on the last page; a page ' +
    'before it can have fewer changes than `limit`, or none. Changes are kept as long as notifications.',
  takes: {
    objectType: { kind: 'text', description: 'Only changes to objects of this type.', example: 'Voyage' },
    objectKey: { kind: 'key', description: 'Only changes to this object.' },
    hierarchy: {
      kind: 'boolean',
      default: false,
      description:
        'true: also the changes in the hierarchy of the object, or of all objects of the type. Needs `objectType`.',
    },
    event: {
      kind: 'text',
      description:
        'Only changes of this type and operation: `Voyage.U`, `PortCall.*` or `*.D`. With `hierarchy`, this is the ' +
        'changed object.',
      example: 'Voyage.U',
    },
    before: { kind: 'key', description: 'Only changes with a lower id: `next` of the page before.' },
    limit: { kind: 'integer', minimum: 1, maximum: 200, default: 50, description: 'Maximum number of changes.' },
  },
  answers: {
    changes: {
      kind: 'json',
      isRequired: true,
      description: 'The changes, newest first.',
      schema: { type: 'array', items: changeSchema, examples: [[exampleChange]] },
    },
    next: { kind: 'key', description: 'For `before`, to get the next page. Null: there are no more.', example: 51002 },
  },
};
