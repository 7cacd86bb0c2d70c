// Schemas that do not depend on a type: errors, health, tokens and the messages to subscribers.

import { tokenErrorTable } from '../../../auth/token-endpoint/token-error.ts';
import { changesSchema } from '../../../model/catalogue/webhook-notification.ts';
import { scopes } from '../../../model/scopes.ts';
import { type DescriptionContext, namesOf, notifiedTypes } from '../description-context.ts';
import { notificationExample, pingExample, tokenExample, tokenRequestExample } from '../examples/message-examples.ts';
import {
  dateTimeSchema,
  instantSchema,
  keySchema,
  objectSchema,
  type Schema,
  type Schemas,
  schemaRef,
  urlSchema,
} from '../json-schema.ts';

export function serviceSchemas(context: DescriptionContext): Schemas {
  return {
    ...errorSchemas(context),
    ...(context.settings.issuerUrl === undefined && tokenSchemas(context)),
    ...messageSchemas(context),
    [context.names.shared.health]: objectSchema('The result of a health check.', {
      status: { type: 'string', enum: ['live', 'ready'], description: 'The state that was checked.' },
    }),
  };
}

function errorSchemas({ names: { shared } }: DescriptionContext): Schemas {
  const members: Schemas = {
    statusCode: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    statusText: { type: 'string', description: 'The name of the HTTP status.' },
    message: { type: 'string', description: 'An explanation for people.' },
    date: { ...dateTimeSchema, description: 'When the error happened, in UTC.' },
    statusFamily: {
      type: 'string',
      enum: ['CLIENT_ERROR', 'SERVER_ERROR'],
      description: 'Whether the client or the server caused the error.',
    },
    method: { type: 'string', description: 'The method of the request.' },
    uri: { type: 'string', description: 'The URL of the request.' },
  };
  const violations: Schema = {
    type: 'array',
    description: 'Every mistake in a body or field selection.',
    items: schemaRef(shared.violation),
  };
  return {
    [shared.error]: objectSchema('The body of every error response.', { ...members, violations }, Object.keys(members)),
    [shared.violation]: objectSchema('One mistake.', {
      path: { type: 'string', description: 'The path of the mistake.', examples: ['bunkerOrderLines[0].unitPrice'] },
      message: { type: 'string', description: 'What is wrong at this path.', examples: ['is required.'] },
    }),
  };
}

function tokenSchemas(context: DescriptionContext): Schemas {
  const { audience, names } = context;
  const { tokenRequest, token, tokenError, keys, publicKey, metadata } = names.shared;
  return {
    [tokenRequest]: { ...tokenRequestSchema(audience), examples: [tokenRequestExample(context)] },
    [token]: {
      ...objectSchema('A token (RFC 6749 §5.1).', {
        access_token: { type: 'string', description: 'Send it as `Authorization: Bearer <access_token>`.' },
        token_type: { type: 'string', enum: ['Bearer'], description: 'The type of the token.' },
        expires_in: { type: 'integer', minimum: 1, description: 'The number of seconds that the token is valid.' },
        scope: { type: 'string', description: `The scopes of the token, separated by spaces: ${scopes.join(', ')}.` },
      }),
      examples: [tokenExample(context)],
    },
    [tokenError]: objectSchema('The error of a token request (RFC 6749 §5.2).', {
      error: { type: 'string', enum: Object.keys(tokenErrorTable), description: 'The error code, for programs.' },
      error_description: { type: 'string', description: 'An explanation, for people.' },
    }),
    [keys]: objectSchema('A set of public keys (RFC 7517 §5).', {
      keys: {
        type: 'array',
        description: 'One for each key whose tokens are accepted.',
        items: schemaRef(publicKey),
      },
    }),
    [publicKey]: publicKeySchema,
    [metadata]: metadataSchema(context),
  };
}

const publicKeySchema = objectSchema('A public key (RFC 7517 §4): an EC key on the curve P-256.', {
  kty: { type: 'string', description: 'The family of the key.' },
  kid: { type: 'string', description: 'The id of the key, as in the header of its tokens.' },
  crv: { type: 'string', description: 'The curve.' },
  x: { type: 'string', description: 'The x coordinate, in base64url.' },
  y: { type: 'string', description: 'The y coordinate, in base64url.' },
  use: { type: 'string', description: '`sig`: the key verifies signatures.' },
  alg: { type: 'string', description: 'The algorithm of its signatures.' },
});

function tokenRequestSchema(audience: string): Schema {
  return objectSchema(
    'A token request. Other parameters are ignored.',
    {
      client_id: { type: 'string', minLength: 1, description: 'Id of the client; omitted with HTTP Basic.' },
      client_secret: { type: 'string', minLength: 1, description: 'Secret of the client; omitted with HTTP Basic.' },
      audience: {
        type: 'string',
        minLength: 1,
        description: `Must be exactly \`${audience}\` for this installation.`,
        examples: [audience],
      },
      grant_type: { type: 'string', enum: ['client_credentials'], description: 'The only supported grant.' },
      scope: {
        type: 'string',
        description: 'Scopes of the client, separated by spaces. Default: all of them.',
        examples: ['read write'],
      },
    },
    ['audience', 'grant_type'],
  );
}

