// Creates or changes the tables of the model, and its triggers and functions.

import type { ClientBase } from 'pg';
import { OperatorError } from '../errors.ts';
import type { Model } from '../model/object-type.ts';
import { digestOfModel, selectAppliedModel } from './applied-model.ts';
import { isDatabaseAway, isRetryable } from './database-away.ts';
import { dropGeneratedTriggers, readExistingTables } from './tables/existing-tables.ts';
import { planModelChange } from './tables/plan-model-change.ts';
import { waitForBackups } from './wait-for-backups.ts';

export async function applyModel(client: ClientBase, model: Model): Promise<string[]> {
  const digest = digestOfModel(model);
  const { rows } = await client.query<{ digest: string }>(selectAppliedModel());
  if (rows[0]?.digest === digest) return [];
  await waitForBackups(client);
  const { statements, problems, steps } = planModelChange(model, await readExistingTables(client));
  if (problems.length > 0)
    throw new OperatorError(
      `The model does not fit the data that is stored:\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
    );
  await dropGeneratedTriggers(client);
  for (const statement of statements) await runStatement(client, statement);
  await client.query(
    'insert into flaghoist_system.applied_model (digest) values ($1) on conflict (only_row) do update set digest ' +
      '= excluded.digest, applied_at = now()',
    [digest],
  );
  return [...steps, 'triggers created again'];
}

async function runStatement(client: ClientBase, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    if (isDatabaseAway(error) || isRetryable(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The model does not fit the data that is stored: ${reason}. It happened at: ${statement}`, {
      cause: error,
    });
  }
}
