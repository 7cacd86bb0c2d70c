// Which attributes of a changed object the `changes` of a notification list.

import { baseAttributeNames } from './build-model.ts';
import type { ObjectType, ReferenceAttribute, ScalarAttribute } from './object-type.ts';

export type ChangeAttribute = ScalarAttribute | ReferenceAttribute;

/**
 * In the order of the model. Files are left out, because events do not have them. Of the base attributes, only
 * `externalObjectKey` is listed: the service sets all others. `type`: as subscribers see it.
 */
export function changeAttributes(type: ObjectType): ChangeAttribute[] {
  return [...type.attributes.values()].filter(
    (attribute): attribute is ChangeAttribute =>
      'column' in attribute &&
      attribute.kind !== 'binary' &&
      (attribute.name === 'externalObjectKey' || !baseAttributeNames.includes(attribute.name)),
  );
}
