// Finds the object type that a user has named, whatever the case.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import { usageError } from '../command/command-error.ts';
import type { Resource } from './resources.ts';

export function findResource(resources: readonly Resource[], name: string): Resource {
  const found = resources.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = resources.map((one) => one.name);
  throw usageError(`There is no object type ${quoteText(name)}.${didYouMean(name, names)}`);
}
