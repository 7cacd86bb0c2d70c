// Decides which attributes a new object must state: required ones that neither the service nor a default fills in.

import type { Attribute } from './object-type.ts';

export function mustBeSent(attribute: Attribute): boolean {
  const hasDefault = 'default' in attribute && attribute.default !== undefined;
  return attribute.isRequired && !attribute.isReadOnly && !attribute.isFilledIn && !hasDefault;
}
