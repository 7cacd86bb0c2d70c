// The model as data: what forms, trees and filters of a user interface are built from.

import type { ServiceOperationDeclaration } from '../service-operation.ts';

type Properties = Record<string, Record<string, unknown>>;

const text = (description: string) => ({ type: 'string', description });
const flag = (description: string) => ({ type: 'boolean', description });
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

/** All properties but the `optional` ones are required. */
function describedObject(title: string, description: string, properties: Properties, optional: Properties = {}) {
  const required = Object.keys(properties);
  return { title, description, type: 'object', required, properties: { ...properties, ...optional } };
}

const attributeKinds = [
  ...['self', 'key', 'text', 'decimal', 'integer', 'dateTime', 'boolean', 'code', 'binary', 'textList', 'json'],
  ...['reference', 'collection'],
];

const deprecation = describedObject(
  'ModelDeprecation',
  'Says since when it is deprecated.',
  { since: text('The day from which it is deprecated.') },
  { sunset: text('The day from which it may be gone.'), instead: text('What to use instead.') },
);

const attribute = describedObject(
  'ModelAttribute',
  'An attribute of a type, or a member that an action takes or returns. Flags that do not apply are left out.',
  {
    name: text('Its name in requests and responses.'),
    label: text('Its name in words.'),
    kind: { type: 'string', enum: attributeKinds, description: 'What values it has.' },
    description: text('What it means, without the label.'),
    isRequired: flag('Whether a new object must state it.'),
    isReadOnly: flag('Whether the service sets it. A value that is sent back unchanged is ignored.'),
  },
  {
    isFixed: flag('Set when the object is created, and never changed.'),
    isLarge: flag('Shown when one object is read, but not in lists.'),
    isOnDemand: flag('Shown only if `fields` selects it.'),
    isWriteOnly: flag('Can be sent, but is never shown.'),
    isShownOnce: flag('Shown only in the response that creates the object.'),
    isUnique: flag('No two objects have the same value.'),
    isOrdered: flag('Of a textList: the order of the texts matters.'),
    isInstant: flag('Of a dateTime: with microseconds and `Z`.'),
    isOwner: flag('Of a reference: the object belongs to the one that it refers to.'),
    isFollowed: flag('Of a reference: subscriptions on this type also match changes of the object behind it.'),
    isOwned: flag('Of a collection: its elements are part of the object. False for remarks.'),
    values: texts('The values that a code or a textList can have.'),
    reference: text('The type that a reference leads to.'),
    element: text('The type of the elements of a collection.'),
    elementOwner: text('The attribute of the elements that refers to the object with the collection.'),
    maxLength: { type: 'integer', description: 'Of a text: the most characters.' },
    minimum: { type: 'number', description: 'Of a number: the lowest that can be sent, if it is limited.' },
    maximum: { type: 'number', description: 'Of a number: the highest that can be sent, if it is limited.' },
    minItems: { type: 'integer', description: 'Of a collection or a textList: the least number of elements.' },
    format: text('Of a text: what it must be, in words.'),
    pattern: text('Of a text: a regular expression that it must match.'),
    schema: { type: 'object', description: 'Of JSON: its JSON Schema.', additionalProperties: true },
    default: { description: 'The value of a new object that states none.' },
    example: { description: 'An example of a value.' },
    operators: texts('The operators of filters on it. Left out if it cannot be filtered by.'),
    isSortable: flag('Whether lists can be sorted by it.'),
    edition: text('The edition that a user needs to set it.'),
    deprecated: deprecation,
  },
);

const attributes = (description: string) => ({ type: 'array', items: attribute, description });

const action = describedObject('ModelAction', 'An action that the caller may call.', {
  name: text('Its name in the path.'),
  on: {
    type: 'string',
    enum: ['object', 'type', 'both'],
    description: 'object: `…/{key}/{name}`. type: `…/{name}`. both: either.',
  },
  method: { type: 'string', enum: ['GET', 'POST'], description: 'The method of its requests.' },
  summary: text('What it does, in a few words.'),
  description: text('What it does.'),
  takes: attributes('The members of its request, or the query parameters of a GET.'),
  answers: attributes('The members of its response, or of each element.'),
  answersList: flag('Whether the response is an array.'),
  answersEvents: flag('Whether the response is a stream of server-sent events.'),
});

const access = describedObject('ModelAccess', 'What the scopes of the caller allow. Rules may reject more.', {
  canCreate: flag('Whether the caller may create objects.'),
  canUpdate: flag('Whether the caller may update objects.'),
  canDelete: flag('Whether the caller may delete objects.'),
});

const type = describedObject(
  'ModelType',
  'An object type that the caller may read.',
  {
    name: text('Its name in paths.'),
    label: text('Its name in words.'),
    description: text('What it is.'),
    access,
    isMain: flag('Whether its objects make events and belong to no other object.'),
    makesEvents: flag('Whether its changes can be subscribed to.'),
    isServiceOwn: flag("Whether it is one of the service's own types, such as subscriptions."),
    shownBy: texts('The attributes that identify an object to a person. A reference shows them.'),
    below: texts('The types whose changes a subscription to this type also matches.'),
    attributes: attributes('Its attributes, in the order in which they are shown.'),
    actions: { type: 'array', items: action, description: 'Its actions besides reading and writing.' },
  },
  {
    owner: text('The type that its objects belong to.'),
    ownerAttribute: text('The reference to the owner.'),
    code: text('The attribute by which a reference can name an object.'),
    sequence: text('The attribute that orders the objects of one owner.'),
    ownedBy: text('The reference to the user who owns the object. Only that user and administrators see it.'),
    needsOneOf: {
      type: 'array',
      items: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
      description: 'What a new object needs besides its required attributes: of each group, one set of attributes.',
    },
    deprecated: deprecation,
  },
);

const exampleType = {
  name: 'Currency',
  label: 'Currency',
  description: '',
  access: { canCreate: true, canUpdate: true, canDelete: true },
  isMain: true,
  makesEvents: true,
  isServiceOwn: false,
  shownBy: ['currencyCode', 'currencyName'],
  below: [],
  code: 'currencyCode',
  attributes: [
    {
      name: 'currencyCode',
      label: 'Currency code',
      kind: 'text',
      description: 'Unique.',
      isRequired: true,
      isReadOnly: false,
      isUnique: true,
      maxLength: 3,
      example: 'USD',
      operators: ['EQ', 'NE', 'IN', 'LIKE'],
      isSortable: true,
    },
  ],
  actions: [],
};

export const readModel: ServiceOperationDeclaration = {
  path: 'model',
  scope: 'read',
  method: 'GET',
  summary: 'The object types as data',
  description:
    'The types, attributes, references, sub-objects, values and actions that the caller may see in its API version: ' +
    'what forms, trees and filters are built from. `/openapi.json` describes the same for code generators.',
  takes: {},
  answers: {
    types: {
      kind: 'json',
      isRequired: true,
      description: 'The types that the caller may read.',
      schema: { type: 'array', items: type, examples: [[exampleType]] },
    },
  },
};
