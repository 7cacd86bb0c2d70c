// The types of access control, for `admin` only: users, their clients, and the audit log.

import type { AttributeDeclaration } from '../attribute-declaration.ts';
import type { Declarations } from '../build-model.ts';
import { editions } from '../editions.ts';
import { scopes } from '../scopes.ts';

/** Thirty days. */
export const graceMaxSeconds = 2_592_000;

/** How long the current secret stays valid after a new one is made. */
export function graceSeconds(description: string): AttributeDeclaration {
  return { kind: 'integer', minimum: 0, maximum: graceMaxSeconds, description, default: 86_400 };
}

export const access: Declarations = {
  ApiUser: {
    description: 'A person or system that clients act for. Every change names its user.',
    shownBy: ['userCode', 'name'],
    makesEvents: false,
    isServiceOwn: true,
    isAudited: true,
    raises: 'access',
    access: { read: 'admin', write: 'admin' },
    attributes: {
      userCode: { kind: 'text', maxLength: 64, isCode: true, example: 'agent-rotterdam' },
      name: { kind: 'text', maxLength: 128, isRequired: true, example: 'Agent in Rotterdam' },
      email: {
        kind: 'text',
        maxLength: 254,
        format: 'email',
        description: 'Alerts go here, such as the alert of a deactivated subscription.',
        example: 'ops@agent.example',
      },
      edition: {
        kind: 'code',
        values: [...editions],
        default: 'ENTERPRISE',
        description: 'The edition of the API that the user has.',
      },
      apiVersion: {
        kind: 'text',
        maxLength: 9,
        format: 'apiVersion',
        description: 'The API version of requests that name none. Null: the newest version.',
        example: '6.44',
      },
      active: { kind: 'boolean', default: true, description: 'false: requests of its clients are rejected.' },
    },
  },
  ApiClient: {
    description: 'A program that gets tokens with its id and secret, and acts as its user.',
    shownBy: ['clientId'],
    makesEvents: false,
    isServiceOwn: true,
    isAudited: true,
    raises: 'access',
    access: { read: 'admin', write: 'admin' },
    attributes: {
      clientId: {
        kind: 'text',
        maxLength: 128,
        isCode: true,
        isFixed: true,
        format: 'clientId',
        isFilledIn: true,
        description:
          'Created by the service if none is given. With an external issuer: the id of the client at that issuer.',
        example: 'terminal-planner',
      },
      user: { kind: 'reference', to: 'ApiUser', isRequired: true, description: 'The user that the client acts as.' },
      scopes: {
        kind: 'textList',
        values: [...scopes],
        minItems: 1,
        isRequired: true,
        description: 'What the client may do.',
        example: ['read', 'webhook'],
      },
      audiences: {
        kind: 'textList',
        minItems: 1,
        isRequired: true,
        isFilledIn: true,
        description: 'The audiences that the client can request tokens for. Default: the audience of this environment.',
        example: ['https://flaghoist.dev'],
      },
      active: {
        kind: 'boolean',
        default: true,
        description: 'false: its tokens are rejected, and it gets no new ones.',
      },
      previousSecretExpiresDate: {
        kind: 'dateTime',
        isReadOnly: true,
        description: 'Until when the previous secret is still accepted.',
      },
      secretDate: { kind: 'dateTime', isReadOnly: true, description: 'When the current secret was created.' },
      secretHash: { kind: 'text', maxLength: 64, isHidden: true },
      previousSecretHash: { kind: 'text', maxLength: 64, isHidden: true },
      clientSecret: {
        kind: 'text',
        isShownOnce: true,
        isReadOnly: true,
        description: 'Shown once, in the response that creates the client. Only a hash is stored.',
      },
    },
    actions: {
      rotateSecret: {
        summary: 'Give an ApiClient a new secret',
        description: 'Gives the client a new secret. The current secret is accepted for a grace period.',
        takes: { graceSeconds: graceSeconds('How long the current secret is still accepted, at most 30 days.') },
        answers: {
          clientId: { kind: 'text', isRequired: true },
          clientSecret: { kind: 'text', isRequired: true, description: 'Shown only here.' },
          previousSecretExpiresDate: { kind: 'dateTime', isRequired: true },
        },
      },
    },
  },
  AuditLog: {
    description: 'Who changed users, clients and keys, signed in to the console, or looked as another user. Read-only.',
    makesEvents: false,
    isServiceOwn: true,
    access: { read: 'admin', write: 'nobody' },
    attributes: {
      action: {
        kind: 'code',
        values: [
          'CREATE',
          'CHANGE',
          'DELETE',
          'ROTATE_KEY',
          'DISTRUST_KEYS',
          'CREATE_LINK',
          'SIGN_IN',
          'SIGN_OUT',
          'VIEW_AS',
        ],
        isRequired: true,
        description: 'The operation. `createdDate` says when, `createdById` by whom.',
      },
      objectType: { kind: 'text', maxLength: 40, isRequired: true, example: 'ApiClient' },
      objectKey: { kind: 'key', description: 'Key of the object; null for a signing key.' },
      objectName: { kind: 'text', maxLength: 255, description: 'Its code, or the id of the signing key.' },
      userCode: { kind: 'text', maxLength: 64, description: 'Who made the change; null for a change by SQL.' },
      clientId: {
        kind: 'text',
        maxLength: 128,
        description: 'The client that was used, `console <userCode>` for a link, or `command line`.',
      },
      changes: { kind: 'json', description: 'Attribute → `[before, after]`. Never contains secrets.' },
    },
  },
};
