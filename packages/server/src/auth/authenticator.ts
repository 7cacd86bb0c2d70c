// Identifies the caller and its scopes from the `Authorization` header of a request. A token is verified once and then
// cached; whether its client and user are still active is checked on every request.

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
  /** The API version for requests that do not name one. */
  apiVersion: string;
}

export interface AuthenticatorParts {
  directory: AccessDirectory;
  verifier: TokenVerifier;
  /** The audience of this installation. A client must have been granted it, no matter who issued the token. */
  audience: string;
  clock: Clock;
}

/** The size of the cache. Without it, throughput would drop to a fifth. */
const rememberedMax = 10_000;

interface Remembered {
  token: VerifiedToken;
  /** The snapshot that `identity` was derived from. If a newer one exists, the identity is derived again. */
  access: Access;
  identity: Identity;
}

export class Authenticator {
  readonly #parts: AuthenticatorParts;
  readonly #remembered = new Recent<string, Remembered>(rememberedMax);

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  /** Returns a promise only if it has to wait. A cached token costs almost nothing. */
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
    // Verifying may have waited for an issuer, so the token is checked against the current snapshot.
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

/** RFC 6750 §2.1; the scheme is case-insensitive. */
function readBearer(authorization: string | undefined): string {
  if (authorization === undefined) throw missingToken();
  const token = /^bearer +([^\s,]+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw badToken();
  return token;
}

/** Undefined: the client is unknown, recreated or disabled, its user is disabled, or it lacks the audience. */
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
  // A scope that was revoked after the token was issued does not apply to the token either.
  const held = scopes ? withIncluded(scopes) : granted;
  const both = withIncluded([...held].filter((scope) => granted.has(scope)));
  return {
    caller: { userKey: user.key, client: clientId, isAdmin: both.has('admin'), edition: user.edition },
    scopes: both,
    apiVersion: user.apiVersion ?? newestVersion,
  };
}
