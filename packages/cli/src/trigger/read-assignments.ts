// Reads `--set attribute=value` by the types that the API description gives the attributes. The result is JSON text, so
// that no number loses digits.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import { usageError } from '../command/command-error.ts';
import { type Description, propertiesOf, resolve, type Schema } from '../render-catalogue/description.ts';
import type { Resource } from '../render-catalogue/resources.ts';

/** Attribute → JSON text. `schema`: of the body. */
export function readAssignments(
  description: Description,
  resource: Resource,
  schema: Schema,
  assignments: readonly string[],
): Map<string, string> {
  const properties = propertiesOf(description, schema);
  const writable = Object.keys(properties).filter((name) => !properties[name]!.readOnly);
  const values = new Map<string, string>();
  for (const assignment of assignments) {
    const [path, text] = splitAssignment(assignment);
    if (path.includes('.') || path.includes('[')) throw deepPath(resource, path);
    if (!writable.includes(path)) throw notWritable(resource, path, writable, properties);
    values.set(path, renderValue(description, path, properties[path]!, text));
  }
  return values;
}

function splitAssignment(assignment: string): [path: string, text: string] {
  const at = assignment.indexOf('=');
  if (at <= 0) throw usageError(`--set: ${quoteText(assignment)} is not an assignment; write attribute=value.`);
  return [assignment.slice(0, at).trim(), assignment.slice(at + 1)];
}

function notWritable(
  { name }: Resource,
  attribute: string,
  writable: readonly string[],
  properties: Record<string, Schema>,
): Error {
  if (attribute in properties) return usageError(`--set: ${attribute} of ${name} is set by the service.`);
  return usageError(
    `--set: ${name} has no attribute ${quoteText(attribute)}.${didYouMean(attribute, writable)} ` +
      `It has: ${writable.join(', ')}.`,
  );
}

/** A change goes to one object, so that it is clear what has changed. */
function deepPath({ name, attributes }: Resource, path: string): Error {
  const first = path.split(/[.[]/, 1)[0]!;
  const attribute = attributes.find((one) => one.name === first);
  if (attribute?.to === undefined) {
    const names = attributes.map((one) => one.name);
    return usageError(
      `--set: ${name} has no attribute ${quoteText(path)}.${attribute ? '' : didYouMean(first, names)}`,
    );
  }
  return usageError(
    `--set: ${path} is an attribute of another object. Change that one: trigger ${attribute.to}.U --key <key>`,
  );
}

function renderValue(description: Description, name: string, schema: Schema, text: string): string {
  const types = typesOf(description, schema);
  const expected = (what: string) => usageError(`--set: ${name}: ${quoteText(text)} is not ${what}.`);
  if (text === 'null') return text;
  if (types.has('array') || (types.has('object') && !types.has('integer') && !types.has('string'))) {
    if (isJson(text)) return text;
    throw expected('JSON');
  }
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
  if ((types.has('integer') || types.has('number')) && isNumber) return text;
  if (types.has('boolean') && /^(true|false)$/.test(text)) return text;
  if (types.has('string')) return isJson(text) && text.startsWith('"') ? text : JSON.stringify(text);
  throw expected(types.has('boolean') ? 'true or false' : 'a number');
}

/** All types that the schema allows. */
function typesOf(description: Description, schema: Schema): Set<string> {
  const { type, anyOf, oneOf, allOf, enum: values } = resolve(description, schema);
  const own = [type ?? (values ? 'string' : [])].flat();
  const inner = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])];
  return new Set([...own, ...inner.flatMap((one) => [...typesOf(description, one)])]);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
