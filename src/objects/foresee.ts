// Before a transaction is opened: what the rules of a type ask elsewhere, and the context in which they know what they have found.

import type { Violation } from '../errors.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { ObjectsContext } from './objects-context.ts';
import { placeBodies } from './placed-bodies.ts';
import type { ForeseenRequest } from './type-rules.ts';

export interface Foreseen {
  /** For this very request. */
  context: ObjectsContext;
  violations: Violation[];
}

export async function foresee(
  context: ObjectsContext,
  { type, body, caller, key }: Omit<ForeseenRequest, 'bodies'> & { type: ObjectType; body: JsonValue },
): Promise<Foreseen> {
  const bodies = placeBodies({ body, key }, context.arrayObjectsMax);
  const foresight = await context.rules.get(type.name)?.foresee?.({ bodies, caller, key });
  if (!foresight) return { context, violations: [] };
  const { rules, violations } = foresight;
  return { context: { ...context, rules: new Map([...context.rules, [type.name, rules]]) }, violations };
}
