// The types of access control, for `admin` only: users, their clients, and the audit log.

import type { Declarations } from '../build-model.ts';
import { editions } from '../editions.ts';
import { scopes } from '../scopes.ts';

/** Thirty days. */
export const graceMaxSeconds = 2_592_000;

export const access: Declarations = {
  ApiUser: {
    description: 'A person or system on whose behalf clients act: its name stands behind every change.',
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
        description: 'Where alerts go, such as that of a deactivated subscription.',
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
        description: 'The API version of requests that name none; null is the newest.',
        example: '6.44',
      },
      active: { kind: 'boolean', default: true, description: 'false: its clients are refused.' },
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
          'Made by the service where none is given. With an external issuer, the id that the client has there.',
        example: 'terminal-planner',
      },
      user: { kind: 'reference', to: 'ApiUser', isRequired: true, description: 'Whom the client acts as.' },
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
        description: 'The audiences it can ask tokens for; where nothing is said, that of this environment.',
        example: ['https://flaghoist.dev'],
      },
      active: {
        kind: 'boolean',
        default: true,
        description: 'false: its tokens are refused, and it gets no new ones.',
      },
      previousSecretExpiresDate: {
        kind: 'dateTime',
        isReadOnly: true,
        description: 'Until when the secret before the last rotation is still taken.',
      },
      secretDate: { kind: 'dateTime', isReadOnly: true, description: 'When the present secret was made.' },
      secretHash: { kind: 'text', maxLength: 64, isHidden: true },
      previousSecretHash: { kind: 'text', maxLength: 64, isHidden: true },
      clientSecret: {
        kind: 'text',
        isShownOnce: true,
        isReadOnly: true,
        description: 'Shown once, in the answer that creates the client; kept only as a hash.',
      },
    },
    actions: {
      rotateSecret: {
        summary: 'Give an ApiClient a new secret',
        description: 'Gives the client a new secret. The present one is taken for a grace time.',
        takes: {
          graceSeconds: {
            kind: 'integer',
            minimum: 0,
            maximum: graceMaxSeconds,
            description: 'How long the present secret is still taken, at most 30 days.',
            default: 86_400,
          },
        },
        answers: {
          clientId: { kind: 'text', isRequired: true },
          clientSecret: { kind: 'text', isRequired: true, description: 'Shown here once.' },
          previousSecretExpiresDate: { kind: 'dateTime', isRequired: true },
        },
      },
    },
  },
  AuditLog: {
    description: 'Who did what to users, clients and keys. Written by the database itself; nobody can change it here.',
    makesEvents: false,
    isServiceOwn: true,
    access: { read: 'admin', write: 'nobody' },
    attributes: {
      action: {
        kind: 'code',
        values: ['CREATE', 'CHANGE', 'DELETE', 'ROTATE_KEY', 'DISTRUST_KEYS'],
        isRequired: true,
        description: 'What was done; `createdDate` says when, `createdById` by whom.',
      },
      objectType: { kind: 'text', maxLength: 40, isRequired: true, example: 'ApiClient' },
      objectKey: { kind: 'key', description: 'Key of the object; null for a signing key.' },
      objectName: { kind: 'text', maxLength: 255, description: 'Its code, or the id of the signing key.' },
      userCode: { kind: 'text', maxLength: 64, description: 'Who did it; null where it was done by SQL.' },
      clientId: { kind: 'text', maxLength: 128, description: 'With which client, or `command line`.' },
      changes: {
        kind: 'json',
        description: 'Attribute → `[before, after]`; secrets are never among them.',
      },
    },
  },
};
