// The constraints of a type's table: references, unique values, and the allowed values of codes and lists. Each
// constraint has a signature, by which the database is compared with the model.

import type { ObjectType, ReferenceAttribute, ScalarAttribute } from '../../model/object-type.ts';
import { type ConstraintKind, constraintName } from './constraint-names.ts';
import { quoteLiteral, quoteName, tableOf } from './identifiers.ts';

export interface Constraint {
  signature: string;
  /** The SQL after `add constraint <name>`. */
  definition: string;
}

/** By name. */
export function constraintsOf(type: ObjectType): Map<string, Constraint> {
  const constraints = new Map<string, Constraint>();
  const add = (column: string, kind: ConstraintKind, constraint: Constraint) =>
    constraints.set(constraintName(type, column, kind), constraint);
  for (const reference of type.references)
    if (!reference.isUnchecked) add(reference.column, 'fkey', foreignKey(reference));
  for (const attribute of [...type.scalars, ...type.hidden]) {
    if (attribute.values.length > 0) add(attribute.column, 'values', valuesCheck(attribute));
    if (attribute.isUnique && attribute.name !== 'key') add(attribute.column, 'unique', unique(attribute));
  }
  return constraints;
}

export function addConstraint(type: ObjectType, name: string, { definition }: Constraint): string {
  return `alter table ${tableOf(type)} add constraint ${quoteName(name)} ${definition}`;
}

export function dropConstraint(type: ObjectType, name: string): string {
  return `alter table ${tableOf(type)} drop constraint ${quoteName(name)}`;
}

export function foreignKeySignature(targetTable: string, onDelete: 'c' | 'n' | 'a'): string {
  return `foreign key to ${targetTable} ${onDelete}`;
}

export const uniqueSignature = 'unique';

export function valuesSignature(values: readonly string[]): string {
  return `values ${[...values].sort().join(' ')}`;
}

/**
 * Sub-objects are deleted with their owner, or detached if they may exist without one. Every other reference is checked
 * at COMMIT, because a cascade may delete an object before the sub-object that refers to it. Example: a PortCall before
 * the CargoPort of the same voyage.
 */
function foreignKey({ column, target, isOwner, isRequired }: ReferenceAttribute): Constraint {
  const references = `foreign key (${quoteName(column)}) references ${tableOf(target)} ("key")`;
  if (!isOwner)
    return {
      signature: foreignKeySignature(target.table, 'a'),
      definition: `${references} deferrable initially deferred`,
    };
  return {
    signature: foreignKeySignature(target.table, isRequired ? 'c' : 'n'),
    definition: `${references} on delete ${isRequired ? 'cascade' : 'set null'}`,
  };
}

function valuesCheck({ column, values, kind }: ScalarAttribute): Constraint {
  const list = values.map(quoteLiteral).join(', ');
  const condition = kind === 'textList' ? `<@ array[${list}]` : `in (${list})`;
  return { signature: valuesSignature(values), definition: `check (${quoteName(column)} ${condition})` };
}

function unique({ column }: ScalarAttribute): Constraint {
  return { signature: uniqueSignature, definition: `unique (${quoteName(column)})` };
}
