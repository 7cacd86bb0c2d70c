// Which model the tables were last made from. A process that runs with another one does not know every type and attribute that there may
// be by now: it claims no event and no draft, and is not ready.

import { createHash } from 'node:crypto';
import type { Attribute, Model } from '../model/object-type.ts';
import type { Statement } from './database.ts';
import { planModelChange } from './tables/plan-model-change.ts';

/** Of everything that the model makes of an empty database, and of what callers and conditions can name. */
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

/** Part of every claim that depends on the model. `digest`: a parameter. */
export const isModelApplied = (digest: string) =>
  `exists (select from flaghoist_system.applied_model m where m.digest = ${digest})`;

export function selectAppliedModel(): Statement {
  return { text: 'select digest from flaghoist_system.applied_model', values: [] };
}
