// The attributes of a subscription that say how its notifications reach the receiver: the channel, the authorization,
// headers, retries and rate.

import { type AuthType, authTypes, channelCodes, channelTypes, defaultChannelType } from '../../channel-types.ts';
import type { AttributeDeclaration } from '../attribute-declaration.ts';
import { type MemberDeclarations, objectSchema } from './member-schema.ts';

export interface AuthDeclaration {
  /** The name of its schema in the API description. */
  title: string;
  description: string;
  members: MemberDeclarations;
  /** The member that is encrypted at rest and never shown. */
  secret: string;
  /** The secret can be left out of a change that leaves these as they are. */
  boundTo: readonly string[];
}

/** Names with dots between them. `subscriptions/channel/check-subject.ts` checks the rest. */
const subjectPattern = '^([A-Za-z0-9_-]|\\{\\w+\\})+(\\.([A-Za-z0-9_-]|\\{\\w+\\})+)*$';

export const authDeclarations: Readonly<Record<AuthType, AuthDeclaration>> = {
  OAUTH2: {
    title: 'OAuth2Auth',
    description:
      'OAuth 2.0 client credentials: notifications carry a Bearer token of this server. The token is fetched when ' +
      'it is needed, kept until shortly before it expires, and fetched again once if the receiver answers 401.',
    members: {
      tokenUrl: {
        kind: 'text',
        maxLength: 2048,
        isRequired: true,
        description: 'The token endpoint: an `http` or `https` URL.',
        example: 'https://login.agent.example/token',
      },
      clientId: { kind: 'text', maxLength: 255, isRequired: true, example: 'flaghoist' },
      clientSecret: {
        kind: 'text',
        maxLength: 4096,
        isWriteOnly: true,
        description: 'Encrypted at rest and never shown. Required again only with another tokenUrl or clientId.',
      },
      scope: { kind: 'text', maxLength: 1000, example: 'webhooks.write' },
      audience: { kind: 'text', maxLength: 1000, example: 'https://agent.example' },
    },
    secret: 'clientSecret',
    boundTo: ['tokenUrl', 'clientId'],
  },
  MTLS: {
    title: 'MtlsAuth',
    description: 'Mutual TLS: the service presents this certificate to the receiver.',
    members: {
      certificate: {
        kind: 'text',
        maxLength: 65_536,
        isRequired: true,
        description: 'PEM: the certificate, and those between it and its issuer.',
      },
      privateKey: {
        kind: 'text',
        maxLength: 16_384,
        isWriteOnly: true,
        description:
          'PEM, without a passphrase. Encrypted at rest and never shown. Required again only with another certificate.',
      },
    },
    secret: 'privateKey',
    boundTo: ['certificate'],
  },
  CREDENTIALS: {
    title: 'CredentialsAuth',
    description: 'Credentials of NATS: the service signs in as the user of a `.creds` file.',
    members: {
      credentials: {
        kind: 'text',
        maxLength: 16_384,
        isWriteOnly: true,
        description:
          'The text of the `.creds` file: JWT and seed. Encrypted at rest and never shown. It can be left out of a ' +
          'change.',
      },
    },
    secret: 'credentials',
    boundTo: [],
  },
};

export const retryPolicyMembers: MemberDeclarations = {
  attempts: {
    kind: 'integer',
    minimum: 1,
    maximum: 100,
    description: 'How many attempts. Omitted: the default of the service (`FLAGHOIST_DELIVERY_ATTEMPTS`).',
    example: 12,
  },
  intervalSeconds: {
    kind: 'decimal',
    minimum: 1,
    maximum: 2_592_000,
    description:
      'From the start of the first attempt to the start of the second one. Omitted: the default of the service ' +
      '(`FLAGHOIST_DELIVERY_INTERVAL_SECONDS`).',
    example: 30,
  },
  backoff: {
    kind: 'code',
    values: ['FIXED', 'EXPONENTIAL'],
    default: 'FIXED',
    description:
      'EXPONENTIAL: the interval doubles after each attempt, and up to 20 % are added at random. Default: FIXED.',
    example: 'EXPONENTIAL',
  },
  maxIntervalSeconds: {
    kind: 'decimal',
    minimum: 1,
    maximum: 2_592_000,
    default: 86_400,
    description: 'With EXPONENTIAL, the longest interval. Default: 86400.',
    example: 21_600,
  },
};

