// Normalises a body with the rules of its type and checks the result against the type.

import type { JsonValue } from '../json/parse-json.ts';
import { type CheckedBody, type CheckedPosition, checkBody } from './check-body.ts';
import type { ObjectsContext } from './objects-context.ts';
import type { LockedRow } from './type-rules.ts';

/** `present`: current values of the object to change, if the rules of its type need them. */
export function checkNormalised(
  { rules, arrayObjectsMax }: ObjectsContext,
  body: JsonValue,
  place: Omit<CheckedPosition, 'arrayObjectsMax'>,
  present?: LockedRow,
): CheckedBody {
  const { type, path } = place;
  const normalise = rules.get(type.name)?.normalise;
  // A body that is not an object is rejected by `checkBody`.
  const normalised = body instanceof Map ? normalise?.(body, { type, path, present }) : undefined;
  const checked = checkBody(normalised?.body ?? body, { ...place, arrayObjectsMax });
  checked.change.expected.push(...(normalised?.expected ?? []));
  return { change: checked.change, violations: [...(normalised?.violations ?? []), ...checked.violations] };
}
