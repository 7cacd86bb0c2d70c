// Which tables the views of a batch lead to, and which columns to load from each. All columns except files are loaded,
// so that the statement is the same for every batch; no notification carries files. Results are cached, because batches
// need the same tables repeatedly.

import { entryOf } from '../entry-of.ts';
import type { ObjectType, ReferenceAttribute, ScalarAttribute } from '../model/object-type.ts';
import { Recent } from '../recent.ts';
import type { LoadPlan } from './load-plan.ts';

export type StoredAttribute = ScalarAttribute | ReferenceAttribute;

export interface WantedTable {
  readonly type: ObjectType;
  /** Column → attribute. Undefined for an owner column that is not an attribute in any of the requested types. */
  readonly columns: Map<string, StoredAttribute | undefined>;
}

/** By table name. Callers with different visibility have different types over the same tables. */
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
  const seen: KnownTables = { types: new Set(), plans: new Set() };
  for (const plan of plans) addPlan(tables, seen, plan);
  return tables;
}

interface KnownTables {
  types: Set<ObjectType>;
  plans: Set<LoadPlan>;
}

function addPlan(tables: Map<string, WantedTable>, seen: KnownTables, plan: LoadPlan): void {
  if (seen.plans.has(plan)) return;
  seen.plans.add(plan);
  addType(tables, seen, plan.type);
  for (const { plan: inside } of plan.references) addPlan(tables, seen, inside);
  for (const { collection, plan: inside } of plan.collections) {
    addPlan(tables, seen, inside);
    addColumn(tables.get(inside.type.table)!, collection.ownerColumn);
  }
}

function addType(tables: Map<string, WantedTable>, seen: KnownTables, type: ObjectType): void {
  if (seen.types.has(type)) return;
  seen.types.add(type);
  const { columns } = entryOf(tables, type.table, () => ({ type, columns: new Map() }));
  for (const attribute of [...type.scalars, ...type.references])
    if (attribute.kind !== 'binary') columns.set(attribute.column, attribute);
}

function addColumn({ columns }: WantedTable, column: string): void {
  if (!columns.has(column)) columns.set(column, undefined);
}
