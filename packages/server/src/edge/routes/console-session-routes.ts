// The session of the console over HTTP: sign-in, renewal and sign-out. Transport only; decisions are made in
// `auth/console-session/`. Accepts no request that a page of another origin could send, because browsers add the cookie
// by themselves.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleParts, OpenedSession } from '../../auth/console-session/console-parts.ts';
import { endSession, renewSession } from '../../auth/console-session/renew-session.ts';
import { renderCookie } from '../../auth/console-session/session-cookie.ts';
import { signIn } from '../../auth/console-session/sign-in.ts';
import { authorizationSeconds } from '../../auth/issuer-sign-in/authorization.ts';
import type { Settings } from '../../config/settings-table.ts';
import { readServiceVersion } from '../../describe/openapi/service-version.ts';
import { ApiError } from '../../errors.ts';
import { consoleSessionPath } from '../../paths.ts';
import { readCookie, renderSetCookie } from '../request/cookies.ts';
import { bodyBytes, mediaTypeOf } from '../request/read-body.ts';

export interface ConsoleSessionRouteParts {
  consoleParts: ConsoleParts;
  settings: Settings;
  baseUrl: string;
}

const cookieName = 'flaghoist-console';

/** What belongs to a sign-in at the external issuer, encrypted. */
const authorizationCookie = 'flaghoist-console-authorization';

/** RFC 6749 §5.1: a response with a token must not be stored. Errors may have a cookie. */
export const sessionHeaders = { 'cache-control': 'no-store' };

export function addConsoleSessionRoutes(
  app: FastifyInstance,
  { consoleParts, settings, baseUrl }: ConsoleSessionRouteParts,
) {
  const environment = settings.environment.toUpperCase();
  const version = readServiceVersion();
  const setCookie = (name: string, value: string, maxAgeSeconds: number) =>
    renderSetCookie({ name, value, maxAgeSeconds, path: consoleSessionPath, baseUrl });
  const send = (reply: FastifyReply, { session, cookie }: OpenedSession) =>
    reply
      .header('set-cookie', setCookie(cookieName, renderCookie(cookie), consoleParts.sessionSeconds))
      .send({ ...session, environment, version });

  const onRequest = async (request: FastifyRequest) => rejectForeign(request);
  const options = { onRequest, bodyLimit: 16_384 };
  app.get(consoleSessionPath, options, async (request) => {
    const hasSession = readCookie(request, cookieName) !== undefined;
    return { methods: consoleParts.methods, environment, version, hasSession };
  });

  app.post(consoleSessionPath, options, async (request, reply) => {
    rejectQuery(request);
    mediaTypeOf(request, ['application/json']);
    const sealed = readCookie(request, authorizationCookie);
    const opened = await signIn(consoleParts, { body: bodyBytes(request), address: request.ip, sealed });
    // The browser replaces the cookie of an earlier session, which nobody could end any more.
    await endSession(consoleParts, readCookie(request, cookieName));
    if (sealed !== undefined) reply.header('set-cookie', setCookie(authorizationCookie, '', 0));
    return send(reply, opened);
  });

  const { issuer } = consoleParts;
  if (issuer)
    app.post(`${consoleSessionPath}/authorization`, options, async (_, reply) => {
      const { url, sealed } = await issuer.begin();
      return reply.header('set-cookie', setCookie(authorizationCookie, sealed, authorizationSeconds)).send({ url });
    });

  app.post(`${consoleSessionPath}/renewal`, options, async (request, reply) => {
    try {
      return send(reply, await renewSession(consoleParts, readCookie(request, cookieName), request.ip));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'sessionEnded')
        reply.header('set-cookie', setCookie(cookieName, '', 0));
      throw error;
    }
  });

  app.delete(consoleSessionPath, options, async (request, reply) => {
    await endSession(consoleParts, readCookie(request, cookieName));
    return reply
      .code(204)
      .header('set-cookie', setCookie(cookieName, '', 0))
      .send();
  });
}

/**
 * A page of another origin cannot send the header without a preflight request, and none is answered. Browsers add
 * `Sec-Fetch-Site` themselves, to https and to this machine.
 */
function rejectForeign({ headers }: FastifyRequest): void {
  if (headers['flaghoist-console'] !== '1')
    throw new ApiError(
      'notFromConsole',
      'Only the console may send this request: the header "flaghoist-console: 1" is missing.',
    );
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin')
    throw new ApiError(
      'notFromConsole',
      'Only the console may send this request: "Sec-Fetch-Site" is not same-origin. Open the console at its own URL.',
    );
}

/** URLs end up in logs, so secrets are not accepted there. */
function rejectQuery({ url }: FastifyRequest): void {
  if (url.includes('?')) throw new ApiError('invalidQuery', 'The members belong in the body, not in the URL.');
}
