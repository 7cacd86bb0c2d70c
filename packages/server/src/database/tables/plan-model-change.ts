// Compares the model with the existing tables and plans the statements that update the tables. A change that would lose
// data, or leave data unreachable, is rejected with a message that says what to do.

import type { Model, ObjectType } from '../../model/object-type.ts';
import { auditTriggers } from './audit-triggers.ts';
import { constraintName } from './constraint-names.ts';
import { addConstraint, constraintsOf, dropConstraint } from './constraints.ts';
import { currentRoots, eventTriggers } from './event-triggers.ts';
import type { ExistingDefault, ExistingTable, ExistingTables } from './existing-tables.ts';
import { guardTriggers } from './guard-triggers.ts';
import { quoteName, tableOf } from './identifiers.ts';
import { objectCodes } from './object-codes.ts';
import {
  addColumn,
  columnType,
  computedDefault,
  createTable,
  declaredDefault,
  declaredIndexes,
  defaultSql,
  isNotNull,
  type StoredAttribute,
  storedAttributes,
} from './object-table-ddl.ts';
import { revisionTrigger } from './revision-trigger.ts';
import { shownAttributes } from './shown-attributes.ts';

interface TableChange {
  statements: string[];
  /** Why the model cannot be applied to the stored data. */
  problems: string[];
}

export interface ModelChange extends TableChange {
  /** Shown to the operator: each new table, and every change to an existing table. */
  steps: string[];
}

export function planModelChange(model: Model, existing: ExistingTables): ModelChange {
  const types = [...model.types.values()];
  const changes = types.map((type) => planType(type, existing.get(type.table)));
  const constraints = types.map((type) => planConstraints(type, existing.get(type.table)));
  const leftOver = [...existing].filter(([table]) => !types.some((type) => type.table === table));
  return {
    statements: [
      ...changes.flatMap(({ statements }) => statements),
      // A foreign key needs its target table, so all tables come first.
      ...constraints.flat(),
      ...types.flatMap(declaredIndexes),
      ...types.flatMap((type) => guardTriggers(model, type)),
      ...types.filter(({ makesEvents }) => makesEvents).flatMap((type) => eventTriggers(model, type)),
      ...currentRoots(model),
      ...objectCodes(model),
      ...types.flatMap(auditTriggers),
      ...types.flatMap(revisionTrigger),
      ...shownAttributes(model),
    ],
    problems: [
      ...changes.flatMap(({ problems }) => problems),
      ...leftOver.map(([table, { schema }]) => explain.table(`${schema}.${quoteName(table)}`)),
    ],
    steps: types.flatMap((type, index) =>
      existing.has(type.table)
        ? [...changes[index]!.statements, ...constraints[index]!]
        : `create table ${tableOf(type)}`,
    ),
  };
}

function planType(type: ObjectType, table: ExistingTable | undefined): TableChange {
  if (!table) return { statements: createTable(type), problems: [] };
  const change: TableChange = { statements: [], problems: [] };
  for (const attribute of storedAttributes(type)) {
    if (table.columns.has(attribute.column)) planColumn(type, attribute, table, change);
    else if (attribute.isRequired && !table.isEmpty && declaredDefault(attribute) === undefined)
      change.problems.push(explain.required(type, attribute));
    else change.statements.push(...addColumn(type, attribute));
  }
  const known = new Set(storedAttributes(type).map(({ column }) => column));
  for (const column of table.columns.keys()) if (!known.has(column)) change.problems.push(explain.column(type, column));
  return change;
}

function planColumn(type: ObjectType, attribute: StoredAttribute, table: ExistingTable, change: TableChange): void {
  const column = table.columns.get(attribute.column)!;
  const alter = `alter table ${tableOf(type)} alter column ${quoteName(attribute.column)}`;
  const wanted = columnType(attribute);
  if (column.type !== wanted) {
    if (isWider(column.type, wanted)) change.statements.push(`${alter} type ${wanted}`);
    else change.problems.push(explain.type(type, attribute, column.type, wanted));
  }
  if (computedDefault(type, attribute) === undefined)
    change.statements.push(...planDefault(attribute, column.default, alter));
  else if (column.default.kind !== 'computed') change.problems.push(explain.assigned(type, attribute));
  if (column.isNotNull !== isNotNull(attribute))
    change.statements.push(`${alter} ${column.isNotNull ? 'drop' : 'set'} not null`);
}

function planDefault(attribute: StoredAttribute, present: ExistingDefault, alter: string): string[] {
  const wanted = declaredDefault(attribute);
  if (wanted === undefined) return present.kind === 'none' ? [] : [`${alter} drop default`];
  return present.kind === 'value' && present.value === wanted ? [] : [`${alter} set default ${defaultSql(attribute)}`];
}

function planConstraints(type: ObjectType, table: ExistingTable | undefined): string[] {
  const present = table?.constraints ?? new Map<string, string>();
  const wanted = constraintsOf(type);
  const ours = new Set([...(table?.columns.keys() ?? [])].flatMap((column) => possibleNames(type, column)));
  const obsolete = [...present].filter(
    ([name, signature]) => ours.has(name) && wanted.get(name)?.signature !== signature,
  );
  const missing = [...wanted].filter(([name, { signature }]) => present.get(name) !== signature);
  return [
    ...obsolete.map(([name]) => dropConstraint(type, name)),
    ...missing.map(([name, constraint]) => addConstraint(type, name, constraint)),
  ];
}

/** The names that the service gives. Constraints that an operator has added under other names are kept. */
function possibleNames(type: ObjectType, column: string): string[] {
  return (['fkey', 'unique', 'values'] as const).map((kind) => constraintName(type, column, kind));
}

function isWider(present: string, wanted: string): boolean {
  const length = (type: string) =>
    type === 'text' ? Number.POSITIVE_INFINITY : Number(/^character varying\((\d+)\)$/.exec(type)?.[1]);
  return length(wanted) > length(present);
}

/** Why a change is rejected, and what to do. */
const explain = {
  required: (type: ObjectType, { name }: StoredAttribute) =>
    `${type.name}.${name} is required, but ${type.name} already has objects without it. Add it as optional, fill it ` +
    'in, then make it required.',
  assigned: (type: ObjectType, { name }: StoredAttribute) =>
    `${type.name}.${name} is declared as isAssigned, but the column already exists with other numbers. Use a new name.`,
  type: (type: ObjectType, { name, column }: StoredAttribute, present: string, wanted: string) =>
    `${type.name}.${name} is stored as ${present}; the model now declares ${wanted}, which could lose data. Give the ` +
    `attribute a new name, or convert the column yourself: ALTER TABLE ${tableOf(type)} ALTER COLUMN ` +
    `${quoteName(column)} TYPE ${wanted}.`,
  column: (type: ObjectType, column: string) =>
    `The table ${tableOf(type)} has a column ${quoteName(column)} that the model no longer has. Put the attribute ` +
    `back, or remove its data yourself: ALTER TABLE ${tableOf(type)} DROP COLUMN ${quoteName(column)} CASCADE.`,
  table: (table: string) =>
    `There is a table ${table} for a type that the model no longer has. Put the type back, or remove its data ` +
    `yourself: DROP TABLE ${table} CASCADE.`,
};
