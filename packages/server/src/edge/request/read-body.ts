// Parses the bytes of a request body as JSON. Accepts only uncompressed JSON in UTF-8.

import { decodeUtf8 } from '@flaghoist/source-text';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { JsonSyntaxError, type JsonValue, parseJson } from '../../json/parse-json.ts';
import { mediaTypeOf } from './media-type.ts';

export interface Body {
  text: string;
  value: JsonValue;
}

export function readBody(request: FastifyRequest, depthMax: number): Body {
  mediaTypeOf(request, ['application/json']);
  const bytes = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new ApiError('malformedJson', 'The body is not UTF-8.');
  try {
    return { text, value: parseJson(text, { depthMax }) };
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new ApiError('malformedJson', `The body is not valid JSON. ${error.message}`);
    throw error;
  }
}
