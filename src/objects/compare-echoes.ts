// What a caller sends back without being able to set it must be what the object has: a changed `createdDate` is a
// mistake that would otherwise be dropped in silence. On a new object there is nothing to compare with; it is ignored.

import type { Violation } from '../errors.ts';
import { normaliseDecimal } from '../json/normalise-decimal.ts';
import { type JsonObject, type JsonValue, NumberLiteral } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import { didYouMean } from '../query/nearest-name.ts';
import { parseDateTime } from '../query/parse-date-time.ts';
import type { Echo } from './object-change.ts';
import { violationsShown } from './refuse-change.ts';

export function compareEchoes(
  sent: { type: ObjectType; key: number | undefined; echoes: Echo[] },
  present: Map<number, JsonObject>,
): Violation[] {
  if (sent.key === undefined) return [];
  const object = present.get(sent.key);
  if (!object) return [];
  const violations: Violation[] = [];
  for (const { path, name, value } of sent.echoes) {
    const message = compareEcho(sent.type, object, name, value);
    if (message !== undefined) violations.push({ path, message });
    // A hint for each of 80,000 unknown names would cost seconds.
    if (violations.length === violationsShown) break;
  }
  return violations;
}

function compareEcho(type: ObjectType, object: JsonObject, name: string, value: JsonValue): string | undefined {
  const attribute = type.attributes.get(name);
  if (!attribute) return `is not an attribute of ${type.name}.${didYouMean(name, type.attributes.keys())}`;
  if (attribute.kind === 'collection') return `is written at its own resource, ${attribute.of.name}.`;
  const has = object.get(name);
  if (has === undefined || isSame(value, has)) return undefined;
  return attribute.isReadOnly
    ? 'is set by the service and cannot be changed.'
    : `is not what ${type.name} ${(object.get('key') as NumberLiteral).text} has; change it there.`;
}

function isSame(sent: JsonValue, has: JsonValue): boolean {
  if (sent instanceof NumberLiteral && has instanceof NumberLiteral)
    return normaliseDecimal(sent.text)?.text === normaliseDecimal(has.text)?.text;
  if (sent instanceof Map && has instanceof Map)
    return [...sent].every(([name, value]) => !has.has(name) || isSame(value, has.get(name)!));
  if (typeof sent === 'string' && typeof has === 'string') return sent === has || (parseDateTime(sent) ?? sent) === has;
  return sent === has;
}
