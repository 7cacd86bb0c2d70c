// Signs in with a link that is valid once. The session acts for the user of the link, and may do what its clients may do
// together. Its tokens belong to no client: disabling the user ends it.

import { ApiError } from '../../errors.ts';
import { type Grant, grantOfUser } from '../directory/grant.ts';
import { hashOfCode, type LinkCode, linkMinutes, parseCode } from './console-link.ts';
import { type LinkRow, selectLink, useLink } from './console-link-table.ts';
import { type ConsoleParts, describeSession, type OpenedSession } from './console-parts.ts';
import { insertUserSession } from './console-session-table.ts';
import { refuse } from './refuse-sign-in.ts';
import { hashOfCookie, makeCookie, type SessionCookie } from './session-cookie.ts';
import { tooMany } from './sign-in-limit.ts';

/** Not the name of a client, because it has a space. */
const failureName = 'console link';

export async function openByLink(
  parts: ConsoleParts,
  { code }: { code: string },
  address: string,
): Promise<OpenedSession> {
  const waitMs = parts.throttle.checkFailures(address, failureName);
  if (waitMs > 0) return refuse(parts, 'LINK', 'tooMany', tooMany(waitMs));
  const link = parseCode(code);
  const cookie = makeCookie();
  const grant = link && (await begin(parts, link, cookie));
  if (!grant) return reject(parts, link, address);
  const holder = { grant, clientKey: undefined };
  return { session: describeSession(holder, await parts.tokens.issue(holder, cookie.sessionId)), cookie };
}

/** Undefined: the link is not valid. */
function begin(parts: ConsoleParts, link: LinkCode, cookie: SessionCookie): Promise<Grant | undefined> {
  const { database, encryption } = parts;
  const { userKey } = link;
  return database.transaction({ userKey, client: 'console' }, async ({ run, commitWith }) => {
    const [used] = await run(useLink(hashOfCode(link, encryption), userKey));
    if (used?.length === 0) return undefined;
    // The transaction rolls back, so the link can be used when the user has access.
    const grant = (await findGrant(parts, userKey)) ?? refuse(parts, 'LINK', 'noAccess', withoutAccess());
    const cookieHash = hashOfCookie(cookie, { userKey, clientId: null }, encryption);
    const begun = { id: cookie.sessionId, cookieHash, client: grant.client, method: 'LINK' } as const;
    const [started] = await commitWith(insertUserSession(begun, userKey));
    return started?.length === 0 ? refuse(parts, 'LINK', 'noAccess', withoutAccess()) : grant;
  });
}

async function findGrant({ directory, audience }: ConsoleParts, userKey: number): Promise<Grant | undefined> {
  const grant = grantOfUser(await directory.current(), userKey, audience);
  // Another process, or the command line, may have just created the user.
  return grant ?? grantOfUser(await directory.reload(), userKey, audience);
}

async function reject(parts: ConsoleParts, link: LinkCode | undefined, address: string): Promise<never> {
  const { database, encryption, throttle } = parts;
  const [found] = link ? await database.run(selectLink(hashOfCode(link, encryption))) : [];
  const known = found as unknown as LinkRow | undefined;
  if (known?.isUsed)
    return refuse(parts, 'LINK', 'usedLink', invalid('The link has been used. It signs in only once.'));
  if (known?.isExpired)
    return refuse(
      parts,
      'LINK',
      'expiredLink',
      invalid(`The link has expired: it is valid for ${linkMinutes} minutes.`),
    );
  if (known) return refuse(parts, 'LINK', 'noAccess', withoutAccess());
  const waitMs = throttle.countFailure(address, failureName);
  if (waitMs > 0) return refuse(parts, 'LINK', 'tooMany', tooMany(waitMs));
  return refuse(parts, 'LINK', 'rejected', invalid('The link is not valid. Copy all of it.'));
}

function invalid(problem: string): ApiError {
  return new ApiError('signInFailed', `${problem} The command "flaghoist console-link" makes a new one.`);
}

function withoutAccess(): ApiError {
  return new ApiError(
    'noAccess',
    'The user of this link has no access: it is disabled, or has no active client. An administrator can enable it, ' +
      'or create a client for it.',
  );
}
