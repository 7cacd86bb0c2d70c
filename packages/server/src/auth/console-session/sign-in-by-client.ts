// Signs in with the id and secret of a client. The session acts as the client, as any program with its secret does.

import { ApiError } from '../../errors.ts';
import { grantOfClient } from '../directory/grant.ts';
import { authenticateClient, type ClientCredentials } from '../token-endpoint/authenticate-client.ts';
import { type ConsoleParts, describeSession, type OpenedSession } from './console-parts.ts';
import { insertClientSession } from './console-session-table.ts';
import { refuse } from './refuse-sign-in.ts';
import { hashOfCookie, makeCookie } from './session-cookie.ts';
import { tooMany } from './sign-in-limit.ts';

/** A second attempt if the client was changed between reading and locking it. */
export async function openByClient(
  parts: ConsoleParts,
  credentials: ClientCredentials,
  address: string,
): Promise<OpenedSession> {
  return (
    (await tryClient(parts, credentials, address)) ??
    (await tryClient(parts, credentials, address)) ??
    refuse(parts, 'CLIENT', 'rejected', wrongClient())
  );
}

async function tryClient(
  parts: ConsoleParts,
  credentials: ClientCredentials,
  address: string,
): Promise<OpenedSession | undefined> {
  const { database, directory, encryption, throttle, audience, tokens } = parts;
  const result = await authenticateClient(parts, credentials, address);
  if (result.kind === 'limited') return refuse(parts, 'CLIENT', 'tooMany', tooMany(result.waitMs));
  if (result.kind === 'rejected') return refuse(parts, 'CLIENT', 'rejected', wrongClient());
  const { client } = result;
  const grant = grantOfClient(await directory.current(), client.clientId, audience);
  if (!grant) return refuse(parts, 'CLIENT', 'noAccess', withoutAudience(audience));
  const waitMs = throttle.countToken(client.clientId);
  if (waitMs > 0) return refuse(parts, 'CLIENT', 'tooMany', tooMany(waitMs));
  const cookie = makeCookie();
  const cookieHash = hashOfCookie(cookie, { userKey: grant.user.key, clientId: client.clientId }, encryption);
  const begun = { id: cookie.sessionId, cookieHash, client: client.clientId, method: 'CLIENT' } as const;
  const secretHash = client.secretHash?.toString('base64url') ?? null;
  const actor = { userKey: grant.user.key, client: client.clientId };
  const [started] = await database.runTogether(actor, [insertClientSession(begun, { key: client.key, secretHash })]);
  if (started?.length === 0) {
    await directory.reload();
    return undefined;
  }
  const holder = { grant, clientKey: client.key };
  return { session: describeSession(holder, await tokens.issue(holder, cookie.sessionId)), cookie };
}

function wrongClient(): ApiError {
  return new ApiError('signInFailed', 'The client is unknown, or its secret is wrong.');
}

function withoutAudience(audience: string): ApiError {
  return new ApiError(
    'noAccess',
    `The client has not been granted the audience of this installation, ${audience}. An administrator can add it to ` +
      'the audiences of the client.',
  );
}
