// The dependencies of every operation on objects.

import type { Database } from '../database/database.ts';
import type { ConstraintPlace } from '../database/tables/constraint-names.ts';
import type { Model } from '../model/object-type.ts';
import type { Links } from '../query/view-columns.ts';
import type { TypeRules } from './type-rules.ts';

export interface ObjectsContext {
  database: Database;
  model: Model;
  links: Links;
  /** How many objects an array in a body may contain. */
  arrayObjectsMax: number;
  /** Constraint name → the attribute that the constraint protects. */
  places: Map<string, ConstraintPlace>;
  /** Rules beyond the model, by type name. */
  rules: ReadonlyMap<string, TypeRules>;
  /** Nothing will be written, so new objects take no keys from the sequence. */
  isRehearsal?: boolean;
}
