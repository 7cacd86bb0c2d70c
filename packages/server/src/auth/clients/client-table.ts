// All SQL that changes clients beyond the generic statements of the model.

import { advisoryLocks } from '../../database/advisory-locks.ts';
import type { Statement } from '../../database/database.ts';

export function lockClient(key: number): Statement {
  return { text: 'select client_id from flaghoist_service.api_client where key = $1 for update', values: [key] };
}

/** The current secret becomes the previous one, which stays valid for the grace period. */
export function replaceSecret(key: number, secretHash: string, graceSeconds: number): Statement {
  return {
    text: `update flaghoist_service.api_client set
             secret_hash = $2, secret_date = flaghoist_system.utc_second(),
             previous_secret_hash = secret_hash,
             previous_secret_expires_date = flaghoist_system.utc_second() + make_interval(secs => $3)
           where key = $1
           returning to_char(previous_secret_expires_date, 'YYYY-MM-DD"T"HH24:MI:SS') as expires`,
    values: [key, secretHash, graceSeconds],
  };
}

export function countClients(): Statement {
  return { text: 'select count(*)::integer as count from flaghoist_service.api_client' };
}

/** Locked until COMMIT: if several processes start on an empty installation, only one creates the first client. */
export function lockBootstrap(): Statement {
  return { text: `select pg_advisory_xact_lock(${advisoryLocks.bootstrap})` };
}

export function insertBootstrapUser(): Statement {
  return {
    text: `insert into flaghoist_service.api_user (user_code, name) values ('admin', 'Administrator')
           on conflict (user_code) do nothing`,
  };
}

/** Without a hash, the external issuer manages the secret. */
export function insertBootstrapClient(row: {
  clientId: string;
  secretHash: string | null;
  audience: string;
}): Statement {
  return {
    text: `insert into flaghoist_service.api_client (client_id, "user", scopes, audiences, secret_hash, secret_date)
           select $1, u.key, '{admin}', array[$2], $3::text, case when $3 is null then null
             else flaghoist_system.utc_second() end
           from flaghoist_service.api_user u where u.user_code = 'admin'`,
    values: [row.clientId, row.audience, row.secretHash],
  };
}
