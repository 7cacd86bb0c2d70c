// From the fields of the editor to what is sent: a whole subscription for a POST, or its changes for a PUT.

import { parseTyped } from '../../../service/exact-json.ts';
import { onlyObjectType } from '../event-type.ts';
import { encodeText } from './base64.ts';
import { type ChannelUse, channelUses } from './channel-uses.ts';
import { type Authorization, type Draft, eventTypesOf, type RetryFields, type Secrets } from './draft.ts';

export type Body = Record<string, unknown>;

/** Every attribute, whether it is set or not, so that two bodies can be compared. */
export function wholeBody(draft: Draft): Body {
  const eventTypes = eventTypesOf(draft.events);
  return {
    name: draft.name.trim() || null,
    eventTypes,
    onlyMainObject: draft.onlyMainObject,
    notSendMyChanges: draft.notSendMyChanges,
    ...shapingBody(draft, onlyObjectType(eventTypes) !== undefined),
    ...deliveryBody(draft, channelUses[draft.channelType]),
    ratePerSecond: numberOf(draft.ratePerSecond),
    ordering: draft.ordering,
    doNotUnsubscribe: draft.doNotUnsubscribe,
  };
}

/** `isTyped`: whether all event types are of one object type. What depends on the type is left out otherwise. */
function shapingBody(draft: Draft, isTyped: boolean): Body {
  const script = isTyped && draft.script !== '' ? draft.script : null;
  return {
    expression: (isTyped && draft.expression.trim()) || null,
    json: (isTyped && draft.selection) || null,
    rawObject: draft.bodyForm === 'OBJECT',
    includeChanges: draft.bodyForm === 'ENVELOPE' && draft.includeChanges,
    xsl: isTyped && draft.bodyForm === 'STYLESHEET' ? encodeText(draft.stylesheet) : null,
    dlpAlertScript: script,
    scriptParameterValues: script !== null && Object.keys(draft.parameters).length > 0 ? draft.parameters : null,
    useMsg: script !== null && draft.useMsg,
  };
}

function deliveryBody(draft: Draft, use: ChannelUse): Body {
  const { authorization, secrets } = draft;
  const hasPassword = authorization.kind === 'BASIC' && use.authorizations.includes('BASIC');
  const headers = draft.headers.filter(({ name }) => name.trim() !== '');
  return {
    channelInfo: {
      channelType: draft.channelType,
      ...(use.address && draft.url.trim() !== '' && { URL: draft.url.trim() }),
      ...(use.hasSubject && draft.subject.trim() !== '' && { subject: draft.subject.trim() }),
      ...(use.authorizations.length > 0 && { auth: authBody(authorization, secrets, use) }),
    },
    webhookUsername: hasPassword ? authorization.username : null,
    // Empty: it stays as it is.
    ...(hasPassword ? filled({ webhookPassword: secrets.password }) : { webhookPassword: null }),
    headers:
      use.hasHeaders && headers.length > 0
        ? Object.fromEntries(headers.map(({ name, value }) => [name.trim(), value]))
        : null,
    retryPolicy: use.isRetried ? policyOf(draft.retry) : null,
    acknowledgeSeconds: use.isStreamed ? numberOf(draft.acknowledgeSeconds) : null,
    ...(secrets.signingSecret.trim() !== '' && { signingSecret: secrets.signingSecret.trim() }),
  };
}

/** A secret that is empty is left out: it stays as it is. */
function authBody(authorization: Authorization, secrets: Secrets, { authorizations }: ChannelUse): Body | null {
  const { kind, tokenUrl, clientId, scope, audience, certificate } = authorization;
  const { clientSecret, privateKey, credentials } = secrets;
  if (!authorizations.includes(kind)) return null;
  switch (kind) {
    case 'OAUTH2':
      return { type: kind, ...filled({ tokenUrl, clientId, clientSecret, scope, audience }) };
    case 'MTLS':
      return { type: kind, ...filled({ certificate, privateKey }) };
    case 'CREDENTIALS':
      return { type: kind, ...filled({ credentials }) };
    default:
      return null;
  }
}

function filled(members: Readonly<Record<string, string>>): Body {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''));
}

export function policyOf({ isDefault, attempts, intervalSeconds, backoff, maxIntervalSeconds }: RetryFields) {
  if (isDefault) return null;
  const members = {
    attempts: numberOf(attempts),
    intervalSeconds: numberOf(intervalSeconds),
    backoff,
    maxIntervalSeconds: backoff === 'EXPONENTIAL' ? numberOf(maxIntervalSeconds) : null,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** What is no number is sent as it was typed: the service says what is wrong with it. */
function numberOf(text: string): unknown {
  return text.trim() === '' ? null : (parseTyped(text) ?? text);
}

/** For a POST: without what is not set. `isAdmin`: only an administrator may name a user. */
export function newBody(draft: Draft, { isAdmin, replaces }: { isAdmin: boolean; replaces: number | undefined }): Body {
  const body = Object.entries(wholeBody(draft)).filter(([, value]) => value !== null && value !== false);
  return {
    ...Object.fromEntries(body),
    ...(isAdmin && draft.user !== '' && { user: Number(draft.user) }),
    ...(replaces !== undefined && { replaces }),
  };
}

/** For a PUT: what differs. A password or secret that was typed always does. */
export function changedBody(draft: Draft, before: Draft): Body {
  const [now, then] = [wholeBody(draft), wholeBody(before)];
  const differs = (name: string) => JSON.stringify(now[name]) !== JSON.stringify(then[name]);
  return Object.fromEntries(Object.entries(now).filter(([name]) => differs(name)));
}
