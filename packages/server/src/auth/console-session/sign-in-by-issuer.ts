// Signs in with the answer of an external issuer. The session acts as the person who has signed in there: the ApiClient
// with the id `sub:` and the `sub` of the access token.

import { quoteText } from '@flaghoist/source-text';
import { ApiError } from '../../errors.ts';
import { grantOfClient } from '../directory/grant.ts';
import { type ConsoleParts, describeSession, type OpenedSession, type RedeemedTokens } from './console-parts.ts';
import { insertIssuerSession } from './console-session-table.ts';
import { sealTokens } from './issuer-tokens.ts';
import { refuse } from './refuse-sign-in.ts';
import { hashOfCookie, makeCookie } from './session-cookie.ts';
import { tooMany } from './sign-in-limit.ts';

/** Not the name of a client, because it has a space. */
const failureName = 'console issuer';

export interface IssuerAnswer {
  authorizationCode: string;
  state: string;
  /** The cookie of the browser in which the sign-in began. */
  sealed: string | undefined;
}

export async function openByIssuer(parts: ConsoleParts, answer: IssuerAnswer, address: string): Promise<OpenedSession> {
  const waitMs = parts.throttle.checkFailures(address, failureName);
  if (waitMs > 0) return refuse(parts, 'ISSUER', 'tooMany', tooMany(waitMs));
  const tokens = answer.sealed === undefined ? 'rejected' : await parts.issuer!.redeem(answer, answer.sealed);
  if (tokens === 'rejected') return reject(parts, address);
  return (await begin(parts, tokens)) ?? refuse(parts, 'ISSUER', 'noAccess', withoutClient(tokens.clientId));
}

/** Undefined: the person has no access. */
async function begin(parts: ConsoleParts, tokens: RedeemedTokens): Promise<OpenedSession | undefined> {
  const { database, directory, encryption, audience } = parts;
  const { clientId } = tokens;
  // Another process may have just created the client.
  const access = (await directory.current()).clients.has(clientId)
    ? await directory.current()
    : await directory.reload();
  const grant = grantOfClient(access, clientId, audience);
  if (!grant) return undefined;
  const holder = { grant, clientKey: access.clients.get(clientId)!.key };
  const cookie = makeCookie();
  const cookieHash = hashOfCookie(cookie, { userKey: grant.user.key, clientId }, encryption);
  const begun = { id: cookie.sessionId, cookieHash, client: clientId, method: 'ISSUER' } as const;
  const statement = insertIssuerSession(begun, holder.clientKey, sealTokens(parts, cookie.sessionId, tokens));
  const [started] = await database.runTogether({ userKey: grant.user.key, client: clientId }, [statement]);
  if (started?.length === 0) return undefined;
  return { session: describeSession(holder, await parts.tokens.issue(holder, cookie.sessionId)), cookie };
}

function reject(parts: ConsoleParts, address: string): never {
  const waitMs = parts.throttle.countFailure(address, failureName);
  if (waitMs > 0) return refuse(parts, 'ISSUER', 'tooMany', tooMany(waitMs));
  const error = new ApiError(
    'signInFailed',
    'The sign-in was not accepted: it did not begin in this browser, took more than 10 minutes, or was used before. ' +
      'Sign in again.',
  );
  return refuse(parts, 'ISSUER', 'rejected', error);
}

function withoutClient(clientId: string): ApiError {
  return new ApiError(
    'noAccess',
    `You are signed in at the issuer, but have no access here. An administrator can create an ApiClient with the ` +
      `clientId ${quoteText(clientId)} for your user, or enable it.`,
  );
}
