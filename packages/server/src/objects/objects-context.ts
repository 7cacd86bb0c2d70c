// The dependencies of every operation on objects.

import type { Database } from '../database/database.ts';
import type { ConstraintPlace } from '../database/tables/constraint-names.ts';
import type { Model } from '../model/object-type.ts';
import type { Links } from '../query/view-columns.ts';
import type { DaysOfTypes } from './days-of-types.ts';
import type { TypeRules } from './type-rules.ts';

export interface ObjectsContext {
  database: Database;
  days: DaysOfTypes;
  model: Model;
  links: Links;
  /** How many objects an array in a body may contain. */
  arrayObjectsMax: number;
  /** Constraint name → the attribute that the constraint protects. */
  places: Map<string, ConstraintPlace>;
  /** Rules beyond the model, by type name. */
  rules: ReadonlyMap<string, TypeRules>;
  /** The keys of new objects that will not remain. By default, they are taken from the sequence. */
  placeholderKeys?: (count: number) => number[];
}
