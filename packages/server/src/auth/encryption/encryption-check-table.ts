// All SQL of the single row that identifies the encryption key of the database.

import type { Statement } from '../../database/database.ts';

/** The first process to insert a row determines the key. */
export function insertProof(proof: string): Statement {
  return {
    text: 'insert into flaghoist_system.encryption_check (proof) values ($1) on conflict (only_row) do nothing',
    values: [proof],
  };
}

export function selectProof(): Statement {
  return { text: 'select proof from flaghoist_system.encryption_check' };
}
