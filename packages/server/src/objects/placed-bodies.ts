// Splits the body of a create into its objects with their paths: one object, or an array of them.

import { ApiError } from '../errors.ts';
import type { JsonValue } from '../json/parse-json.ts';

export interface PlacedBody {
  body: JsonValue;
  /** '' for the body itself, `[1]` for an element of an array. */
  path: string;
}

export function placeBodies(body: JsonValue, arrayObjectsMax: number): PlacedBody[] {
  if (!Array.isArray(body)) return [{ body, path: '' }];
  if (body.length > arrayObjectsMax) {
    throw new ApiError(
      'invalidBody',
      `An array may have at most ${arrayObjectsMax} objects; this has ${body.length}. Send it in parts.`,
    );
  }
  return body.map((each, index) => ({ body: each, path: `[${index}]` }));
}
