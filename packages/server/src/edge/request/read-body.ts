// Reads a request body: it must have one of the accepted media types, in UTF-8 and uncompressed.

import { decodeUtf8, quoteText } from '@flaghoist/source-text';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { JsonSyntaxError, type JsonValue, parseJson } from '../../json/parse-json.ts';

export interface Body {
  text: string;
  value: JsonValue;
}

export function readBody(request: FastifyRequest, depthMax: number): Body {
  mediaTypeOf(request, ['application/json']);
  const text = decodeUtf8(bodyBytes(request));
  if (text === undefined) throw new ApiError('malformedJson', 'The body is not UTF-8.');
  try {
    return { text, value: parseJson(text, { depthMax }) };
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new ApiError('malformedJson', `The body is not valid JSON. ${error.message}`);
    throw error;
  }
}

/** Empty if the request has no body. */
export function bodyBytes({ body }: FastifyRequest): Buffer {
  return body instanceof Buffer ? body : Buffer.alloc(0);
}

export function mediaTypeOf<const T extends string>({ headers }: FastifyRequest, accepted: readonly T[]): T {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError(
      'unsupportedMediaType',
      `Content-Encoding ${quoteText(encoding)} is not supported; send the body without encoding.`,
    );
  const header = headers['content-type'];
  const [name = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const type = accepted.find((one) => one === name);
  if (type === undefined || !parameters.every(isUtf8)) {
    const given = header === undefined ? 'without a Content-Type' : quoteText(header);
    throw new ApiError('unsupportedMediaType', `The body must be ${accepted.join(' or ')} in UTF-8, not ${given}.`);
  }
  return type;
}

function isUtf8(parameter: string): boolean {
  return !parameter.startsWith('charset=') || /^charset="?utf-?8"?$/.test(parameter);
}
