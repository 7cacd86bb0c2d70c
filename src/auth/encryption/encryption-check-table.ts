// All SQL of the one row that tells which encryption key the database belongs to.

import type { Statement } from '../../database/database.ts';

/** The first process decides. */
export function insertProof(proof: string): Statement {
  return {
    text: 'insert into flaghoist_system.encryption_check (proof) values ($1) on conflict (only_row) do nothing',
    values: [proof],
  };
}

export function selectProof(): Statement {
  return { text: 'select proof from flaghoist_system.encryption_check' };
}
