// Which tables the views of a batch lead to, and which columns of each are loaded: all of them, so that the statement is
// the same for every batch, but no files, which no notification carries. Batches ask for the same tables again and again.

import type { ObjectType, ReferenceAttribute, ScalarAttribute } from '../model/object-type.ts';
import { Recent } from '../recent.ts';
import { entryOf } from './entry-of.ts';
import type { LoadPlan } from './load-plan.ts';

export type StoredAttribute = ScalarAttribute | ReferenceAttribute;

export interface WantedTable {
  readonly type: ObjectType;
  /** Column → attribute. The column alone where nobody who asks sees the attribute. */
  readonly columns: Map<string, StoredAttribute | undefined>;
}

/** By name: views of callers who see different things have types of their own, but the tables are the same. */
export type WantedTables = ReadonlyMap<string, WantedTable>;

export function tablesFor(plans: ReadonlySet<LoadPlan>): WantedTables {
  const numbered = [...plans].map((plan) => ({ plan, number: entryOf(numberOfPlan, plan, () => ++plansNumbered) }));
  numbered.sort((a, b) => a.number - b.number);
  const name = numbered.map(({ number }) => number).join();
  return entryOf(tablesOfPlans, name, () => collectTables(numbered.map(({ plan }) => plan)));
}

const numberOfPlan = new WeakMap<LoadPlan, number>();
let plansNumbered = 0;
/** By the numbers of the plans. */
const tablesOfPlans = new Recent<string, WantedTables>(100);

function collectTables(plans: Iterable<LoadPlan>): WantedTables {
  const tables = new Map<string, WantedTable>();
  const seen: Seen = { types: new Set(), plans: new Set() };
  for (const plan of plans) addPlan(tables, seen, plan);
  return tables;
}

interface Seen {
  types: Set<ObjectType>;
  plans: Set<LoadPlan>;
}

function addPlan(tables: Map<string, WantedTable>, seen: Seen, plan: LoadPlan): void {
  if (seen.plans.has(plan)) return;
  seen.plans.add(plan);
  addType(tables, seen, plan.type);
  for (const { plan: inside } of plan.references) addPlan(tables, seen, inside);
  for (const { collection, plan: inside } of plan.collections) {
    addPlan(tables, seen, inside);
    addColumn(tables.get(inside.type.table)!, collection.ownerColumn);
  }
}

function addType(tables: Map<string, WantedTable>, seen: Seen, type: ObjectType): void {
  if (seen.types.has(type)) return;
  seen.types.add(type);
  const { columns } = entryOf(tables, type.table, () => ({ type, columns: new Map() }));
  for (const attribute of [...type.scalars, ...type.references])
    if (attribute.kind !== 'binary') columns.set(attribute.column, attribute);
}

function addColumn({ columns }: WantedTable, column: string): void {
  if (!columns.has(column)) columns.set(column, undefined);
}
