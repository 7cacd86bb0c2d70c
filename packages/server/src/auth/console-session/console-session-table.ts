// All SQL of the sessions of the console. Every sign-in and sign-out writes its record of the audit log in the same
// statement.

import type { Statement } from '../../database/database.ts';
import type { SignInMethod } from '../../observe/observation.ts';
import type { SessionOwner, StoredCookie } from './session-cookie.ts';

export interface SessionRow extends SessionOwner, StoredCookie {
  /** Whether its tokens come from an external issuer. */
  hasIssuer: boolean;
}

/** `client`: as the audit log names it. */
export interface NewSession {
  id: string;
  cookieHash: string;
  client: string;
  method: SignInMethod;
}

/**
 * Returns no row if the client was disabled or its secret replaced after it was read. The lock holds up such a change
 * until COMMIT, so that it ends this session as well.
 */
export function insertClientSession(
  session: NewSession,
  client: { key: number; secretHash: string | null },
): Statement {
  const selected = `select $1, u.key, c.client_id, $2, null from flaghoist_service.api_client c
         join flaghoist_service.api_user u on u.key = c."user"
         where c.key = $5 and c.active and u.active and c.secret_hash is not distinct from $6
         for share of c, u`;
  return insertSession(selected, session, [client.key, client.secretHash]);
}

/** Returns no row if the user was disabled. */
export function insertUserSession(session: NewSession, userKey: number): Statement {
  const selected = `select $1, u.key, null, $2, null from flaghoist_service.api_user u
         where u.key = $5 and u.active for share of u`;
  return insertSession(selected, session, [userKey]);
}

/** `issuerTokens`: encrypted. Returns no row if the client was disabled. */
export function insertIssuerSession(session: NewSession, clientKey: number, issuerTokens: string): Statement {
  const selected = `select $1, u.key, c.client_id, $2, $6 from flaghoist_service.api_client c
         join flaghoist_service.api_user u on u.key = c."user"
         where c.key = $5 and c.active and u.active for share of c, u`;
  return insertSession(selected, session, [clientKey, issuerTokens]);
}

/** `selected`: the columns of the session. $1 to $4 are those of every session, the others are `values`. */
function insertSession(selected: string, { id, cookieHash, client, method }: NewSession, values: unknown[]): Statement {
  return {
    text: `with started as (
         insert into flaghoist_system.console_session (id, user_key, client_id, cookie_hash, issuer_tokens)
         ${selected}
         returning user_key)
       ${audit('SIGN_IN', 'started', '$3::text', "jsonb_build_object('method', jsonb_build_array(null, $4::text))")}`,
    values: [id, cookieHash, client, method, ...values],
  };
}

/** Returns no row if the session has ended. */
export function selectSession(id: string, sessionSeconds: number): Statement {
  return {
    text: `select user_key::float8 as "userKey", client_id as "clientId", cookie_hash as "cookieHash",
             previous_cookie_hash as "previousCookieHash", issuer_tokens is not null as "hasIssuer",
             (extract(epoch from clock_timestamp() - cookie_at) * 1000)::float8 as "cookieAgeMs"
           from flaghoist_system.console_session
           where id = $1 and renewed_at > now() - make_interval(secs => $2)`,
    values: [id, sessionSeconds],
  };
}

/** Returns no row if another process has replaced the cookie meanwhile. */
export function replaceCookie(id: string, cookieHash: string, nextHash: string): Statement {
  return {
    text: `update flaghoist_system.console_session set cookie_hash = $3, previous_cookie_hash = cookie_hash,
             cookie_at = now(), renewed_at = now()
           where id = $1 and cookie_hash = $2 returning 1`,
    values: [id, cookieHash, nextHash],
  };
}

/** Returns no row if the session has ended. */
export function prolongSession(id: string): Statement {
  return {
    text: 'update flaghoist_system.console_session set renewed_at = now() where id = $1 returning 1',
    values: [id],
  };
}

/** `client`: as the audit log names it. `reason`: why the session ends. */
export function deleteSession(id: string, client: string, reason: 'SIGNED_OUT' | 'COOKIE_REUSED'): Statement {
  const changes = "jsonb_build_object('reason', jsonb_build_array(null, $3::text))";
  return {
    text: `with ended as (delete from flaghoist_system.console_session where id = $1 returning user_key)
       ${audit('SIGN_OUT', 'ended', '$2::text', changes)}`,
    values: [id, client, reason],
  };
}

/** Of a user or client that has lost its access. */
export function dropSession(id: string): Statement {
  return { text: 'delete from flaghoist_system.console_session where id = $1', values: [id] };
}

/** Deletes in small steps, so that no statement locks many rows at once. */
export function deleteEndedSessions(sessionSeconds: number): Statement {
  return {
    text: `delete from flaghoist_system.console_session where id = any(array(
             select id from flaghoist_system.console_session
             where renewed_at <= now() - make_interval(secs => $1) limit 1000)) returning 1`,
    values: [sessionSeconds],
  };
}

function audit(action: 'SIGN_IN' | 'SIGN_OUT', from: string, client: string, changes: string): string {
  return `insert into flaghoist_service.audit_log
         (action, object_type, object_key, object_name, user_code, client_id, changes)
       select '${action}', 'ApiUser', u.key, u.user_code, u.user_code, ${client}, ${changes}
       from ${from} join flaghoist_service.api_user u on u.key = ${from}.user_key
       returning 1`;
}
