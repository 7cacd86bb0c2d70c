// Assembles authentication for one process: the access directory and the token issuer. Starts the background loops and
// stops them again.

import { createOperatorGet } from '../channels/http/operator-get.ts';
import { audienceOf } from '../config/audience-of.ts';
import type { Settings } from '../config/settings-table.ts';
import { OperatorError } from '../errors.ts';
import type { AuthParts } from './auth-parts.ts';
import { Authenticator } from './authenticator.ts';
import type { ConsoleParts } from './console-session/console-parts.ts';
import { AccessDirectory } from './directory/access-directory.ts';
import { type AccessWrites, accessWrites } from './directory/access-writes.ts';
import { ExternalIssuer } from './external-issuer/external-issuer.ts';
import { KnownKeys } from './external-issuer/known-keys.ts';
import { openConsole, openIssuerSignIn, openOwnSignIn, type SignInParts } from './open-console.ts';
import { OwnIssuer } from './own-issuer/own-issuer.ts';
import { startKeyRotation } from './signing-keys/signing-keys.ts';
import type { TokenEndpoint } from './token-endpoint/issue-token.ts';
import { createTokenThrottle } from './token-endpoint/token-throttle.ts';
import type { TokenVerifier } from './tokens/verified-token.ts';
import { ViewRecords } from './view-as/view-records.ts';

export interface Auth {
  authenticator: Authenticator;
  /** Undefined: tokens come from an external issuer. */
  tokenEndpoint: TokenEndpoint | undefined;
  consoleParts: ConsoleParts;
  writes: AccessWrites;
  stop(): Promise<void>;
}

type StopSteps = (() => Promise<void>)[];

export async function openAuth(parts: AuthParts): Promise<Auth> {
  const { settings, encryption, clock } = parts;
  const stops: StopSteps = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    // First, so that the directory finds a signing key when it starts.
    if (settings.issuerUrl === undefined)
      stops.push(await startKeyRotation({ ...parts, ageMaxSeconds: settings.signingKeyDays * 86_400 }));
    const directory = new AccessDirectory({ database: parts.directoryDatabase, encryption, clock });
    stops.push(() => directory.stop());
    await directory.start();
    const { verifier, tokenEndpoint, signIn } = await openIssuer(parts, directory, stops);
    const views = new ViewRecords(parts.database, clock);
    const consoleParts = openConsole(parts, { directory, signIn }, stops);
    return {
      authenticator: new Authenticator({ directory, verifier, audience: audienceOf(settings), clock, views }),
      tokenEndpoint,
      consoleParts,
      writes: accessWrites(directory),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Issuer {
  verifier: TokenVerifier;
  tokenEndpoint: TokenEndpoint | undefined;
  signIn: SignInParts;
}

async function openIssuer(parts: AuthParts, directory: AccessDirectory, stops: StopSteps): Promise<Issuer> {
  const { settings, baseUrl, encryption, observe, clock } = parts;
  const audience = audienceOf(settings);
  const throttle = createTokenThrottle(settings.tokenRequestsPerMinute, clock);
  if (settings.issuerUrl !== undefined) {
    checkIssuerUrl(settings.issuerUrl, settings.environment);
    const keys = new KnownKeys({ issuerUrl: settings.issuerUrl, get: createOperatorGet(settings), clock, observe });
    stops.push(() => keys.stop());
    await keys.start();
    const verifier = new ExternalIssuer({ keys, audience, clock, consoleClientId: settings.consoleClientId });
    return { verifier, tokenEndpoint: undefined, signIn: openIssuerSignIn(parts, { keys, verifier, throttle }) };
  }
  const lifetimeSeconds = settings.tokenLifetimeSeconds;
  const issuer = new OwnIssuer({ issuer: baseUrl, audience, clock });
  const tokenEndpoint = { directory, encryption, issuer, throttle, audience, lifetimeSeconds, clock, observe };
  const signIn = openOwnSignIn(parts, { directory, issuer, throttle });
  return { verifier: issuer, tokenEndpoint, signIn };
}

/** An attacker who can modify plain HTTP traffic can add keys to those of the issuer. */
function checkIssuerUrl(issuerUrl: string, environment: Settings['environment']): void {
  const { protocol, hostname } = new URL(issuerUrl);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (environment === 'production' && protocol === 'http:' && !isLoopback)
    throw new OperatorError('FLAGHOIST_ISSUER_URL must be https in production: its keys decide who gets access.');
}
