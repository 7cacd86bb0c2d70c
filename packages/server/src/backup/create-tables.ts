// Creates the tables of a backup as they were, without triggers and references, and checks that the backup has what
// belongs into them.

import type { ClientBase } from 'pg';
import { readExistingTables } from '../database/tables/existing-tables.ts';
import { createTable } from '../database/tables/object-table-ddl.ts';
import { planModelChange } from '../database/tables/plan-model-change.ts';
import { OperatorError } from '../errors.ts';
import { buildModel } from '../model/build-model.ts';
import type { Model } from '../model/object-type.ts';
import type { BackupHeader } from './backup-header.ts';
import { nameOf, readTables, type StoredTable } from './catalogue-table.ts';
import { whatToDo } from './foreign-tables.ts';
import { createDay } from './restore-table.ts';

export async function createTables(client: ClientBase, { model, tables }: BackupHeader): Promise<void> {
  for (const type of buildModel(model.declarations).types.values())
    for (const statement of createTable(type)) await client.query(statement);
  requireSame(await readTables(client), tables);
  for (const table of tables) for (const day of table.days) await createDay(client, table, day);
}

function requireSame(created: readonly StoredTable[], stored: readonly StoredTable[]): void {
  const columnsOf = (tables: readonly StoredTable[]) =>
    new Set(tables.flatMap((table) => table.columns.map((column) => `${nameOf(table)}.${column}`)));
  const [here, there] = [columnsOf(created), columnsOf(stored)];
  const [missing, foreign] = [
    [...here].filter((each) => !there.has(each)),
    [...there].filter((each) => !here.has(each)),
  ].map((names) => names.join(', '));
  if (foreign)
    throw new OperatorError(
      `This version does not create ${foreign}, which the backup has. If they were added to the original by hand: ` +
        `${whatToDo} Otherwise restore it with the version that made it. Nothing was restored.`,
    );
  if (missing)
    throw new OperatorError(
      `This version creates ${missing}, which the backup does not have. Restore it with the version that made it. ` +
        'Nothing was restored.',
    );
}

/** The rows are loaded after this, so a model that does not fit is found at once. */
export async function requireFit(client: ClientBase, model: Model, header: BackupHeader): Promise<void> {
  const { problems } = planModelChange(model, await readExistingTables(client));
  if (problems.length === 0) return;
  const hint =
    header.model.file === null
      ? 'The original had no model file (FLAGHOIST_MODEL_FILE).'
      : 'Set FLAGHOIST_MODEL_FILE to the model file of the original. The first line of the backup has its text: ' +
        'gzip -dc <file> | head -n 1 | jq -r .model.file';
  throw new OperatorError(
    `The model does not fit the backup:\n${problems.map((problem) => `- ${problem}`).join('\n')}\n${hint}`,
  );
}
