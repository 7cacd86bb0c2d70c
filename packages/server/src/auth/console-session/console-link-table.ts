// All SQL of the links that sign in to the console.

import type { Statement } from '../../database/database.ts';

export interface LinkUser {
  key: number;
  userCode: string;
  name: string;
  isActive: boolean;
  /** Whether it may do anything in the console. */
  hasClient: boolean;
}

/** `userCode`: undefined for the first administrator that may sign in. */
export function selectLinkUser(userCode: string | undefined, audience: string): Statement {
  const client = (scope: string) => `exists (select from flaghoist_service.api_client c
             where c."user" = u.key and c.active and $1 = any(c.audiences) and ${scope})`;
  const condition = userCode === undefined ? `u.active and ${client("'admin' = any(c.scopes)")}` : 'u.user_code = $2';
  return {
    text: `select u.key::float8 as key, u.user_code as "userCode", u.name, u.active as "isActive",
             ${client('true')} as "hasClient"
           from flaghoist_service.api_user u where ${condition} order by u.key limit 1`,
    values: userCode === undefined ? [audience] : [audience, userCode],
  };
}

/** Returns until when the link is valid. */
export function insertLink(codeHash: string, userKey: number, validSeconds: number): Statement {
  return {
    text: `with made as (
         insert into flaghoist_system.console_link (code_hash, user_key, expires_at)
         values ($1, $2, now() + make_interval(secs => $3)) returning user_key, expires_at),
       audited as (
         insert into flaghoist_service.audit_log (action, object_type, object_key, object_name, user_code, client_id)
         select 'CREATE_LINK', 'ApiUser', u.key, u.user_code, a.user_code, flaghoist_system.acting_client()
         from made m join flaghoist_service.api_user u on u.key = m.user_key
         left join flaghoist_service.api_user a on a.key = flaghoist_system.acting_user())
       select to_char(expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS') as expires from made`,
    values: [codeHash, userKey, validSeconds],
  };
}

/**
 * Returns no row if the link is unknown, used or expired, or its user disabled. Of several that use it at once, one gets
 * a row. The user is locked before the link, the order in which a user is disabled.
 */
export function useLink(codeHash: string, userKey: number): Statement {
  return {
    text: `with owner as (
         select key from flaghoist_service.api_user where key = $2 and active for share)
       update flaghoist_system.console_link l set used_at = now() from owner
       where l.code_hash = $1 and l.user_key = owner.key and l.used_at is null and l.expires_at > now() returning 1`,
    values: [codeHash, userKey],
  };
}

export interface LinkRow {
  isUsed: boolean;
  isExpired: boolean;
}

export function selectLink(codeHash: string): Statement {
  return {
    text: `select used_at is not null as "isUsed", expires_at <= now() as "isExpired"
           from flaghoist_system.console_link where code_hash = $1`,
    values: [codeHash],
  };
}

/** Deletes in small steps, so that no statement locks many rows at once. */
export function deleteOldLinks(): Statement {
  return {
    text: `delete from flaghoist_system.console_link where code_hash = any(array(
             select code_hash from flaghoist_system.console_link
             where expires_at <= now() - interval '1 day' limit 1000)) returning 1`,
    values: [],
  };
}
