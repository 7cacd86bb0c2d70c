// All SQL of the tokens that sessions have from an external issuer.

import type { Statement } from '../../database/database.ts';

export function selectIssuerTokens(sessionId: string): Statement {
  return {
    text: 'select issuer_tokens as "issuerTokens" from flaghoist_system.console_session where id = $1',
    values: [sessionId],
  };
}

/**
 * Only one process may use the refresh token. Returns no row if another one does, or has replaced the tokens. The claim
 * of a process that dies runs out.
 */
export function claimRefresh(sessionId: string, issuerTokens: string, seconds: number): Statement {
  return {
    text: `update flaghoist_system.console_session set refreshing_until = now() + make_interval(secs => $3)
           where id = $1 and issuer_tokens = $2 and (refreshing_until is null or refreshing_until <= now())
           returning 1`,
    values: [sessionId, issuerTokens, seconds],
  };
}

/** Returns no row if the session has ended meanwhile. */
export function replaceIssuerTokens(sessionId: string, issuerTokens: string): Statement {
  return {
    text: `update flaghoist_system.console_session set issuer_tokens = $2, refreshing_until = null
           where id = $1 returning 1`,
    values: [sessionId, issuerTokens],
  };
}

export function releaseRefresh(sessionId: string): Statement {
  return {
    text: 'update flaghoist_system.console_session set refreshing_until = null where id = $1',
    values: [sessionId],
  };
}
