// Decodes the query string of a request. An invalid percent escape is an error of the caller; it is not replaced by
// U+FFFD.

import { quoteText } from '@flaghoist/source-text';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import type { QueryParameter } from '../../query/query-parameter.ts';

export function readQuery({ url }: FastifyRequest): QueryParameter[] {
  const start = url.indexOf('?');
  if (start < 0) return [];
  return url
    .slice(start + 1)
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part)!;
      return [decode(name), decode(value)] as const;
    });
}

export function rejectParameters(request: FastifyRequest): void {
  const [first] = readQuery(request);
  if (first)
    throw new ApiError('invalidQuery', `This request takes no query parameters, but has ${quoteText(first[0])}.`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError('malformedRequest', `The query has a percent escape that is not UTF-8: ${quoteText(text)}.`);
  }
}
