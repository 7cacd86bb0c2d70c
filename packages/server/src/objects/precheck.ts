// Runs the prechecks of a type's rules before a transaction is opened. Returns a context whose rules know the results.

import type { Violation } from '../errors.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { ObjectsContext } from './objects-context.ts';
import { placeBodies } from './placed-bodies.ts';
import type { PrecheckRequest } from './type-rules.ts';

export interface Prechecked {
  /** The context for this request only. */
  context: ObjectsContext;
  violations: Violation[];
}

export async function precheck(
  context: ObjectsContext,
  { type, body, caller, key }: Omit<PrecheckRequest, 'bodies'> & { type: ObjectType; body: JsonValue },
): Promise<Prechecked> {
  const bodies = placeBodies({ body, key }, context.arrayObjectsMax);
  const result = await context.rules.get(type.name)?.precheck?.({ bodies, caller, key });
  if (!result) return { context, violations: [] };
  const { rules, violations } = result;
  return { context: { ...context, rules: new Map([...context.rules, [type.name, rules]]) }, violations };
}
