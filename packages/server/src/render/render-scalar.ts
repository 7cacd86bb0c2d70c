// Renders one column of a row as PostgreSQL's `row_to_json` does. Decimals have no trailing zeros and never an
// exponent; `json` is rendered as stored.

import type { StoredColumn, StoredRow } from '../events/stored-row.ts';
import type { ScalarAttribute } from '../model/object-type.ts';

/** `prefix`: the text before the value. */
export function scalarRenderer({ kind, column }: ScalarAttribute, prefix: string): (row: StoredRow) => string {
  const render = renderingOf(kind);
  const nothing = `${prefix}null`;
  return (row) => {
    const value = row[column];
    return value === null || value === undefined ? nothing : prefix + render(value);
  };
}

type Value = NonNullable<StoredColumn>;

function renderingOf(kind: ScalarAttribute['kind']): (value: Value) => string {
  switch (kind) {
    case 'decimal':
      return renderDecimal;
    case 'key':
    case 'integer':
    case 'boolean':
    case 'json':
      return String;
    case 'dateTime':
    case 'binary':
      return (value) => `"${value}"`;
    case 'text':
    case 'code':
    case 'textList':
      return (value) => JSON.stringify(value);
  }
}

function renderDecimal(value: Value): string {
  if (typeof value !== 'number') return renderDigits(String(value));
  const isPlain = Math.abs(value) >= 1e-6 || value === 0;
  return isPlain ? String(value) : value.toFixed(scale).replace(/0+$/, '');
}

/** The scale of `numeric(24,8)`. */
const scale = 8;

/** `NaN` is a string in JSON. Only direct SQL can store `NaN` here. */
function renderDigits(digits: string): string {
  return /^[-\d]/.test(digits) ? digits : JSON.stringify(digits);
}
