// Checks the media type of a request body: it must be one of the accepted types, in UTF-8 and uncompressed.

import { quoteText } from '@flaghoist/source-text';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';

export function mediaTypeOf<const T extends string>({ headers }: FastifyRequest, taken: readonly T[]): T {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError(
      'unsupportedMediaType',
      `Content-Encoding ${quoteText(encoding)} is not supported; send the body without encoding.`,
    );
  const header = headers['content-type'];
  const [name = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const type = taken.find((one) => one === name);
  if (type === undefined || !parameters.every(isUtf8)) {
    const given = header === undefined ? 'without a Content-Type' : quoteText(header);
    throw new ApiError('unsupportedMediaType', `The body must be ${taken.join(' or ')} in UTF-8, not ${given}.`);
  }
  return type;
}

function isUtf8(parameter: string): boolean {
  if (!parameter.startsWith('charset=')) return true;
  return /^"?utf-?8"?$/.test(parameter.slice('charset='.length));
}
