// The digest of the model that the tables were last built from. A process with another model may not know every type
// and attribute. Such a process claims no events and no unshaped matches, and reports that it is not ready.

import { createHash } from 'node:crypto';
import type { Attribute, Model } from '../model/object-type.ts';
import type { Statement } from './database.ts';
import { planModelChange } from './tables/plan-model-change.ts';

/** Covers all statements that create the model in an empty database, and all names that callers and conditions use. */
export function digestOfModel(model: Model): string {
  const { statements } = planModelChange(model, new Map());
  const types = [...model.types.values()].map(({ name, attributes }) => [
    name,
    [...attributes.values()].map(namedParts),
  ]);
  return createHash('sha256')
    .update(JSON.stringify([statements, types]))
    .digest('hex');
}

function namedParts(attribute: Attribute): unknown[] {
  const { name, kind, isOnDemand, since } = attribute;
  const other = attribute.kind === 'collection' ? attribute.of : 'target' in attribute ? attribute.target : undefined;
  return [name, kind, other?.name, isOnDemand, since];
}

/** SQL condition for every claim that depends on the model. `digest`: a parameter of the statement. */
export const isModelApplied = (digest: string) =>
  `exists (select from flaghoist_system.applied_model m where m.digest = ${digest})`;

export function selectAppliedModel(): Statement {
  return { text: 'select digest from flaghoist_system.applied_model', values: [] };
}
