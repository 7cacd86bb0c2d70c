// Advice on a mistake: a sentence that follows its message and, if other text corrects the mistake, that text.

import { didYouMean, meantName } from '@flaghoist/source-text';

export interface Hint {
  readonly sentence: string;
  /** What to write instead of the text that the mistake covers. */
  readonly suggestion?: string;
}

/** The nearest known name, which can be written instead. Undefined if none is near. */
export function nearestHint(name: string, known: Iterable<string>): Hint | undefined {
  const names = [...known];
  const suggestion = meantName(name, names);
  return suggestion === undefined ? undefined : { sentence: didYouMean(name, names), suggestion };
}

export function sentenceOf(hint: Hint | undefined): string {
  return hint?.sentence ?? '';
}