function metadataSchema({ audience, baseUrl }: DescriptionContext): Schema {
  const texts: Schema = { type: 'array', items: { type: 'string' } };
  const members: Schemas = {
    issuer: { ...urlSchema, description: 'The name of the issuer, as in its tokens.', examples: [baseUrl] },
    token_endpoint: { ...urlSchema, description: 'The URL for token requests.' },
    jwks_uri: { ...urlSchema, description: 'The URL of the public keys.' },
    grant_types_supported: { ...texts, description: 'The supported grants.' },
    response_types_supported: { ...texts, description: 'Only `none`: the issuer has no authorization endpoint.' },
    token_endpoint_auth_methods_supported: { ...texts, description: 'How clients may authenticate.' },
    scopes_supported: { ...texts, description: 'The supported scopes.' },
    service_documentation: { ...urlSchema, description: 'The documentation, for people.' },
    audience: { type: 'string', description: 'The `audience` of token requests.', examples: [audience] },
  };
  const description = 'What an OAuth client must know about the issuer (RFC 8414 §2).';
  return objectSchema(description, members, ['issuer', 'token_endpoint', 'jwks_uri', 'response_types_supported']);
}

export const notificationId: Schema = { type: 'string', pattern: '^\\d+-\\d+$' };
export const pingId: Schema = { type: 'string', pattern: '^ping-\\d+-\\d+$' };

export const sequenceSchema: Schema = { type: 'integer', format: 'int64', minimum: 0 };

const subscriptionMembers: Schemas = {
  key: { ...keySchema, description: 'Key of the subscription.' },
  self: { ...urlSchema, description: 'URL of the subscription.' },
};

const sentFor = 'The subscription that the message is sent for.';

const notifiedSubscription: Schema = {
  title: 'NotifiedSubscription',
  ...objectSchema(sentFor, {
    ...subscriptionMembers,
    eventType: {
      type: 'string',
      description:
        'The first of the `eventTypes` of the subscription that the change matches, as the subscriber wrote it.',
    },
  }),
};

const pingedSubscription: Schema = {
  title: 'PingedSubscription',
  ...objectSchema(sentFor, {
    ...subscriptionMembers,
    eventType: { type: ['string', 'null'], description: 'The `eventType` of the subscription.' },
    eventTypes: { type: 'array', items: { type: 'string' }, description: 'What the subscription matches.' },
    name: { type: ['string', 'null'], description: 'Name of the subscription.' },
  }),
};

/** Empty if no type creates events. */
function messageSchemas(context: DescriptionContext): Schemas {
  const { notification, ping, message } = context.names.shared;
  const types = notifiedTypes(context);
  const [first] = types;
  if (!first) return {};
  const wholes = types.map((type) => schemaRef(namesOf(context, type).whole));
  return {
    [message]: {
      description: 'What is sent: the envelope or, with `rawObject`, the object alone.',
      anyOf: [schemaRef(notification), ...wholes],
    },
    [notification]: { ...notificationSchema(context), examples: [notificationExample(context, first)] },
    [ping]: {
      ...objectSchema('A test message: what `ping` sends.', {
        id: { ...pingId, description: 'The id of the message; equals the `webhook-id`.' },
        eventTime: { ...dateTimeSchema, description: 'The time of the request, in UTC.' },
        isTest: { type: 'boolean', description: 'Always true. Notifications do not have this member.' },
        message: { type: 'string', description: 'An explanation for people.' },
        subscription: pingedSubscription,
        sequence: { ...sequenceSchema, maximum: 0, description: 'Always 0: no object has changed.' },
        occurredAt: { ...instantSchema, description: 'The time of the request.' },
      }),
      examples: [pingExample(context)],
    },
  };
}

function notificationSchema(context: DescriptionContext): Schema {
  const types = notifiedTypes(context);
  const { wireNames } = context.settings;
  const members: Schemas = {
    id: {
      ...notificationId,
      description:
        'The id of the event and of the notification. It is the same in every repeat, and equals the `webhook-id`.',
    },
    eventTime: { ...dateTimeSchema, description: 'The time of the change, in UTC.' },
    objectType: { type: 'string', enum: types.map(({ name }) => name), description: 'Type of the changed object.' },
    [`${wireNames}Object`]: { ...keySchema, description: 'Key of the changed object.' },
    eventType: { type: 'string', enum: ['C', 'U', 'D'], description: 'The operation: created, updated or deleted.' },
    [`${wireNames}ObjectSelf`]: { ...urlSchema, description: 'URL of the changed object.' },
    subscription: notifiedSubscription,
    resource: {
      title: 'NotifiedObject',
      description:
        'The object that the subscription is for, whole or as `json` selects. It is the changed object, or one ' +
        'that has the changed object in its hierarchy. For a deleted object, its last state. Null if the ' +
        'object no longer exists.',
      anyOf: [...types.map((type) => schemaRef(namesOf(context, type).whole)), { type: 'null' }],
    },
    changes: {
      ...changesSchema,
      description:
        'Only with `includeChanges`: each attribute of the changed object that differs, with its old and new value.',
    },
    sequence: {
      ...sequenceSchema,
      description:
        'The number of the event: the first part of `id`. Of two changes to the same object, the later one has the ' +
        'higher number.',
    },
    occurredAt: { ...instantSchema, description: 'The time of the change, with microseconds.' },
  };
  const required = Object.keys(members).filter((name) => name !== 'changes');
  return objectSchema('A notification: what changed, and the object that the subscription is for.', members, required);
}
