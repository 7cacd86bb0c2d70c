// Which attributes a new object has to name: those that may not be empty and that nobody else has a value for.

import type { Attribute } from './object-type.ts';

export function mustBeSent(attribute: Attribute): boolean {
  const hasDefault = 'default' in attribute && attribute.default !== undefined;
  return attribute.isRequired && !attribute.isReadOnly && !attribute.isFilledIn && !hasDefault;
}
