// Identifies the caller and its scopes from the `Authorization` header of a request. A token is verified once and then
// cached; whether its client and user are still active is checked on every request.

import type { Clock } from '../clock.ts';
import { Recent } from '../recent.ts';
import type { Access } from './directory/access.ts';
import type { AccessDirectory } from './directory/access-directory.ts';
import { grantOfClient, grantOfUser } from './directory/grant.ts';
import { type Identity, identityOfGrant } from './directory/identity.ts';
import {
  badToken,
  expiredToken,
  missingToken,
  type TokenVerifier,
  type VerifiedToken,
} from './tokens/verified-token.ts';
import { identifyViewed } from './view-as/identify-viewed.ts';
import type { ViewRecords } from './view-as/view-records.ts';

export interface AuthenticatorParts {
  directory: AccessDirectory;
  verifier: TokenVerifier;
  /** The audience of this installation. A client must have been granted it, no matter who issued the token. */
  audience: string;
  clock: Clock;
  views: ViewRecords;
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

  /** Whom the caller looks as: what that user would be identified as. Only for administrators. */
  async viewAs(identity: Identity, userKey: number): Promise<Identity> {
    const { directory, audience, views } = this.#parts;
    return identifyViewed({ directory, audience, views }, identity, userKey);
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
    return this.#admit(token, verified, isKnown(verified, current) ? current : await directory.reload());
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

/** Otherwise, another process may have just created the client or user. */
function isKnown({ clientId, userKey }: VerifiedToken, { clients, users }: Access): boolean {
  return userKey === undefined ? clients.has(clientId) : users.has(userKey);
}

/** Undefined: the client is unknown, recreated or disabled, its user is disabled, or it lacks the audience. */
function identityOf(
  { clientId, clientKey, userKey, scopes }: VerifiedToken,
  access: Access,
  audience: string,
): Identity | undefined {
  if (clientKey !== undefined && access.clients.get(clientId)?.key !== clientKey) return undefined;
  const grant =
    userKey === undefined ? grantOfClient(access, clientId, audience) : grantOfUser(access, userKey, audience);
  return grant && identityOfGrant(grant, scopes);
}
