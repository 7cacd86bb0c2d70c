// The secrets of a subscription that a copy has to be given again, because the service never shows them.

import type { Subscription } from '../api-subscription.ts';

export function missingSecrets({ headers, webhookUsername, channelInfo: { auth } }: Subscription): string[] {
  return [
    ...(webhookUsername ? ['the password'] : []),
    ...Object.keys(headers ?? {}).map((name) => `the header ${name}`),
    ...(auth ? [secretWords[auth.type] ?? `the secret of ${auth.type}`] : []),
  ];
}

const secretWords: Readonly<Record<string, string>> = {
  OAUTH2: 'the client secret',
  MTLS: 'the private key',
  CREDENTIALS: 'the credentials',
};
