// The state of an object, for its ETag: one number over the object and all its sub-objects, at every level. It changes
// with every write to any of them, and does not depend on the order in which they are read. Remarks are not part of it.

import { quoteName, tableOf } from '../../database/tables/identifiers.ts';
import type { ObjectType } from '../../model/object-type.ts';
import { indent } from './statement-builder.ts';

/** A text of up to 16 hexadecimal digits. The row must come from the type's table itself, which alone has `xmin`. */
export function stateExpression(type: ObjectType, alias: string): string {
  return `to_hex(${rowState(type, alias, 1)})`;
}

/** `xmin` is the transaction that wrote the row. Together with the key, it identifies one version of one row. */
function rowState(type: ObjectType, alias: string, depth: number): string {
  const own = `hashint8extended(${alias}."key", ${alias}.xmin::text::bigint)`;
  const owned = type.collections.filter((collection) => collection.isOwned);
  const parts = owned.map((collection) => {
    const element = `s${depth}`;
    const lines = [
      `select bit_xor(${rowState(collection.of, element, depth + 1)})`,
      `from ${tableOf(collection.of)} ${element} where ${element}.${quoteName(collection.ownerColumn)} ` +
        `= ${alias}."key"`,
    ];
    return `coalesce((\n  ${indent(lines.join('\n'))}\n), 0)`;
  });
  return [own, ...parts].join(' # ');
}
