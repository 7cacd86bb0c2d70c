// Renews a session by its cookie, and ends it. A renewal answers a new token and replaces the cookie. A cookie that is
// used after it was replaced ends the session: one of the two who have it is a thief.

import type { ApiError } from '../../errors.ts';
import type { Access } from '../directory/access.ts';
import { consoleClientOf, grantOfClient, grantOfUser } from '../directory/grant.ts';
import { type ConsoleParts, describeSession, type OpenedSession, type SessionHolder } from './console-parts.ts';
import {
  deleteSession,
  dropSession,
  prolongSession,
  replaceCookie,
  type SessionRow,
  selectSession,
} from './console-session-table.ts';
import {
  type CookieVerdict,
  hashOfCookie,
  judgeCookie,
  nextCookie,
  parseCookie,
  type SessionCookie,
  type SessionOwner,
} from './session-cookie.ts';
import { noSession, sessionEnded } from './session-errors.ts';
import { rejectTooMany } from './sign-in-limit.ts';

export async function renewSession(
  parts: ConsoleParts,
  cookieText: string | undefined,
  address: string,
): Promise<OpenedSession> {
  if (cookieText === undefined) throw noSession();
  // Not the name of a client, because it has a space.
  rejectTooMany(parts.throttle.checkFailures(address, failureName));
  const cookie = parseCookie(cookieText);
  const found = cookie && (await findSession(parts, cookie));
  if (!found) {
    rejectTooMany(parts.throttle.countFailure(address, failureName));
    throw sessionEnded();
  }
  const { row, verdict } = found;
  if (verdict === 'old') throw await endStolen(parts, cookie, row);
  // An operator who changes to another issuer wants everybody to sign in there.
  const holder = row.hasIssuer === (parts.issuer !== undefined) ? await findHolder(parts, row) : undefined;
  if (!holder) {
    await parts.database.run(dropSession(cookie.sessionId));
    throw sessionEnded();
  }
  // First, because it can fail: the cookie then stays as it is.
  const issued = await parts.tokens.issue(holder, cookie.sessionId);
  return { session: describeSession(holder, issued), cookie: await moveOn(parts, cookie, found) };
}

const failureName = 'console session';

/** Ends the session if there is one. */
export async function endSession(parts: ConsoleParts, cookieText: string | undefined): Promise<void> {
  const cookie = cookieText === undefined ? undefined : parseCookie(cookieText);
  const found = cookie && (await findSession(parts, cookie));
  if (found && found.verdict !== 'old') await deleteAudited(parts, cookie, found.row, 'SIGNED_OUT');
}

interface FoundSession {
  row: SessionRow;
  verdict: CookieVerdict;
}

async function findSession(
  { database, encryption, sessionSeconds }: ConsoleParts,
  cookie: SessionCookie,
): Promise<FoundSession | undefined> {
  const [found] = await database.run(selectSession(cookie.sessionId, sessionSeconds));
  if (!found) return undefined;
  const row = found as unknown as SessionRow;
  return { row, verdict: judgeCookie(hashOfCookie(cookie, row, encryption), row) };
}

/** Returns the cookie to use from now on. */
async function moveOn(parts: ConsoleParts, cookie: SessionCookie, found: FoundSession): Promise<SessionCookie> {
  const { database, encryption } = parts;
  const { row, verdict } = found;
  const next = nextCookie(cookie, encryption);
  switch (verdict) {
    case 'current': {
      const nextHash = hashOfCookie(next, row, encryption);
      if ((await database.run(replaceCookie(cookie.sessionId, row.cookieHash, nextHash))).length > 0) return next;
      // Another tab was faster.
      const again = await findSession(parts, cookie);
      if (!again || again.verdict === 'current') throw sessionEnded();
      return moveOn(parts, cookie, again);
    }
    case 'fresh':
    case 'previous':
      if ((await database.run(prolongSession(cookie.sessionId))).length === 0) throw sessionEnded();
      return verdict === 'fresh' ? cookie : next;
    case 'old':
      throw await endStolen(parts, cookie, row);
  }
}

/** Undefined: the user or client was deleted, disabled or changed. */
async function findHolder({ directory, audience }: ConsoleParts, owner: SessionOwner) {
  const holder = holderOf(await directory.current(), owner, audience);
  // Another process may have just enabled the client.
  return holder ?? holderOf(await directory.reload(), owner, audience);
}

function holderOf(access: Access, { userKey, clientId }: SessionOwner, audience: string): SessionHolder | undefined {
  const grant = clientId === null ? grantOfUser(access, userKey, audience) : grantOfClient(access, clientId, audience);
  if (grant?.user.key !== userKey) return undefined;
  return { grant, clientKey: clientId === null ? undefined : access.clients.get(clientId)!.key };
}

async function endStolen(parts: ConsoleParts, cookie: SessionCookie, row: SessionRow): Promise<ApiError> {
  const client = await deleteAudited(parts, cookie, row, 'COOKIE_REUSED');
  parts.observe({ kind: 'console.cookieReused', client });
  return sessionEnded();
}

/** Returns the name of the client. */
async function deleteAudited(
  { database, directory }: ConsoleParts,
  { sessionId }: SessionCookie,
  { userKey, clientId }: SessionOwner,
  reason: 'SIGNED_OUT' | 'COOKIE_REUSED',
): Promise<string> {
  const user = (await directory.current()).users.get(userKey);
  const client = clientId ?? (user ? consoleClientOf(user) : 'console');
  await database.runTogether({ userKey, client }, [deleteSession(sessionId, client, reason)]);
  return client;
}
