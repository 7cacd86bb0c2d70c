// Compiles a Java regular expression for the linear-time engine. Rejects what the engine lacks or would interpret
// differently. The size is limited before compiling, because a short pattern such as `a{1000}b{1000}…` is slow to
// compile.

import { type LinearRegex, linearRegex } from './linear-regex.ts';
import { parsePattern } from './parse-pattern.ts';
import { reachOf } from './pattern-reach.ts';
import { PatternMistake, type PatternTree } from './pattern-tree.ts';
import { isPlain, plainRegex } from './plain-pattern.ts';

export type JavaPattern = { kind: 'pattern'; regex: LinearRegex } | PatternRefusal;

interface PatternRefusal {
  kind: 'mistake';
  reason: string;
}

/** `whole`: for `matches`, which must match the whole text. `parts`: for methods that search the text. */
export type PatternUse = 'whole' | 'parts';

export function compilePattern(pattern: string, use: PatternUse): JavaPattern {
  if (isPlain(pattern)) return { kind: 'pattern', regex: plainRegex(pattern) };
  const translated = translate(pattern, use);
  return translated.kind === 'mistake' ? translated : compileEngine(translated.text, translated.reach);
}

function compileEngine(text: string, reach: number): JavaPattern {
  try {
    return { kind: 'pattern', regex: linearRegex(text, reach) };
  } catch (error) {
    return { kind: 'mistake', reason: engineReason(error) };
  }
}

/**
 * The reason why a pattern cannot be used, or undefined. The pattern is not compiled, because compiling is slow; only
 * the names of Unicode sets need the engine.
 */
export function checkPattern(pattern: string, use: PatternUse): string | undefined {
  const translated = translate(pattern, use);
  if (translated.kind === 'mistake') return translated.reason;
  const mistakes = translated.text.match(/\\[pP]\{\w+\}/g)?.map(checkUnicodeSet);
  return mistakes?.find((reason) => reason !== undefined);
}

/** Cache of valid Unicode sets, each of which takes milliseconds to compile. The engine knows only a limited number. */
const knownSets = new Set<string>();

function checkUnicodeSet(written: string): string | undefined {
  if (knownSets.has(written)) return undefined;
  const compiled = compileEngine(written, 0);
  if (compiled.kind === 'mistake') return compiled.reason;
  knownSets.add(written);
  return undefined;
}

interface Translated {
  kind: 'translated';
  text: string;
  reach: number;
}

function translate(pattern: string, use: PatternUse): Translated | PatternRefusal {
  try {
    if (pattern.length > lengthMax) throw new PatternMistake(`it is longer than ${lengthMax} characters`);
    const tree = parsePattern(pattern);
    if (sizeOf(tree) > sizeMax)
      throw new PatternMistake(`it is too large: its repetitions come to more than ${sizeMax} parts`);
    return { kind: 'translated', text: render(tree, use === 'whole'), reach: reachOf(tree) };
  } catch (error) {
    if (error instanceof PatternMistake) return { kind: 'mistake', reason: error.message };
    throw error;
  }
}

const lengthMax = 1000;
const sizeMax = 1000;

/** The parser has already rejected every known mistake; what remains are names of Unicode sets and the like. */
function engineReason(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return `it has a part that is not supported ${/`[^`]*`/.exec(message)?.[0] ?? ''}`.trim();
}

function render(tree: PatternTree, isLast: boolean): string {
  switch (tree.kind) {
    case 'piece':
      return tree.text;
    case 'end':
      return renderEnd(tree.written, isLast);
    case 'sequence':
      return tree.parts.map((part, index) => render(part, isLast && index === tree.parts.length - 1)).join('');
    case 'alternatives':
      return tree.choices.map((choice) => render(choice, isLast)).join('|');
    case 'group':
      return `${tree.opening}${render(tree.inner, isLast)})`;
    case 'repeat':
      return render(tree.inner, false) + tree.quantifier;
  }
}

/** At the end of a pattern that must match the whole text, both meanings of `$` are the same. */
function renderEnd(written: string, isLast: boolean): string {
  if (isLast) return '\\z';
  throw new PatternMistake(
    `${written} is only supported at the end of a pattern for matches, since it also stands before a last line ` +
      `end; write \\z`,
  );
}

function sizeOf(tree: PatternTree): number {
  switch (tree.kind) {
    case 'piece':
    case 'end':
      return 1;
    case 'sequence':
      return tree.parts.reduce((size, part) => size + sizeOf(part), 0);
    case 'alternatives':
      return tree.choices.reduce((size, choice) => size + 1 + sizeOf(choice), 0);
    case 'group':
      return 2 + sizeOf(tree.inner);
    case 'repeat':
      return 1 + tree.most * sizeOf(tree.inner);
  }
}
