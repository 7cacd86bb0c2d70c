// Compiles a Java regular expression for the linear-time engine. Rejects what the engine lacks or would interpret
// differently. The size is limited before compiling, because a short pattern such as `a{1000}b{1000}…` is slow to
// compile.

import { JavaFailure } from '../run/java-failure.ts';
import { engineRegex, type LinearRegex, plainRegex } from './linear-regex.ts';
import { parsePattern } from './parse-pattern.ts';
import { type PatternPart, patternFailure } from './pattern-part.ts';

/** `whole`: for `matches`, which must match the whole text. `parts`: for methods that search the text. */
export type PatternUse = 'whole' | 'parts';

/** Throws a PatternSyntaxException. */
export function compilePattern(pattern: string, use: PatternUse): LinearRegex {
  // A search for a plain text, such as the comma of a split, is far cheaper than the engine.
  if (pattern !== '' && !/[\\^$.|?*+()[\]{}\ud800-\udfff]/.test(pattern)) return plainRegex(pattern);
  const { text, reach } = translate(pattern, use);
  return compileEngine(text, reach);
}

function compileEngine(text: string, reach: number): LinearRegex {
  try {
    return engineRegex(text, reach);
  } catch (error) {
    // The parser has already rejected every known mistake; what remains are names of Unicode sets and the like.
    const message = error instanceof Error ? error.message : '';
    throw patternFailure(`it has a part that is not supported ${/`[^`]*`/.exec(message)?.[0] ?? ''}`.trim());
  }
}

/**
 * The failure that compiling the pattern would cause, if any. The pattern is not compiled, because compiling is slow;
 * only the names of Unicode sets need the engine.
 */
export function checkPattern(pattern: string, use: PatternUse): JavaFailure | undefined {
  try {
    const { text } = translate(pattern, use);
    for (const [unicodeSet] of text.matchAll(/\\[pP]\{\w+\}/g)) checkUnicodeSet(unicodeSet);
    return undefined;
  } catch (error) {
    if (error instanceof JavaFailure) return error;
    throw error;
  }
}

/** Cache of valid Unicode sets, each of which takes milliseconds to compile. The engine knows only a limited number. */
const knownSets = new Set<string>();

function checkUnicodeSet(written: string): void {
  if (!knownSets.has(written)) compileEngine(written, 0);
  knownSets.add(written);
}

function translate(pattern: string, use: PatternUse): PatternPart {
  if (pattern.length > lengthMax) throw patternFailure(`it is longer than ${lengthMax} characters`);
  const part = parsePattern(pattern);
  if (part.size > sizeMax) throw patternFailure(`it is too large: its repetitions come to more than ${sizeMax} parts`);
  // At the end of a pattern that must match the whole text, both meanings of `$` are the same.
  const end = use === 'whole' ? part.firstInnerEnd : part.firstEnd;
  if (end === undefined) return part;
  const meaning = 'since it also stands before a last line end; write \\z';
  throw patternFailure(`${end} is only supported at the end of a pattern for matches, ${meaning}`);
}

const lengthMax = 1000;
const sizeMax = 1000;
