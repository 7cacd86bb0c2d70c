// A mistake in an object that is being saved, and the attribute that has it.

import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import type { CheckedBody } from './check-body.ts';

export interface Mistake {
  name: string;
  message: string;
}

/** `path`: the path of the object in the body. */
export function violationsAt(path: string, mistakes: readonly Mistake[]): Violation[] {
  return mistakes.map(({ name, message }) => ({ path: joinPath(path, name), message }));
}

export function withMistakes({ change, violations }: CheckedBody, mistakes: readonly Mistake[]): CheckedBody {
  return { change, violations: [...violations, ...violationsAt(change.path, mistakes)] };
}