export const channelSettings: Record<string, AttributeDeclaration> = {
  url: {
    kind: 'text',
    maxLength: 2048,
    isFilledIn: true,
    description: `Where notifications are sent: ${addresses()}. Required, here or in \`channelInfo\`; null for STREAM.`,
    example: 'https://agent.example/webhooks',
  },
  channelInfo: {
    kind: 'json',
    maxLength: 100_000,
    isRequired: true,
    isFilledIn: true,
    since: '3.9',
    description: 'The channel and the address of notifications. `URL` is the same as `url`.',
    members: { channelType: { kind: 'code', values: [...channelCodes] }, URL: { kind: 'text', maxLength: 2048 } },
    schema: {
      title: 'ChannelInfo',
      type: 'object',
      required: ['channelType'],
      properties: {
        channelType: {
          type: 'string',
          enum: channelCodes,
          default: defaultChannelType,
          description: `${whatIsSent()} Default: ${defaultChannelType}.`,
        },
        URL: {
          type: 'string',
          description: `The address: ${addresses()}.`,
          examples: ['https://agent.example/webhooks'],
        },
        subject: {
          type: 'string',
          maxLength: 255,
          pattern: subjectPattern,
          description:
            'For NATS, where notifications are published. `{objectType}`, `{operation}` and `{objectKey}` are those of ' +
            `the changed object, \`{subscription}\` is the key of the subscription. Default: \`${defaultSubject()}\`.`,
          examples: [defaultSubject()],
        },
        auth: {
          description: `How the service authenticates itself: ${authUsers()}. Null: not, or by the password.`,
          title: 'ReceiverAuth',
          oneOf: [...authTypes.map(authSchema), { type: 'null' }],
        },
      },
      additionalProperties: false,
    },
  },
  headers: {
    kind: 'json',
    maxLength: 8_192,
    description:
      'Headers to send along with each notification over HTTP, at most 20 of 4 kB in all. The values are encrypted ' +
      'at rest and shown as `***`; sent back like that, they stay.',
    schema: {
      type: 'object',
      maxProperties: 20,
      additionalProperties: { type: 'string', pattern: '^[!-~]([ -~]*[!-~])?$' },
      examples: [{ 'X-Api-Key': '***' }],
    },
  },
  acknowledgeSeconds: {
    kind: 'integer',
    minimum: 1,
    maximum: 43_200,
    description:
      'For STREAM: a notification that is not acknowledged within this time is sent again. Null: 30 seconds.',
  },
  retryPolicy: {
    kind: 'json',
    maxLength: 1_000,
    description:
      'When failed attempts are repeated; at most 100 attempts over 30 days, or over `FLAGHOIST_BODY_RETENTION_DAYS` ' +
      'if shorter. Null: the default of the service.',
    schema: { title: 'RetryPolicy', ...objectSchema(retryPolicyMembers) },
  },
  ratePerSecond: {
    kind: 'decimal',
    minimum: 0.01,
    maximum: 1000,
    description: 'At most this many attempts per second. Notifications over the rate wait. Null: no limit.',
    example: 5,
  },
};

function authSchema(type: AuthType): Record<string, unknown> {
  const { title, description, members } = authDeclarations[type];
  const { properties, required, ...schema } = objectSchema(members);
  return {
    ...schema,
    title,
    description,
    required: ['type', ...((required as string[] | undefined) ?? [])],
    properties: { type: { type: 'string', enum: [type] }, ...(properties as object) },
  };
}

function authUsers(): string {
  return channelCodes
    .filter((code) => channelTypes[code].authTypes.length > 0)
    .map((code) => `for ${code} ${channelTypes[code].authTypes.join(' or ')}`)
    .join(', ');
}

function defaultSubject(): string {
  return channelTypes.NATS.defaultSubject!;
}

function addresses(): string {
  return channelCodes
    .filter((code) => channelTypes[code].address !== null)
    .map((code) => `for ${code} ${channelTypes[code].address}`)
    .join(', ');
}

function whatIsSent(): string {
  return channelCodes.map((code) => `${code}: ${channelTypes[code].description}.`).join(' ');
}
