// The built-in issuer's tokens: RFC 9068, signed with ES256 by a key of ours. Signs and verifies; who may have a token is
// decided before (`issue-token.ts`), what its bearer may do afterwards (`authenticator.ts`).

import { type KeyObject, randomUUID, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { compactVerify } from 'jose';
import type { Clock } from '../../clock.ts';
import { type JsonObject, NumberLiteral } from '../../json/parse-json.ts';
import { isScope, type Scope } from '../../model/scopes.ts';
import { isKeyText } from '../../query/attribute-value.ts';
import { type Access, databaseNowMs, isVerifying, signingKeyAt } from '../directory/access.ts';
import { judgeClaims, secondsOf } from '../tokens/token-claims.ts';
import { readTokenForm } from '../tokens/token-form.ts';
import { badToken, expiredToken, type TokenVerifier, type VerifiedToken } from '../tokens/verified-token.ts';
import { tokenAlgorithm } from './signing-keys.ts';

export interface OwnIssuerSettings {
  issuer: string;
  audience: string;
  lifetimeSeconds: number;
  clock: Clock;
}

export interface TokenSubject {
  clientId: string;
  clientKey: number;
  scopes: readonly Scope[];
}

export class OwnIssuer implements TokenVerifier {
  readonly #settings: OwnIssuerSettings;

  constructor(settings: OwnIssuerSettings) {
    this.#settings = settings;
  }

  sign({ clientId, clientKey, scopes }: TokenSubject, access: Access): Promise<string> {
    const { issuer, audience, lifetimeSeconds, clock } = this.#settings;
    const { kid, privateKey } = signingKeyAt(access, databaseNowMs(access, clock));
    const issued = secondsAt(clock);
    return signCompact(
      { alg: tokenAlgorithm, typ: 'at+jwt', kid },
      {
        iss: issuer,
        sub: clientId,
        aud: audience,
        client_id: clientId,
        client_key: clientKey,
        scope: scopes.join(' '),
        iat: issued,
        exp: issued + lifetimeSeconds,
        jti: randomUUID(),
      },
      privateKey,
    );
  }

  async verify(token: string, access: Access): Promise<VerifiedToken> {
    const form = readTokenForm(token);
    const kid = form && readHeader(form.header);
    const key = kid === undefined ? undefined : access.signingKeys.get(kid);
    const { issuer, audience, clock } = this.#settings;
    if (!form || !key || !isVerifying(key, databaseNowMs(access, clock))) throw badToken();
    await compactVerify(token, key.publicKey, { algorithms: [tokenAlgorithm] }).catch(() => {
      throw badToken();
    });
    const { claims } = form;
    const verdict = judgeClaims(claims, { issuer, audience, nowSeconds: secondsAt(clock) });
    const subject = verdict === 'bad' ? undefined : readSubject(claims);
    if (!subject) throw badToken();
    if (verdict === 'expired') throw expiredToken();
    return { ...subject, expiresAtMs: secondsOf(claims.get('exp'))! * 1000, signedBy: key.kid };
  }

  isTrusted({ signedBy }: VerifiedToken, access: Access): boolean {
    const key = access.signingKeys.get(signedBy);
    return key !== undefined && isVerifying(key, databaseNowMs(access, this.#settings.clock));
  }
}

/** `iat` and `exp` are dates, for others too: they go by the time of day. */
function secondsAt(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000);
}

/**
 * RFC 7515 §7.1. By Node itself rather than jose, whose signing takes 94 µs of processor time where this takes 46. In Node's
 * pool of threads: other requests go on meanwhile.
 */
async function signCompact(header: object, claims: object, key: KeyObject): Promise<string> {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encode(header)}.${encode(claims)}`;
  const signature = await signBytes('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

const signBytes = promisify(sign);

/** The key id, if the header is one that we write: nothing in it can lead anywhere else. */
function readHeader(header: JsonObject): string | undefined {
  const [algorithm, kid, type] = [header.get('alg'), header.get('kid'), header.get('typ')];
  const isAccessToken = typeof type === 'string' && /^(application\/)?at\+jwt$/i.test(type);
  if (algorithm !== tokenAlgorithm || !isAccessToken || header.has('crit')) return undefined;
  return typeof kid === 'string' ? kid : undefined;
}

/** Undefined: not what we write. */
function readSubject(claims: JsonObject): TokenSubject | undefined {
  const [clientId, clientKey, scopes] = [claims.get('client_id'), claims.get('client_key'), readScopes(claims)];
  if (typeof clientId !== 'string' || clientId !== claims.get('sub') || typeof claims.get('jti') !== 'string')
    return undefined;
  if (!(clientKey instanceof NumberLiteral) || !isKeyText(clientKey.text) || !scopes) return undefined;
  return { clientId, clientKey: Number(clientKey.text), scopes };
}

function readScopes(claims: JsonObject): Scope[] | undefined {
  const scope = claims.get('scope');
  return typeof scope === 'string' ? scope.split(' ').filter(isScope) : undefined;
}
