// The query of a request as sent: decoded names and values, in order. Rejects names that the resource does not take,
// and repeated names where one value is expected: neither is silently ignored.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import { ApiError } from '../errors.ts';

export type QueryParameter = readonly [name: string, value: string];

/** Whether a parameter may be given once, or any number of times. */
export type KnownParameters = ReadonlyMap<string, 'once' | 'repeatable'>;

export function checkParameters(query: readonly QueryParameter[], known: KnownParameters): void {
  const seen = new Set<string>();
  for (const [name] of query) {
    const times = known.get(name);
    if (times === undefined) throw new ApiError('invalidQuery', unknownParameter(name, known));
    if (times === 'once' && seen.has(name))
      throw new ApiError('invalidQuery', `The query parameter "${name}" is given twice.`);
    seen.add(name);
  }
}

export function valuesOf(query: readonly QueryParameter[], name: string): string[] {
  return query.filter((parameter) => parameter[0] === name).map((parameter) => parameter[1]);
}

export function firstValue(query: readonly QueryParameter[], name: string): string | undefined {
  return query.find((parameter) => parameter[0] === name)?.[1];
}

function unknownParameter(name: string, known: KnownParameters): string {
  const names = [...known.keys()];
  const hint = name.toLowerCase() === 'nocount' ? ' "noCount" is a request header.' : didYouMean(name, names);
  return `There is no query parameter ${quoteText(name)} here; known are ${names.join(', ')}.${hint}`;
}
