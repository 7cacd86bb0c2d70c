// Assembles authentication for one process: the access directory and the token issuer. Starts the background loops and
// stops them again.

import type { Clock } from '../clock.ts';
import { audienceOf } from '../config/audience-of.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Database } from '../database/database.ts';
import { OperatorError } from '../errors.ts';
import type { Observe } from '../observe/observation.ts';
import { Authenticator } from './authenticator.ts';
import { AccessDirectory } from './directory/access-directory.ts';
import { type AccessWrites, accessWrites } from './directory/access-writes.ts';
import type { Encryption } from './encryption/encryption.ts';
import { ExternalIssuer } from './external-issuer/external-issuer.ts';
import { KnownKeys } from './external-issuer/known-keys.ts';
import { OwnIssuer } from './own-issuer/own-issuer.ts';
import { startKeyRotation } from './signing-keys/signing-keys.ts';
import type { TokenEndpoint } from './token-endpoint/issue-token.ts';
import { createTokenThrottle } from './token-endpoint/token-throttle.ts';
import type { TokenVerifier } from './tokens/verified-token.ts';

export interface AuthParts {
  settings: Settings;
  /** The public URL of the service, which is the name of the built-in issuer. */
  baseUrl: string;
  database: Database;
  /** A database with its own connection. */
  directoryDatabase: Database;
  encryption: Encryption;
  observe: Observe;
  clock: Clock;
}

export interface Auth {
  authenticator: Authenticator;
  /** Undefined: tokens come from an external issuer. */
  tokenEndpoint: TokenEndpoint | undefined;
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
    const { verifier, tokenEndpoint } = await openIssuer(parts, directory, stops);
    return {
      authenticator: new Authenticator({ directory, verifier, audience: audienceOf(settings), clock }),
      tokenEndpoint,
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
}

async function openIssuer(parts: AuthParts, directory: AccessDirectory, stops: StopSteps): Promise<Issuer> {
  const { settings, baseUrl, encryption, observe, clock } = parts;
  const audience = audienceOf(settings);
  if (settings.issuerUrl !== undefined) {
    checkIssuerUrl(settings.issuerUrl, settings.environment);
    const keys = new KnownKeys({ issuerUrl: settings.issuerUrl, clock, observe });
    stops.push(() => keys.stop());
    await keys.start();
    return { verifier: new ExternalIssuer({ keys, audience, clock }), tokenEndpoint: undefined };
  }
  const lifetimeSeconds = settings.tokenLifetimeSeconds;
  const issuer = new OwnIssuer({ issuer: baseUrl, audience, lifetimeSeconds, clock });
  const throttle = createTokenThrottle(settings.tokenRequestsPerMinute, clock);
  const tokenEndpoint = { directory, encryption, issuer, throttle, audience, lifetimeSeconds, clock, observe };
  return { verifier: issuer, tokenEndpoint };
}

/** An attacker who can modify plain HTTP traffic can add keys to those of the issuer. */
function checkIssuerUrl(issuerUrl: string, environment: Settings['environment']): void {
  const { protocol, hostname } = new URL(issuerUrl);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (environment === 'production' && protocol === 'http:' && !isLoopback)
    throw new OperatorError('FLAGHOIST_ISSUER_URL must be https in production: its keys decide who gets access.');
}
