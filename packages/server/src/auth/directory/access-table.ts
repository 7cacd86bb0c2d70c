// All SQL that reads who may call: users, clients and signing keys together, and the revision that changes with any of
// them.

import type { Statement } from '../../database/database.ts';
import { revisionWithEpoch } from '../../database/server-epoch.ts';
import type { Edition } from '../../model/editions.ts';

export interface AccessRow extends RevisionRow {
  users: UserRow[];
  clients: ClientRow[];
  keys: SigningKeyRow[];
}

export interface UserRow {
  key: number;
  user_code: string;
  edition: Edition;
  api_version: string | null;
  active: boolean;
}

export interface ClientRow {
  key: number;
  client_id: string;
  user: number;
  scopes: string[];
  audiences: string[];
  active: boolean;
  /** Base64url. */
  secret_hash: string | null;
  previous_secret_hash: string | null;
  /** Milliseconds since 1970. */
  previous_secret_until: number | null;
}

export interface SigningKeyRow {
  kid: string;
  public_jwk: Record<string, string>;
  /** Encrypted. */
  private_jwk: string;
  signs_from: number;
  verifies_until: number | null;
}

export interface RevisionRow {
  revision: string;
  /** Milliseconds since 1970, by the clock of the database. */
  now_ms: number;
}

export function selectRevision(): Statement {
  return {
    text: `select ${revisionWithEpoch('value')} as revision, (${milliseconds('now()')})::double precision as now_ms
           from flaghoist_system.revision where name = 'access'`,
    values: [],
  };
}

/** One statement has one snapshot, so the data matches the revision that is loaded with it. */
export function selectAccess(): Statement {
  return {
    text: `select ${revisionWithEpoch('r.value')} as revision,
       (${milliseconds('now()')})::double precision as now_ms,
       (select coalesce(json_agg(json_build_object('key', u.key, 'user_code', u.user_code, 'edition', u.edition,
          'api_version', u.api_version, 'active', u.active)), '[]') from flaghoist_service.api_user u) as users,
       (select coalesce(json_agg(json_build_object('key', c.key, 'client_id', c.client_id, 'user', c."user",
          'scopes', c.scopes, 'audiences', c.audiences, 'active', c.active, 'secret_hash', c.secret_hash,
          'previous_secret_hash', c.previous_secret_hash,
          'previous_secret_until', ${milliseconds("(c.previous_secret_expires_date at time zone 'utc')")})), '[]')
          from flaghoist_service.api_client c) as clients,
       (select coalesce(json_agg(json_build_object('kid', k.kid, 'public_jwk', k.public_jwk, 'private_jwk',
         k.private_jwk,
          'signs_from', ${milliseconds('k.signs_from')}, 'verifies_until', ${milliseconds('k.verifies_until')})
          order by k.signs_from), '[]') from flaghoist_system.signing_key k) as keys
     from flaghoist_system.revision r where r.name = 'access'`,
    values: [],
  };
}

function milliseconds(time: string): string {
  return `extract(epoch from ${time}) * 1000`;
}
