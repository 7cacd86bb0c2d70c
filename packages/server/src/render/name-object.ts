// Names objects for people: by what a reference shows of them, such as "NLRTM, 2026-12-31 15:42, L" for a port call.

import { printable } from '@flaghoist/source-text';
import type { ObjectType, ReferenceAttribute, ScalarAttribute } from '../model/object-type.ts';

/** The values of an object, however it was loaded. */
export interface NamedObject {
  scalar(attribute: ScalarAttribute): unknown;
  reference(attribute: ReferenceAttribute): NamedObject | undefined;
}

const nameMax = 100;

/** Null for an object that nothing but its key identifies. */
export function nameObject({ shownBy }: ObjectType, object: NamedObject): string | null {
  const parts = shownBy.map((attribute) =>
    attribute.kind === 'reference'
      ? codeOf(attribute.target, object.reference(attribute))
      : textOf(attribute as ScalarAttribute, object),
  );
  const name = printable(parts.filter((part) => part !== null).join(', '));
  if (name === '') return null;
  return name.length <= nameMax ? name : `${name.slice(0, nameMax - 1)}…`;
}

/** The code of an object, or what else a reference shows of it first. */
export function codeOf({ code, shownBy }: ObjectType, object: NamedObject | undefined): string | null {
  const attribute = code ?? shownBy.find(({ kind }) => kind !== 'reference');
  return object && attribute ? textOf(attribute as ScalarAttribute, object) : null;
}

function textOf(attribute: ScalarAttribute, object: NamedObject): string | null {
  const value = object.scalar(attribute) ?? '';
  if (value === '') return null;
  const text = String(value);
  return attribute.kind === 'dateTime' ? text.replace('T', ' ').slice(0, 'yyyy-mm-dd hh:mm'.length) : text;
}
