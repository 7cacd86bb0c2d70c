// Issues the tokens of sessions with the built-in issuer. A token lives for some minutes: the page renews it while it is
// open, and a copy of it is soon useless.

import type { AccessDirectory } from '../directory/access-directory.ts';
import type { OwnIssuer, TokenSubject } from '../own-issuer/own-issuer.ts';
import type { SessionHolder, SessionTokens } from './console-parts.ts';

const lifetimeMaxSeconds = 600;

export function createOwnTokens(
  issuer: OwnIssuer,
  directory: AccessDirectory,
  tokenLifetimeSeconds: number,
): SessionTokens {
  const lifetimeSeconds = Math.min(lifetimeMaxSeconds, tokenLifetimeSeconds);
  return {
    async issue(holder) {
      const content = { subject: subjectOf(holder), scopes: [...holder.grant.scopes], lifetimeSeconds };
      return { token: await issuer.sign(content, await directory.current()), expiresIn: lifetimeSeconds };
    },
  };
}

function subjectOf({ grant, clientKey }: SessionHolder): TokenSubject {
  return clientKey === undefined ? { user: grant.user } : { clientId: grant.client, clientKey };
}
