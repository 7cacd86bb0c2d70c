// Converts attributes that can be sent in another form than they are shown in: a field selection as a JSON object, and
// a script by its key. Text and null are left to the check against the model.

import { type JsonObject, type JsonValue, NumberLiteral } from '../json/parse-json.ts';
import { renderJson } from '../json/render-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import { checkKey, nameOf, type StoredValue } from '../objects/check-scalar.ts';
import type { Mistake } from '../objects/mistake.ts';

export interface Converted {
  /** The body without what was converted to columns, and with texts instead of other forms. */
  body: JsonObject;
  columns: [string, StoredValue][];
  mistakes: Mistake[];
}

/** `type`: as the caller sees it. An attribute that its version lacks is reported as such. */
export function convertForms(sent: JsonObject, type: ObjectType): Converted {
  const converted: Converted = { body: new Map(sent), columns: [], mistakes: [] };
  for (const [name, convert] of Object.entries(converters)) {
    const value = sent.get(name);
    if (value == null || typeof value === 'string' || !type.attributes.has(name)) continue;
    const form = convert(value);
    converted.body.delete(name);
    if (form.kind === 'text') converted.body.set(name, form.text);
    else if (form.kind === 'column') converted.columns.push([form.column, form.value]);
    else converted.mistakes.push({ name, message: form.message });
  }
  return converted;
}

type Form =
  | { kind: 'text'; text: string }
  | { kind: 'column'; column: string; value: StoredValue }
  | { kind: 'mistake'; message: string };

const converters: Record<string, (value: JsonValue) => Form> = {
  json: (value) => {
    if (!(value instanceof Map))
      return mistake(`must be a field selection, in Base64 or as a JSON object, not ${nameOf(value)}.`);
    const text = renderJson(value);
    if (text === undefined) return mistake('has a number of more than 400 digits.');
    return { kind: 'text', text: Buffer.from(text).toString('base64') };
  },
  dlpAlertScript: (value) => {
    const expected = 'must be the code or the key of an AlertScript, or {"key": …}';
    if (!(value instanceof Map || value instanceof NumberLiteral)) return mistake(`${expected}, not ${nameOf(value)}.`);
    if (value instanceof Map && (value.size !== 1 || !value.has('key')))
      return mistake(`${expected}: an object must have the member key, and no other.`);
    const key = checkKey(value instanceof Map ? value.get('key')! : value);
    if (!key.isGood) return mistake(`${expected}: the key ${key.mistake}`);
    return { kind: 'column', column: 'alert_script_key', value: key.value };
  },
};

function mistake(message: string): Form {
  return { kind: 'mistake', message };
}
