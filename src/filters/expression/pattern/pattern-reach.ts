// How far an engine may look behind the end of a match before it is sure of it. Most patterns are done at once, so finding
// all their places takes one way through the text; of the others, such as `(a.*b)?a`, each place may take all of the rest.

import type { PatternTree } from './pattern-tree.ts';

/** In UTF-16 units; Infinity where there is no bound. */
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
      // At the end of a pattern every further round makes the match longer, so only the last one may be in vain.
      return (tree.most + 1) * lengthOf(tree.inner);
  }
}

/** The longest text that it matches. */
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

// A character beyond U+FFFF, or a line break of two.
const unitsMax = 2;

function isEndless(quantifier: string): boolean {
  return /^[*+]|,\}/.test(quantifier);
}
