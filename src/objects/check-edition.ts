// Attributes that only some editions of the API have: whoever has another cannot set them.

import { ApiError } from '../errors.ts';
import { includesEdition } from '../model/editions.ts';
import type { Caller } from './caller.ts';
import { type ObjectChange, withElements } from './object-change.ts';

export function checkEdition(change: ObjectChange, { edition }: Caller): void {
  for (const { type, columns, references } of withElements(change)) {
    for (const attribute of [...type.scalars, ...type.references]) {
      if (attribute.edition === undefined || includesEdition(edition, attribute.edition)) continue;
      // Clearing it is no use of it.
      const isSet = (columns.get(attribute.column) ?? null) !== null;
      if (!isSet && !references.some((reference) => reference.attribute === attribute)) continue;
      throw new ApiError(
        'editionRequired',
        `${attribute.name} is for users of the edition ${attribute.edition}; this user has ${edition}.`,
      );
    }
  }
}
