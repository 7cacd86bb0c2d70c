// Which model the tables were last made from. A process that runs with another one does not know every type and attribute that there may
// be by now: it claims no event and no draft, and is not ready.

import { createHash } from 'node:crypto';
import type { Model } from '../model/object-type.ts';
import type { Statement } from './database.ts';
import { planModelChange } from './tables/plan-model-change.ts';

/** Of everything that the model makes of an empty database. */
export function digestOfModel(model: Model): string {
  return createHash('sha256')
    .update(JSON.stringify(planModelChange(model, new Map()).statements))
    .digest('hex');
}

/** Part of every claim that depends on the model. `digest`: a parameter. */
export const isModelApplied = (digest: string) =>
  `exists (select from flaghoist_system.applied_model m where m.digest = ${digest})`;

export function selectAppliedModel(): Statement {
  return { text: 'select digest from flaghoist_system.applied_model', values: [] };
}
