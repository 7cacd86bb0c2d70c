// From the bytes of a request to a JSON value: UTF-8 only, JSON only, not compressed.

import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { decodeUtf8 } from '../json/decode-utf8.ts';
import { JsonSyntaxError, type JsonValue, parseJson } from '../json/parse-json.ts';
import { quoteText } from '../json/printable.ts';

export interface Body {
  text: string;
  value: JsonValue;
}

export function readBody(request: FastifyRequest, depthMax: number): Body {
  checkMediaType(request.headers['content-type']);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError(
      'unsupportedMediaType',
      `Content-Encoding ${quoteText(encoding)} is not taken; send the body as it is.`,
    );
  const bytes = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new ApiError('malformedJson', 'The body is not UTF-8.');
  try {
    return { text, value: parseJson(text, { depthMax }) };
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new ApiError('malformedJson', `The body is not usable JSON. ${error.message}`);
    throw error;
  }
}

function checkMediaType(header: string | undefined): void {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charsets = parameters
    .filter((parameter) => parameter.startsWith('charset='))
    .map((parameter) => parameter.slice('charset='.length).replaceAll('"', ''));
  if (type !== 'application/json' || !charsets.every((charset) => charset === 'utf-8' || charset === 'utf8')) {
    throw new ApiError(
      'unsupportedMediaType',
      `The body must be application/json in UTF-8, not ${header === undefined ? 'without a Content-Type' : quoteText(header)}.`,
    );
  }
}
