// Compares values that a caller sends back but cannot set with the stored object. A difference is a mistake: without
// this check, a changed `createdDate` would be dropped silently. For a new object such values are ignored, except the
// key, which `check-body.ts` rejects.

import { didYouMean, parseDateTime } from '@flaghoist/source-text';
import type { Violation } from '../errors.ts';
import { normaliseDecimal } from '../json/normalise-decimal.ts';
import { type JsonObject, type JsonValue, NumberLiteral } from '../json/parse-json.ts';
import type { Attribute, ObjectType } from '../model/object-type.ts';
import { cameLater } from '../query/attributes/newer-attribute.ts';
import type { StoredValue } from './check-scalar.ts';
import type { Mistake } from './mistake.ts';
import type { SentBack } from './object-change.ts';
import { violationsShown } from './object-errors.ts';

/** The message for a fixed attribute. */
export const cannotBeChanged = 'is set when the object is created and cannot be changed.';

export function compareSentBack(
  sent: { type: ObjectType; key: number | undefined; sentBack: SentBack[] },
  current: Map<number, JsonObject>,
): Violation[] {
  if (sent.key === undefined) return [];
  const object = current.get(sent.key);
  if (!object) return [];
  const violations: Violation[] = [];
  for (const { path, name, value } of sent.sentBack) {
    const message = compareValue(sent.type, object, name, value);
    if (message !== undefined) violations.push({ path, message });
    // Computing a hint for each of 80,000 unknown names would take seconds.
    if (violations.length === violationsShown) break;
  }
  return violations;
}

/** The same for a column that the model lets a caller set: the rules of its type do not let it change. */
export function compareFixedColumn(
  { name, column }: { name: string; column: string },
  sent: ReadonlyMap<string, StoredValue>,
  current: ReadonlyMap<string, StoredValue>,
): Mistake[] {
  const isChanged = sent.has(column) && sent.get(column) !== current.get(column);
  return isChanged ? [{ name, message: cannotBeChanged }] : [];
}

function compareValue(type: ObjectType, object: JsonObject, name: string, value: JsonValue): string | undefined {
  const attribute = type.attributes.get(name);
  if (!attribute)
    return cameLater(type, name) ?? `is not an attribute of ${type.name}.${didYouMean(name, type.attributes.keys())}`;
  if (attribute.kind === 'collection') return `is written at its own resource, ${attribute.of.name}.`;
  const has = object.get(name);
  if (has === undefined || isSame(attribute, value, has)) return undefined;
  if (attribute.isReadOnly) return 'is set by the service and cannot be changed.';
  if (attribute.isFixed) return cannotBeChanged;
  return `is not what ${type.name} ${(object.get('key') as NumberLiteral).text} has; change it there.`;
}

function isSame({ kind }: Attribute, sent: JsonValue, has: JsonValue): boolean {
  switch (kind) {
    case 'dateTime':
      return sent === has || (typeof sent === 'string' && parseDateTime(sent) === has);
    case 'textList':
      return isSameSet(sent, has);
    case 'reference':
      return isSameReference(sent, has);
    default:
      return isSameJson(sent, has);
  }
}

function isSameSet(sent: JsonValue, has: JsonValue): boolean {
  if (!Array.isArray(sent) || !Array.isArray(has)) return sent === has;
  const texts = new Set(has);
  return sent.length === has.length && new Set(sent).size === texts.size && sent.every((text) => texts.has(text));
}

/** Members that the object does not show for its reference are ignored. */
function isSameReference(sent: JsonValue, has: JsonValue): boolean {
  if (!(sent instanceof Map) || !(has instanceof Map)) return sent === has;
  return [...sent].every(([name, value]) => !has.has(name) || isSameJson(value, has.get(name)!));
}

function isSameJson(sent: JsonValue, has: JsonValue): boolean {
  if (sent instanceof NumberLiteral && has instanceof NumberLiteral)
    return normaliseDecimal(sent.text)?.text === normaliseDecimal(has.text)?.text;
  if (Array.isArray(sent) && Array.isArray(has))
    return sent.length === has.length && sent.every((element, index) => isSameJson(element, has[index]!));
  if (sent instanceof Map && has instanceof Map)
    return (
      sent.size === has.size && [...sent].every(([name, value]) => has.has(name) && isSameJson(value, has.get(name)!))
    );
  return sent === has;
}
