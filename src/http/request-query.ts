// The query string of a request, decoded strictly: a bad escape is a mistake of the caller, not a question mark in a box.

import { ApiError } from '../errors.ts';
import { quoteText } from '../json/printable.ts';
import type { QueryParameter } from '../query/query-parameter.ts';

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
