// From the `Authorization` header of a request to who is calling and what they may do. A token is verified once and then
// remembered; whether its client and user are still active is looked up each time.

import type { Clock } from '../clock.ts';
import { newestVersion } from '../model/api-versions.ts';
import { type Scope, withIncluded } from '../model/scopes.ts';
import type { Caller } from '../objects/caller.ts';
import { Recent } from '../recent.ts';
import type { Access } from './directory/access.ts';
import type { AccessDirectory } from './directory/access-directory.ts';
import {
  badToken,
  expiredToken,
  missingToken,
  type TokenVerifier,
  type VerifiedToken,
} from './tokens/verified-token.ts';

/** Who is calling. */
export interface Identity {
  caller: Caller;
  scopes: ReadonlySet<Scope>;
  /** Of requests that name none. */
  apiVersion: string;
}

export interface AuthenticatorParts {
  directory: AccessDirectory;
  verifier: TokenVerifier;
  /** Of this installation: a client that has not been granted it is not let in, whoever gave it a token. */
  audience: string;
  clock: Clock;
}

/** Verifying every time would cost five times the throughput. */
const rememberedMax = 10_000;

interface Remembered {
  token: VerifiedToken;
  /** As of this access; with a newer one it is worked out again. */
  access: Access;
  identity: Identity;
}

export class Authenticator {
  readonly #parts: AuthenticatorParts;
  readonly #remembered = new Recent<string, Remembered>(rememberedMax);

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  /** A promise only where something has to be waited for: a token that is known costs next to nothing. */
  identify(authorization: string | undefined): Identity | Promise<Identity> {
    const token = readBearer(authorization);
    const access = this.#parts.directory.current();
    if (access instanceof Promise) return access.then((loaded) => this.#identifyBy(token, loaded));
    return this.#identifyBy(token, access);
  }

  #identifyBy(token: string, access: Access): Identity | Promise<Identity> {
    const known = this.#remembered.get(token);
    if (!known) return this.#verify(token, access);
    if (known.token.expiresAtMs <= this.#parts.clock.now().getTime()) {
      this.#remembered.delete(token);
      throw expiredToken();
    }
    if (known.access === access && this.#parts.verifier.isTrusted(known.token, access)) return known.identity;
    return this.#admit(token, known.token, access);
  }

  async #verify(token: string, access: Access): Promise<Identity> {
    const { verifier, directory } = this.#parts;
    const verified = await verifier.verify(token, access);
    // Verifying may have waited for an issuer: what was trusted before need not be trusted now.
    const current = await directory.current();
    return this.#admit(token, verified, current.clients.has(verified.clientId) ? current : await directory.reload());
  }

  #admit(token: string, verified: VerifiedToken, access: Access): Identity {
    const { verifier, audience } = this.#parts;
    const identity = verifier.isTrusted(verified, access) ? identityOf(verified, access, audience) : undefined;
    if (!identity) {
      this.#remembered.delete(token);
      throw badToken();
    }
    this.#remembered.set(token, { token: verified, access, identity });
    return identity;
  }
}

/** RFC 6750 §2.1; the scheme's case does not matter. */
function readBearer(authorization: string | undefined): string {
  if (authorization === undefined) throw missingToken();
  const token = /^bearer +([^\s,]+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw badToken();
  return token;
}

/** Undefined: the client is unknown or disabled, or its user is. */
function identityOf(
  { clientId, clientKey, scopes }: VerifiedToken,
  access: Access,
  audience: string,
): Identity | undefined {
  const client = access.clients.get(clientId);
  if (clientKey !== undefined && client?.key !== clientKey) return undefined;
  if (!client?.isActive || !client.user.isActive || !client.audiences.includes(audience)) return undefined;
  const { user } = client;
  const granted = withIncluded(client.scopes);
  // A scope that was taken from the client after the token was issued is gone from the token as well.
  const held = scopes ? withIncluded(scopes) : granted;
  const both = withIncluded([...held].filter((scope) => granted.has(scope)));
  return {
    caller: { userKey: user.key, client: clientId, isAdmin: both.has('admin'), edition: user.edition },
    scopes: both,
    apiVersion: user.apiVersion ?? newestVersion,
  };
}
