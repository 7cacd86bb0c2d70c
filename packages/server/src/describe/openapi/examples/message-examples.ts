// Examples of the messages that are not objects: token requests and their responses, notifications and pings.

import type { TokenErrorCode } from '../../../auth/token-endpoint/token-error.ts';
import type { ObjectType } from '../../../model/object-type.ts';
import { tokenPath } from '../../../paths.ts';
import type { DescriptionContext } from '../description-context.ts';
import { exampleKey, wholeExample } from './object-examples.ts';

export function tokenRequestExample({ audience }: DescriptionContext): Record<string, string> {
  return {
    client_id: 'YOUR-CLIENT-ID',
    client_secret: 'YOUR-CLIENT-SECRET',
    audience,
    grant_type: 'client_credentials',
  };
}

/** The shell command that gets a token, ready to paste after the client is filled in. It needs only curl and sed. */
export function tokenCommand(context: DescriptionContext): string {
  const body = JSON.stringify(tokenRequestExample(context), null, 2).replaceAll('\n', '\n  ');
  return [
    `TOKEN=$(curl -s -X POST ${quoteWord(`${context.baseUrl}${tokenPath}`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoteWord(body)} | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')`,
  ].join('\n');
}

/** Quotes a text as one word of a shell command. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function tokenExample({ settings }: DescriptionContext): Record<string, string | number> {
  return {
    access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzY29wZSI6InJlYWQifQ.c2lnbmF0dXJl',
    token_type: 'Bearer',
    expires_in: settings.tokenLifetimeSeconds,
    scope: 'read write',
  };
}

/** The most common message of each error. */
export const tokenErrorExamples: Record<TokenErrorCode, string> = {
  invalid_request: 'audience is missing.',
  unsupported_grant_type: 'The only grant_type is client_credentials.',
  invalid_scope: 'A requested scope has not been granted to the client.',
  invalid_client: 'The client is unknown, or its secret is wrong.',
  access_denied: 'The client has not been granted this audience, or there is no such audience here.',
  too_many_requests: 'Too many token requests. A token can be used until it expires.',
  server_error: 'Internal error. Its id in the log is Zk3v9QmX-2f.',
  temporarily_unavailable: 'The database cannot be reached. Try again in a moment.',
};

/** `resource` replaces the whole object. */
export function notificationExample(
  context: DescriptionContext,
  type: ObjectType,
  resource: object = wholeExample(context, type),
): unknown {
  const { restUrl, settings } = context;
  const key = exampleKey(context, type);
  const eventType = settings.wireNames === 'dataloy' ? 'U' : `${type.name}.U`;
  return {
    id: '52011-1077',
    eventTime: '2026-11-15T08:30:00',
    objectType: type.name,
    [`${settings.wireNames}Object`]: key,
    eventType: 'U',
    [`${settings.wireNames}ObjectSelf`]: `${restUrl}/${type.name}/${key}`,
    subscription: { key: 1100, self: `${restUrl}/WebhookSubscription/1100`, eventType },
    resource,
    sequence: 52011,
    occurredAt: '2026-11-15T08:30:00.123456Z',
  };
}

export function pingExample({ restUrl }: DescriptionContext): unknown {
  return {
    id: 'ping-1100-1763203202000',
    eventTime: '2026-11-15T08:30:00',
    isTest: true,
    message: 'This is a test of your webhook subscription. No object has changed.',
    subscription: {
      key: 1100,
      self: `${restUrl}/WebhookSubscription/1100`,
      eventType: 'Voyage.U',
      eventTypes: ['Voyage.U'],
      name: 'Voyages',
    },
    sequence: 0,
    occurredAt: '2026-11-15T08:30:00.123000Z',
  };
}
