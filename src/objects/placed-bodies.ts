// The objects that a request tells of, each with its place in the body: what was sent of one that is there, or one or some new ones.

import { ApiError } from '../errors.ts';
import type { JsonValue } from '../json/parse-json.ts';

export interface PlacedBody {
  body: JsonValue;
  path: string;
}

/** Of new objects alone an array is understood: for one that is there it is a body like any other wrong one. */
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
