// Renders a parsed value as JSON, with every digit of its numbers.

import { normaliseDecimal } from './normalise-decimal.ts';
import { type JsonValue, NumberLiteral } from './parse-json.ts';

/** Undefined if a number has more digits than can be stored. */
export function renderJson(value: JsonValue): string | undefined {
  if (value instanceof NumberLiteral) return normaliseDecimal(value.text)?.text;
  if (Array.isArray(value)) return join(value.map(renderJson), '[', ']');
  if (value instanceof Map) return join([...value].map(renderMember), '{', '}');
  return JSON.stringify(value);
}

function renderMember([name, value]: [string, JsonValue]): string | undefined {
  const text = renderJson(value);
  return text === undefined ? undefined : `${JSON.stringify(name)}:${text}`;
}

function join(parts: (string | undefined)[], open: string, close: string): string | undefined {
  return parts.includes(undefined) ? undefined : `${open}${parts.join(',')}${close}`;
}
