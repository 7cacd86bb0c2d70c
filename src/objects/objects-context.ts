// What every operation on objects needs.

import type { Database } from '../database/database.ts';
import type { ConstraintPlace } from '../database/tables/constraint-names.ts';
import type { Model } from '../model/object-type.ts';
import type { Links } from '../query/view-columns.ts';
import type { TypeRules } from './type-rules.ts';

export interface ObjectsContext {
  database: Database;
  model: Model;
  links: Links;
  /** How many objects an array in a body may have. */
  arrayObjectsMax: number;
  /** Constraint name → the attribute it guards. */
  places: Map<string, ConstraintPlace>;
  /** What holds for single types beyond the model, by the name of the type. */
  rules: ReadonlyMap<string, TypeRules>;
  /** Nothing is going to be written: no key is taken for new objects. */
  isRehearsal?: boolean;
}
