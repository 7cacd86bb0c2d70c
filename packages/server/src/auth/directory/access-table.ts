// All SQL that reads who may call: users, clients and signing keys together, and the revision that changes with any of
// them.

import type { Statement } from '../../database/database.ts';
import { revisionWithEpoch } from '../../database/server-epoch.ts';
import type { Edition } from '../../model/editions.ts';

export interface RevisionRow {
  revision: string;
  /** Milliseconds since 1970, by the clock of the database. So are all times below. */
  nowMs: number;
}

export interface AccessRow extends RevisionRow {
  users: ApiUser[];
  clients: ClientRow[];
  keys: SigningKeyRow[];
}

export interface ApiUser {
  readonly key: number;
  readonly userCode: string;
  readonly name: string;
  readonly edition: Edition;
  readonly apiVersion: string | null;
  readonly isActive: boolean;
}

export interface ClientRow {
  key: number;
  clientId: string;
  user: number;
  scopes: string[];
  audiences: string[];
  isActive: boolean;
  /** Base64url. */
  secretHash: string | null;
  previousSecretHash: string | null;
  previousSecretUntilMs: number | null;
}

export interface SigningKeyRow {
  kid: string;
  /** Encrypted. */
  privateJwk: string;
  signsFromMs: number;
  verifiesUntilMs: number | null;
}

export function selectRevision(): Statement {
  return {
    text: `select ${revisionWithEpoch('value')} as revision, ${milliseconds('now()')} as "nowMs"
           from flaghoist_system.revision where name = 'access'`,
    values: [],
  };
}

/** One statement has one snapshot, so the data matches the revision that is loaded with it. */
export function selectAccess(): Statement {
  return {
    text: `select ${revisionWithEpoch('r.value')} as revision, ${milliseconds('now()')} as "nowMs",
       ${listOf(`select key, user_code as "userCode", name, edition, api_version as "apiVersion", active as "isActive"
                 from flaghoist_service.api_user`)} as users,
       ${listOf(`select key, client_id as "clientId", "user", scopes, audiences, active as "isActive",
                   secret_hash as "secretHash", previous_secret_hash as "previousSecretHash",
                   ${milliseconds(`previous_secret_expires_date at time zone 'utc'`)} as "previousSecretUntilMs"
                 from flaghoist_service.api_client`)} as clients,
       ${listOf(`select kid, private_jwk as "privateJwk", ${milliseconds('signs_from')} as "signsFromMs",
                   ${milliseconds('verifies_until')} as "verifiesUntilMs"
                 from flaghoist_system.signing_key order by signs_from`)} as keys
     from flaghoist_system.revision r where r.name = 'access'`,
    values: [],
  };
}

function listOf(select: string): string {
  return `(select coalesce(json_agg(listed), '[]') from (${select}) listed)`;
}

function milliseconds(time: string): string {
  return `(extract(epoch from ${time}) * 1000)::double precision`;
}
