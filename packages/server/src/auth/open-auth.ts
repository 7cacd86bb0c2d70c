// Assembles authentication for one process: the access directory, the token issuer, and the rules for clients. Starts
// the background loops and stops them again.

import type { Clock } from '../clock.ts';
import { audienceOf } from '../config/audience-of.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Database } from '../database/database.ts';
import { OperatorError } from '../errors.ts';
import type { TypeRules } from '../objects/type-rules.ts';
import type { Observe } from '../observe/observation.ts';
import { Authenticator } from './authenticator.ts';
import { type BootstrapClient, ensureBootstrapClient } from './clients/bootstrap-client.ts';
import { clientRules } from './clients/client-rules.ts';
import { AccessDirectory } from './directory/access-directory.ts';
import { type AccessWrites, accessWrites } from './directory/access-writes.ts';
import type { Encryption } from './encryption/encryption.ts';
import { ExternalIssuer } from './external-issuer/external-issuer.ts';
import { OwnIssuer } from './own-issuer/own-issuer.ts';
import { createRotateKeyLoop, rotateKeyIfDue } from './signing-keys/rotate-key-loop.ts';
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

export async function openAuth(parts: AuthParts): Promise<Auth> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    // Started first, so that the directory finds a signing key when it starts.
    if (parts.settings.issuerUrl === undefined) await startKeyRotation(parts, stops);
    const { encryption, clock } = parts;
    const directory = new AccessDirectory({ database: parts.directoryDatabase, encryption, clock });
    await start(directory, stops);
    const { verifier, tokenEndpoint } = await openIssuer(parts, directory, stops);
    return {
      authenticator: new Authenticator({ directory, verifier, audience: audienceOf(parts.settings), clock }),
      tokenEndpoint,
      writes: accessWrites(directory),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface FirstClientParts {
  settings: Settings;
  database: Database;
  encryption: Encryption;
  observe: Observe;
}

interface Startable {
  start(): Promise<void>;
  stop(): Promise<void>;
}

async function start(part: Startable, stops: (() => Promise<void>)[]): Promise<void> {
  stops.push(() => part.stop());
  await part.start();
}

/** Call this last: the secret is shown once, and would be lost if a later step of the start failed. */
export async function makeFirstClient(parts: FirstClientParts): Promise<BootstrapClient | undefined> {
  const { settings, observe } = parts;
  const client = await ensureBootstrapClient(parts, {
    clientId: settings.bootstrapClientId,
    clientSecret: settings.bootstrapClientSecret,
    audience: audienceOf(settings),
    hasExternalIssuer: settings.issuerUrl !== undefined,
  });
  if (client) observe({ kind: 'client.bootstrapped', clientId: client.clientId });
  return client;
}

async function startKeyRotation(parts: AuthParts, stops: (() => Promise<void>)[]): Promise<void> {
  const rotation = { ...parts, ageMaxSeconds: parts.settings.signingKeyDays * 86_400 };
  await rotateKeyIfDue(rotation);
  const loop = createRotateKeyLoop(rotation);
  stops.push(() => loop.stop());
  loop.start();
}

/** The rules for the types that this folder owns. */
export function accessRules(settings: Settings, encryption: Encryption, clock: Clock): ReadonlyMap<string, TypeRules> {
  const client = clientRules({
    encryption,
    clock,
    audience: audienceOf(settings),
    audiences: [settings.audienceProduction, settings.audienceTest],
    hasExternalIssuer: settings.issuerUrl !== undefined,
  });
  return new Map([['ApiClient', client]]);
}

interface Issuer {
  verifier: TokenVerifier;
  tokenEndpoint: TokenEndpoint | undefined;
}

async function openIssuer(
  parts: AuthParts,
  directory: AccessDirectory,
  stops: (() => Promise<void>)[],
): Promise<Issuer> {
  const { settings, baseUrl, encryption, observe, clock } = parts;
  const audience = audienceOf(settings);
  if (settings.issuerUrl !== undefined) {
    refuseUnsafeIssuer(settings.issuerUrl, settings.environment);
    const verifier = new ExternalIssuer({ issuerUrl: settings.issuerUrl, audience, clock, observe });
    await start(verifier, stops);
    return { verifier, tokenEndpoint: undefined };
  }
  const lifetimeSeconds = settings.tokenLifetimeSeconds;
  const issuer = new OwnIssuer({ issuer: baseUrl, audience, lifetimeSeconds, clock });
  const throttle = createTokenThrottle(settings.tokenRequestsPerMinute, clock);
  const tokenEndpoint = { directory, encryption, issuer, throttle, audience, lifetimeSeconds, clock, observe };
  return { verifier: issuer, tokenEndpoint };
}

/** An attacker who can modify plain HTTP traffic can add keys to those of the issuer. */
function refuseUnsafeIssuer(issuerUrl: string, environment: Settings['environment']): void {
  const { protocol, hostname } = new URL(issuerUrl);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (environment === 'production' && protocol === 'http:' && !isLoopback)
    throw new OperatorError('FLAGHOIST_ISSUER_URL must be https in production: its keys decide who gets access.');
}
