// All SQL of the views as another user. The audit log gets its record in the same statement.

import type { Actor, Statement } from '../../database/database.ts';

/** Writes a record, unless there is one of the last hour for the same caller and user. */
export function recordView({ userKey: viewerKey, client }: Actor, userKey: number): Statement {
  return {
    text: `with noted as (
         insert into flaghoist_system.viewed_user as v (viewer_key, client_id, user_key) values ($1, $2, $3)
         on conflict (viewer_key, client_id, user_key) do update set viewed_at = now()
           where v.viewed_at <= now() - interval '1 hour'
         returning 1)
       insert into flaghoist_service.audit_log (action, object_type, object_key, object_name, user_code, client_id)
       select 'VIEW_AS', 'ApiUser', u.key, u.user_code, a.user_code, $2
       from noted, flaghoist_service.api_user u, flaghoist_service.api_user a where u.key = $3 and a.key = $1`,
    values: [viewerKey, client, userKey],
  };
}

/** Deletes in small steps, so that no statement locks many rows at once. */
export function deleteOldViews(): Statement {
  return {
    text: `delete from flaghoist_system.viewed_user where ctid = any(array(
             select ctid from flaghoist_system.viewed_user where viewed_at <= now() - interval '1 hour'
             limit 1000)) returning 1`,
    values: [],
  };
}
