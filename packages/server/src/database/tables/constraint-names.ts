// Names of constraints, indexes and triggers. They are derived from the model, so that an error from PostgreSQL can be
// traced to its attribute. They are never longer than the 63 bytes that PostgreSQL keeps.

import { createHash } from 'node:crypto';
import type { Model, ObjectType } from '../../model/object-type.ts';

export type ConstraintKind = 'fkey' | 'unique' | 'values' | 'min';

export function constraintName(type: ObjectType, column: string, kind: ConstraintKind): string {
  return shorten(`${type.table}__${column}__${kind}`);
}

export function shorten(name: string): string {
  if (name.length <= 63) return name;
  return `${name.slice(0, 54)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

export interface ConstraintPlace {
  type: ObjectType;
  attribute: string;
  kind: ConstraintKind;
}

/** Every constraint of the model, by name. */
export function constraintPlaces(model: Model): Map<string, ConstraintPlace> {
  const places = new Map<string, ConstraintPlace>();
  for (const type of model.types.values()) {
    const add = (column: string, kind: ConstraintKind, attribute: string) =>
      places.set(constraintName(type, column, kind), { type, attribute, kind });
    for (const { column, name } of type.references) add(column, 'fkey', name);
    for (const { column, name, isObjectKey } of type.scalars) {
      add(column, 'unique', name);
      add(column, 'values', name);
      if (isObjectKey) add(column, 'fkey', name);
    }
    for (const { name } of type.collections) add(name, 'min', name);
  }
  return places;
}
