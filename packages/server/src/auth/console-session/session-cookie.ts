// The cookie of a session: the id of the session, and a secret that each renewal replaces. Only hashes of the secret are
// stored. Judges whether a cookie is the current one.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Encryption } from '../encryption/encryption.ts';

export interface SessionCookie {
  sessionId: string;
  secret: string;
}

/** 128 and 256 random bits. */
export function makeCookie(): SessionCookie {
  return { sessionId: randomBytes(16).toString('base64url'), secret: randomBytes(32).toString('base64url') };
}

/** The prefix lets secret scanners find a leaked cookie. */
export function renderCookie({ sessionId, secret }: SessionCookie): string {
  return `fhc_${sessionId}.${secret}`;
}

export function parseCookie(text: string): SessionCookie | undefined {
  const [, sessionId, secret] = /^fhc_([\w-]{22})\.([\w-]{43})$/.exec(text) ?? [];
  return sessionId === undefined || secret === undefined ? undefined : { sessionId, secret };
}

/**
 * The successor is derived, not random: two tabs that renew at the same moment get the same one, and so does a tab that
 * renews again because it did not get the response. Without the encryption key, it cannot be derived.
 */
export function nextCookie({ sessionId, secret }: SessionCookie, encryption: Encryption): SessionCookie {
  const next = encryption.hashSecret(`console session ${sessionId} next`, secret);
  return { sessionId, secret: next.toString('base64url') };
}

/** Whose session it is. */
export interface SessionOwner {
  userKey: number;
  /** Null: the user has signed in with a link. */
  clientId: string | null;
}

/** The hash as it is stored. It covers the owner: whoever changes the owner in the table ends the session. */
export function hashOfCookie(
  { sessionId, secret }: SessionCookie,
  { userKey, clientId }: SessionOwner,
  encryption: Encryption,
): string {
  return encryption.hashSecret(`console session ${sessionId} ${userKey} ${clientId}`, secret).toString('base64url');
}

export interface StoredCookie {
  cookieHash: string;
  previousCookieHash: string | null;
  /** The time since the cookie replaced the previous one. */
  cookieAgeMs: number;
}

/**
 * - `current`: due to be replaced.
 * - `fresh`: the current one, but it was replaced so recently that another tab may still send the previous one.
 * - `previous`: sent at the same moment as a renewal by another tab.
 * - `old`: stolen, or a copy of one that was stolen.
 */
export type CookieVerdict = 'current' | 'fresh' | 'previous' | 'old';

/** Covers a slow request. A cookie is replaced at most once in this time. */
export const cookieGraceMs = 10_000;

export function judgeCookie(hash: string, stored: StoredCookie): CookieVerdict {
  const isInGrace = stored.cookieAgeMs < cookieGraceMs;
  if (isSame(hash, stored.cookieHash)) return isInGrace && stored.previousCookieHash !== null ? 'fresh' : 'current';
  const isPrevious = stored.previousCookieHash !== null && isSame(hash, stored.previousCookieHash);
  return isPrevious && isInGrace ? 'previous' : 'old';
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
