// What the editor edits: a subscription as fields of a form. Numbers are texts here, as they are typed.

import { parseExactly } from '../../../service/exact-json.ts';
import type { ChannelType, Subscription } from '../api-subscription.ts';
import { type Operation, operations, parseEventType } from '../event-type.ts';
import { decodeText } from './base64.ts';
import type { Selection } from './selection.ts';

/** Event types that name the same objects. */
export interface EventRow {
  /** Empty: not chosen yet. `*`: every type. */
  objectType: string;
  operations: readonly Operation[];
  /** Whether it is about one object. */
  isOne: boolean;
  /** Of that object; empty: not chosen yet. */
  objectKey: string;
}

export interface HeaderRow {
  name: string;
  value: string;
}

export type AuthorizationKind = 'NONE' | 'BASIC' | 'OAUTH2' | 'MTLS' | 'CREDENTIALS';

export interface Authorization {
  kind: AuthorizationKind;
  username: string;
  tokenUrl: string;
  clientId: string;
  scope: string;
  audience: string;
  certificate: string;
}

/** What is never shown again once it is saved. Empty: as before, or none. */
export interface Secrets {
  password: string;
  clientSecret: string;
  privateKey: string;
  credentials: string;
  signingSecret: string;
}

export interface RetryFields {
  /** Whether the service decides. */
  isDefault: boolean;
  attempts: string;
  intervalSeconds: string;
  backoff: 'FIXED' | 'EXPONENTIAL';
  maxIntervalSeconds: string;
}

/** What the body is made of. */
export type BodyForm = 'ENVELOPE' | 'OBJECT' | 'STYLESHEET';

export interface Draft {
  name: string;
  /** Key of the user; empty: the caller's own. */
  user: string;
  events: readonly EventRow[];
  onlyMainObject: boolean;
  notSendMyChanges: boolean;
  expression: string;
  /** Undefined: everything. */
  selection: Selection | undefined;
  bodyForm: BodyForm;
  includeChanges: boolean;
  stylesheet: string;
  /** Code of an AlertScript; empty: none. */
  script: string;
  parameters: Readonly<Record<string, unknown>>;
  useMsg: boolean;
  channelType: ChannelType;
  url: string;
  subject: string;
  acknowledgeSeconds: string;
  headers: readonly HeaderRow[];
  authorization: Authorization;
  secrets: Secrets;
  retry: RetryFields;
  ratePerSecond: string;
  ordering: 'NONE' | 'OBJECT';
  doNotUnsubscribe: boolean;
}

export const noAuthorization: Authorization = {
  kind: 'NONE',
  username: '',
  tokenUrl: '',
  clientId: '',
  scope: '',
  audience: '',
  certificate: '',
};

export const noSecrets: Secrets = {
  password: '',
  clientSecret: '',
  privateKey: '',
  credentials: '',
  signingSecret: '',
};

export const emptyRow: EventRow = { objectType: '', operations, isOne: false, objectKey: '' };

export const emptyDraft: Draft = {
  name: '',
  user: '',
  events: [emptyRow],
  onlyMainObject: false,
  notSendMyChanges: false,
  expression: '',
  selection: undefined,
  bodyForm: 'ENVELOPE',
  includeChanges: false,
  stylesheet: '',
  script: '',
  parameters: {},
  useMsg: false,
  channelType: 'HTTP',
  url: '',
  subject: '',
  acknowledgeSeconds: '',
  headers: [],
  authorization: noAuthorization,
  secrets: noSecrets,
  retry: { isDefault: true, attempts: '5', intervalSeconds: '60', backoff: 'FIXED', maxIntervalSeconds: '86400' },
  ratePerSecond: '',
  ordering: 'NONE',
  doNotUnsubscribe: false,
};

/** Secrets are not part of a subscription: they are empty, and headers have `***`. */
export function draftOf(subscription: Subscription): Draft {
  const { channelInfo, retryPolicy, xsl, rawObject } = subscription;
  return {
    name: subscription.name ?? '',
    user: String(subscription.user.key),
    events: eventRows(subscription.eventTypes),
    onlyMainObject: subscription.onlyMainObject,
    notSendMyChanges: subscription.notSendMyChanges,
    expression: subscription.expression ?? '',
    selection: subscription.json === null ? undefined : parseExactly<Selection>(decodeText(subscription.json)),
    bodyForm: xsl !== null ? 'STYLESHEET' : rawObject ? 'OBJECT' : 'ENVELOPE',
    includeChanges: subscription.includeChanges,
    stylesheet: xsl === null ? '' : decodeText(xsl),
    script: subscription.dlpAlertScript ?? '',
    parameters: subscription.scriptParameterValues ?? {},
    useMsg: subscription.useMsg,
    channelType: channelInfo.channelType,
    url: subscription.url ?? '',
    subject: channelInfo.subject ?? '',
    acknowledgeSeconds: textOf(subscription.acknowledgeSeconds),
    headers: Object.entries(subscription.headers ?? {}).map(([name, value]) => ({ name, value })),
    authorization: authorizationOf(subscription),
    secrets: noSecrets,
    retry: {
      isDefault: retryPolicy === null,
      attempts: textOf(retryPolicy?.attempts),
      intervalSeconds: textOf(retryPolicy?.intervalSeconds),
      backoff: retryPolicy?.backoff ?? 'FIXED',
      maxIntervalSeconds: textOf(retryPolicy?.maxIntervalSeconds),
    },
    ratePerSecond: textOf(subscription.ratePerSecond),
    ordering: subscription.ordering,
    doNotUnsubscribe: subscription.doNotUnsubscribe,
  };
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}

function authorizationOf({ channelInfo: { auth }, webhookUsername }: Subscription): Authorization {
  if (!auth) return { ...noAuthorization, kind: webhookUsername ? 'BASIC' : 'NONE', username: webhookUsername ?? '' };
  const { type, ...members } = auth;
  return { ...noAuthorization, ...members, kind: type as AuthorizationKind, username: webhookUsername ?? '' };
}

/** Event types of the same objects become one row. */
export function eventRows(texts: readonly string[]): EventRow[] {
  const rows = new Map<string, EventRow>();
  for (const { objectType, operation, objectKey = '' } of texts.map(parseEventType)) {
    const name = `${objectType}.${objectKey}`;
    const row = rows.get(name) ?? { objectType, operations: [], isOne: objectKey !== '', objectKey };
    const added = operation === '*' ? operationsOn(row) : [operation];
    rows.set(name, {
      ...row,
      operations: operations.filter((each) => row.operations.includes(each) || added.includes(each)),
    });
  }
  return [...rows.values()];
}

/** One object exists already. */
export function operationsOn({ isOne }: Pick<EventRow, 'isOne'>): readonly Operation[] {
  return isOne ? operations.filter((each) => each !== 'C') : operations;
}

/** What is not chosen yet is left out. */
export function eventTypesOf(rows: readonly EventRow[]): string[] {
  const texts = rows.flatMap((row) => {
    const { objectType, isOne, objectKey } = row;
    if (objectType === '' || (isOne && objectKey === '')) return [];
    const chosen = operationsOn(row).filter((operation) => row.operations.includes(operation));
    if (isOne) return chosen.map((operation) => `${objectType}.${operation}.${objectKey}`);
    if (chosen.length === operations.length) return [`${objectType}.*`];
    return chosen.map((operation) => `${objectType}.${operation}`);
  });
  return [...new Set(texts)];
}
