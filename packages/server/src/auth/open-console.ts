// Assembles the sign-in to the console: with the built-in issuer or an external one. Starts the loops that delete what
// has ended.

import { createOperatorPost } from '../channels/http/operator-get.ts';
import { audienceOf } from '../config/audience-of.ts';
import { createHousekeepingLoop } from '../database/housekeeping-loop.ts';
import { consolePath } from '../paths.ts';
import type { AuthParts } from './auth-parts.ts';
import { deleteOldLinks } from './console-session/console-link-table.ts';
import type { ConsoleParts } from './console-session/console-parts.ts';
import { deleteEndedSessions } from './console-session/console-session-table.ts';
import { createIssuerTokens } from './console-session/issuer-tokens.ts';
import { createOwnTokens } from './console-session/own-tokens.ts';
import { sessionEnded } from './console-session/session-errors.ts';
import type { AccessDirectory } from './directory/access-directory.ts';
import type { ExternalIssuer } from './external-issuer/external-issuer.ts';
import type { KnownKeys } from './external-issuer/known-keys.ts';
import { createIssuerSignIn } from './issuer-sign-in/issuer-sign-in.ts';
import type { OwnIssuer } from './own-issuer/own-issuer.ts';
import type { TokenThrottle } from './token-endpoint/token-throttle.ts';
import { deleteOldViews } from './view-as/view-table.ts';

/** What depends on the issuer. */
export type SignInParts = Pick<ConsoleParts, 'methods' | 'tokens' | 'throttle' | 'issuer'>;

export function openOwnSignIn(
  { settings }: AuthParts,
  { directory, issuer, throttle }: { directory: AccessDirectory; issuer: OwnIssuer; throttle: TokenThrottle },
): SignInParts {
  const tokens = createOwnTokens(issuer, directory, settings.tokenLifetimeSeconds);
  return { methods: ['CLIENT', 'LINK'], tokens, throttle, issuer: undefined };
}

export function openIssuerSignIn(
  { settings, baseUrl, database, encryption, clock, observe }: AuthParts,
  { keys, verifier, throttle }: { keys: KnownKeys; verifier: ExternalIssuer; throttle: TokenThrottle },
): SignInParts {
  const { consoleClientId: clientId, consoleClientSecret: clientSecret, consoleScope: scope } = settings;
  if (clientId === undefined)
    return { methods: [], tokens: { issue: () => Promise.reject(sessionEnded()) }, throttle, issuer: undefined };
  const issuer = createIssuerSignIn({
    issuerUrl: settings.issuerUrl!,
    keys,
    verifier,
    post: createOperatorPost(settings),
    client: { clientId, clientSecret },
    scope,
    audience: audienceOf(settings),
    redirectUrl: `${baseUrl}${consolePath}`,
    encryption,
    clock,
    observe,
  });
  return { methods: ['ISSUER'], tokens: createIssuerTokens({ database, encryption, clock, issuer }), throttle, issuer };
}

export function openConsole(
  { settings, database, encryption, clock, observe }: AuthParts,
  { directory, signIn }: { directory: AccessDirectory; signIn: SignInParts },
  stops: (() => Promise<void>)[],
): ConsoleParts {
  const sessionSeconds = settings.consoleSessionSeconds;
  for (const deleteSome of [() => deleteEndedSessions(sessionSeconds), deleteOldLinks, deleteOldViews]) {
    const housekeeping = createHousekeepingLoop({ database, observe, deleteSome, everyMs: forgetEveryMs });
    housekeeping.start();
    stops.push(() => housekeeping.stop());
  }
  const audience = audienceOf(settings);
  return { ...signIn, directory, database, encryption, clock, observe, audience, sessionSeconds };
}

const forgetEveryMs = 10 * 60_000;
