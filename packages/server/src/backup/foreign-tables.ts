// Tables and columns in our schemas that were added by hand. A restore creates only those of the migrations and of the
// model, so a backup with others could never be restored.

import { readMigrationText } from '../database/apply-files.ts';
import { schemaOf } from '../database/tables/identifiers.ts';
import { storedAttributes } from '../database/tables/object-table-ddl.ts';
import { OperatorError } from '../errors.ts';
import type { Model } from '../model/object-type.ts';
import { nameOf, type StoredTable } from './catalogue-table.ts';

export async function rejectForeign(tables: readonly StoredTable[], model: Model): Promise<void> {
  const created = new Map([...readCreated(await readMigrationText()), ...modelTables(model)]);
  const foreign = tables.flatMap((table) => {
    const columns = created.get(nameOf(table));
    if (!columns) return [`the table ${nameOf(table)}`];
    return table.columns
      .filter((column) => !columns.has(column))
      .map((column) => `the column ${column} of ${nameOf(table)}`);
  });
  if (foreign.length > 0)
    throw new OperatorError(
      `Flaghoist has not created ${foreign.join(', ')}, so a backup with them could not be restored. ${whatToDo}`,
    );
}

/** What to do with tables and columns that were added by hand. */
export const whatToDo =
  'Move such tables into a schema of your own (ALTER TABLE … SET SCHEMA …). ' +
  'Declare such columns in the model file, or move them to a table of your own. Then make a new backup.';

/** Table → all words in the statements that create and change it. Its columns are among them. */
function readCreated(sql: string): Map<string, Set<string>> {
  const created = new Map<string, Set<string>>();
  const statements = sql.replaceAll(/--.*/g, '').matchAll(statementPattern);
  for (const [statement, schema, table] of statements) {
    const name = nameOf({ schema: schema!, table: table! });
    created.set(name, new Set([...(created.get(name) ?? []), ...statement.match(/\w+/g)!]));
  }
  return created;
}

const statementPattern = /\b(?:create|alter) table (?:if (?:not )?exists )?(\w+)\.(\w+)[^;]*/gi;

function modelTables({ types }: Model): [string, Set<string>][] {
  return [...types.values()].map((type) => [
    nameOf({ schema: schemaOf(type), table: type.table }),
    new Set(storedAttributes(type).map(({ column }) => column)),
  ]);
}
