// All SQL of the signing keys for tokens.

import { advisoryLocks } from '../../database/advisory-locks.ts';
import type { Statement } from '../../database/database.ts';

export interface NewSigningKey {
  kid: string;
  /** JSON. */
  publicJwk: string;
  /** Encrypted. */
  privateJwk: string;
}

/** Locked until COMMIT: if several processes find the key too old, only one replaces it. */
export function lockSigningKeys(): Statement {
  return { text: `select pg_advisory_xact_lock(${advisoryLocks.signingKeys})` };
}

/** Returns no row if there is not a key. */
export function selectNewestKeyAge(): Statement {
  return {
    text: `select extract(epoch from now() - created_at)::double precision as age_seconds
           from flaghoist_system.signing_key where verifies_until is null`,
  };
}

/** Without the private key. Dates have the format of the API. */
export function selectSigningKeys(): Statement {
  const date = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS')`;
  return {
    text: `select kid, ${date('created_at')} as "createdDate", ${date('signs_from')} as "signsFromDate",
             ${date('verifies_until')} as "verifiesUntilDate"
           from flaghoist_system.signing_key order by signs_from, kid`,
  };
}

/**
 * `signsInSeconds`: the delay before the key signs; until then it is only published. It counts from this statement,
 * not from the start of the transaction, which may have waited for another rotation.
 */
export function insertSigningKey({ kid, publicJwk, privateJwk }: NewSigningKey, signsInSeconds: number): Statement {
  return {
    text: `insert into flaghoist_system.signing_key (kid, public_jwk, private_jwk, signs_from)
           values ($1, $2::jsonb, $3, clock_timestamp() + make_interval(secs => $4))`,
    values: [kid, publicJwk, privateJwk, signsInSeconds],
  };
}

/** Retires the current keys. They are kept as long as a token that they signed may be valid. */
export function retireSigningKeys(keptSeconds: number): Statement {
  return {
    text: `update flaghoist_system.signing_key set verifies_until = clock_timestamp() + make_interval(secs => $1)
           where verifies_until is null`,
    values: [keptSeconds],
  };
}

export function deleteAllKeys(): Statement {
  return { text: 'delete from flaghoist_system.signing_key' };
}

export function deleteExpiredKeys(): Statement {
  return { text: 'delete from flaghoist_system.signing_key where verifies_until < now()' };
}

export function auditKeyRotation(kid: string): Statement {
  return { text: `${auditKeys} values ('ROTATE_KEY', 'SigningKey', $1, ${actor}, null)`, values: [kid] };
}

/** Run this before the keys are deleted: it records which keys are no longer trusted. */
export function auditDistrust(kid: string): Statement {
  const gone =
    "jsonb_build_object('distrusted', jsonb_build_array(coalesce((select jsonb_agg(kid) from " +
    "flaghoist_system.signing_key), '[]'), null))";
  return { text: `${auditKeys} values ('DISTRUST_KEYS', 'SigningKey', $1, ${actor}, ${gone})`, values: [kid] };
}

const auditKeys =
  'insert into flaghoist_service.audit_log (action, object_type, object_name, user_code, client_id, changes)';

const actor = `(select user_code from flaghoist_service.api_user where key = flaghoist_system.acting_user()),
             flaghoist_system.acting_client()`;
