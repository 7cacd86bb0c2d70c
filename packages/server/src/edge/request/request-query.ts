// Decodes the query string of a request. An invalid percent escape is an error of the caller; it is not replaced by
// U+FFFD.

import { quoteText } from '@flaghoist/source-text';
import { ApiError } from '../../errors.ts';
import type { QueryParameter } from '../../query/query-parameter.ts';

export function readQuery(url: string): QueryParameter[] {
  const start = url.indexOf('?');
  if (start < 0 || start === url.length - 1) return [];
  return url
    .slice(start + 1)
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      const [name, value] = equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
      return [decode(name), decode(value)] as const;
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError('malformedRequest', `The query has a percent escape that is not UTF-8: ${quoteText(text)}.`);
  }
}
