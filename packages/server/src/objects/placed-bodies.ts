// Splits a request body into objects with their paths: the body of a change, or of one or more new objects.

import { ApiError } from '../errors.ts';
import type { JsonValue } from '../json/parse-json.ts';

export interface PlacedBody {
  body: JsonValue;
  path: string;
}

/** An array is accepted only for new objects. In a change, an array is checked, and rejected, like any wrong body. */
export function placeBodies(
  { body, key }: { body: JsonValue; key?: number | undefined },
  arrayObjectsMax: number,
): PlacedBody[] {
  if (key !== undefined || !Array.isArray(body)) return [{ body, path: '' }];
  if (body.length > arrayObjectsMax) {
    throw new ApiError(
      'invalidBody',
      `An array may have at most ${arrayObjectsMax} objects; this has ${body.length}. Send it in parts.`,
    );
  }
  return body.map((each, index) => ({ body: each, path: `[${index}]` }));
}
