// A body as the rules of its type bring it into one form, checked against the type.

import type { JsonValue } from '../json/parse-json.ts';
import { type BodyPlace, type CheckedBody, checkBody } from './check-body.ts';
import type { ObjectsContext } from './objects-context.ts';
import type { HeldRow } from './type-rules.ts';

/** `present`: of the object that is changed, where its rules ask for it. */
export function checkNormalised(
  { rules, arrayObjectsMax }: ObjectsContext,
  body: JsonValue,
  place: Omit<BodyPlace, 'arrayObjectsMax'>,
  present?: HeldRow,
): CheckedBody {
  const { type, path } = place;
  const normalise = rules.get(type.name)?.normalise;
  // Whatever is no object is refused by the check.
  const normalised = body instanceof Map ? normalise?.(body, { type, path, present }) : undefined;
  const checked = checkBody(normalised?.body ?? body, { ...place, arrayObjectsMax });
  checked.change.expected.push(...(normalised?.expected ?? []));
  return { change: checked.change, violations: [...(normalised?.violations ?? []), ...checked.violations] };
}
