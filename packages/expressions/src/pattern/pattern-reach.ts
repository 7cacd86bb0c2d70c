// Computes how far an engine may read past the end of a match before the match is certain. For most patterns this is a
// few characters, so finding all matches takes one pass through the text. For others, such as `(a.*b)?a`, each match
// may read the whole rest of the text.

import type { PatternTree } from './pattern-tree.ts';

/** The reach in UTF-16 units; Infinity if it is unbounded. */
export function reachOf(tree: PatternTree): number {
  switch (tree.kind) {
    case 'piece':
    case 'end':
      return unitsMax;
    case 'sequence':
      return tree.parts.reduce(
        (reach, part, index) => reach + (index === tree.parts.length - 1 ? reachOf(part) : lengthOf(part)),
        unitsMax,
      );
    case 'alternatives':
      return Math.max(...tree.choices.map(reachOf));
    case 'group':
      return reachOf(tree.inner);
    case 'repeat':
      // At the end of a pattern every further repetition makes the match longer, so only the last one can fail.
      return (tree.most + 1) * lengthOf(tree.inner);
  }
}

/** Length of the longest text that the tree matches. */
function lengthOf(tree: PatternTree): number {
  switch (tree.kind) {
    case 'piece':
    case 'end':
      return unitsMax;
    case 'sequence':
      return tree.parts.reduce((length, part) => length + lengthOf(part), 0);
    case 'alternatives':
      return Math.max(...tree.choices.map(lengthOf));
    case 'group':
      return lengthOf(tree.inner);
    case 'repeat':
      return isEndless(tree.quantifier) ? Number.POSITIVE_INFINITY : tree.most * lengthOf(tree.inner);
  }
}

// One piece matches at most two UTF-16 units: a character beyond U+FFFF, or the line break CR LF.
const unitsMax = 2;

function isEndless(quantifier: string): boolean {
  return /^[*+]|,\}/.test(quantifier);
}
