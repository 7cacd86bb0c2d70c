// The tokens of sessions with an external issuer. The page gets the access token of the issuer. Both tokens are kept
// encrypted, so that a page that is loaded again, and a second tab, need no new ones. When the access token is nearly
// over, one process refreshes it, and the others wait for its result.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { issuerAway } from '../external-issuer/known-keys.ts';
import type { IssuedToken, IssuerSignIn, RedeemedTokens, SessionHolder, SessionTokens } from './console-parts.ts';
import { dropSession } from './console-session-table.ts';
import { claimRefresh, releaseRefresh, replaceIssuerTokens, selectIssuerTokens } from './issuer-token-table.ts';
import { sessionEnded } from './session-errors.ts';

export interface IssuerTokensParts {
  database: Database;
  encryption: Encryption;
  clock: Clock;
  issuer: IssuerSignIn;
}

/** As it is stored. */
interface KeptTokens extends RedeemedTokens {
  /** Milliseconds since 1970. */
  receivedAtMs: number;
}

/** An access token is refreshed when it lasts for less than this, or for less than half of its lifetime. */
const leftMinMs = 120_000;

/** A token that cannot be refreshed is used as long as it lasts for a request. */
const leftLeastMs = 5_000;

const claimSeconds = 15;
const pollEveryMs = 100;

export function createIssuerTokens(parts: IssuerTokensParts): SessionTokens {
  return { issue: (holder, sessionId) => issueToken(parts, holder, sessionId) };
}

export function sealTokens(
  { encryption, clock }: Pick<IssuerTokensParts, 'encryption' | 'clock'>,
  sessionId: string,
  tokens: RedeemedTokens,
): string {
  const kept: KeptTokens = { ...tokens, receivedAtMs: clock.now().getTime() };
  return encryption.encrypt(purposeOf(sessionId), JSON.stringify(kept));
}

/** Undefined: they belong to another session, or to an issuer that was configured before. */
function unsealTokens(
  { encryption, issuer }: IssuerTokensParts,
  sessionId: string,
  sealed: string,
): KeptTokens | undefined {
  try {
    const kept = JSON.parse(encryption.decrypt(purposeOf(sessionId), sealed)) as KeptTokens;
    return kept.issuerUrl === issuer.issuerUrl ? kept : undefined;
  } catch {
    return undefined;
  }
}

async function issueToken(parts: IssuerTokensParts, holder: SessionHolder, sessionId: string): Promise<IssuedToken> {
  const endsAtMs = parts.clock.monotonicMs() + claimSeconds * 1000;
  while (parts.clock.monotonicMs() < endsAtMs) {
    const sealed = await readSealed(parts, sessionId);
    const kept = unsealTokens(parts, sessionId, sealed);
    if (!kept) throw await endSession(parts, sessionId);
    if (!isDue(kept, parts.clock)) return issuedToken(kept, parts.clock);
    if (kept.refreshToken === undefined) throw await endSession(parts, sessionId);
    if ((await parts.database.run(claimRefresh(sessionId, sealed, claimSeconds))).length > 0)
      return refresh(parts, { holder, sessionId, refreshToken: kept.refreshToken });
    await sleep(pollEveryMs);
  }
  throw issuerAway();
}

async function readSealed({ database }: IssuerTokensParts, sessionId: string): Promise<string> {
  const [row] = await database.run(selectIssuerTokens(sessionId));
  if (typeof row?.issuerTokens !== 'string') throw sessionEnded();
  return row.issuerTokens;
}

function isDue({ refreshToken, receivedAtMs, expiresAtMs }: KeptTokens, clock: Clock): boolean {
  const leftMs = expiresAtMs - clock.now().getTime();
  if (refreshToken === undefined) return leftMs < leftLeastMs;
  return leftMs < Math.min(leftMinMs, (expiresAtMs - receivedAtMs) / 2);
}

function issuedToken({ accessToken, expiresAtMs }: RedeemedTokens, clock: Clock): IssuedToken {
  return { token: accessToken, expiresIn: Math.floor((expiresAtMs - clock.now().getTime()) / 1000) };
}

interface ClaimedRefresh {
  holder: SessionHolder;
  sessionId: string;
  refreshToken: string;
}

async function refresh(
  parts: IssuerTokensParts,
  { holder, sessionId, refreshToken }: ClaimedRefresh,
): Promise<IssuedToken> {
  const { database, clock, issuer } = parts;
  try {
    const tokens = await issuer.refresh(refreshToken);
    if (tokens === 'rejected' || tokens.clientId !== holder.grant.client) throw await endSession(parts, sessionId);
    const stored = await database.run(replaceIssuerTokens(sessionId, sealTokens(parts, sessionId, tokens)));
    if (stored.length === 0) throw sessionEnded();
    return issuedToken(tokens, clock);
  } catch (error) {
    await database.run(releaseRefresh(sessionId));
    throw error;
  }
}

async function endSession({ database }: IssuerTokensParts, sessionId: string): Promise<Error> {
  await database.run(dropSession(sessionId));
  return sessionEnded();
}

/** Bound to the session: the tokens of one cannot be moved to another. */
function purposeOf(sessionId: string): string {
  return `console session ${sessionId}`;
}
