// Converts the values of a statement to what PostgreSQL receives: text, or bytes in its binary format.

export type Parameter = string | Buffer | null;

/** Lists are sent as arrays, other objects as JSON. Bytes are sent unchanged. */
export function parameterOf(value: unknown): Parameter {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function elementOf(value: unknown): string {
  const text = parameterOf(value);
  return text === null ? 'NULL' : `"${String(text).replace(/["\\]/g, '\\$&')}"`;
}
