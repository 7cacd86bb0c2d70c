// What every operation on objects needs, and who asks for it.

import type { Database } from '../database/database.ts';
import type { ConstraintPlace } from '../database/tables/constraint-names.ts';
import type { Model } from '../model/object-type.ts';
import type { Links } from '../query/view-columns.ts';

export interface ObjectsContext {
  database: Database;
  model: Model;
  links: Links;
  /** How many objects an array in a body may have. */
  arrayObjectsMax: number;
  /** Constraint name → the attribute it guards. */
  places: Map<string, ConstraintPlace>;
}

export interface Caller {
  /** Key of the acting user; nobody is known before tokens are asked for. */
  userKey: number | undefined;
  /** Whose idempotency keys are meant. */
  client: string;
}
