// Finds the known name that an author probably meant, for the hint in an error message.

/** A hint to append to a sentence, such as ` Did you mean "vesselName"?`; empty if no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const meant = meantName(name, known);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

/** The known name that was most likely meant; undefined if none is near. */
export function meantName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > lengthMax) return undefined;
  const names = [...known];
  return nearestName(name, names) ?? longerName(name, names);
}

// Longer than any name in a model. A longer input is not a typo, and comparing it would waste time.
const lengthMax = 80;

/** The known name with the fewest edits from `name`, ignoring case; undefined if all differ too much to be a typo. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let fewest = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const edits = countEdits(name.toLowerCase(), candidate.toLowerCase());
    if (edits >= fewest) continue;
    nearest = candidate;
    fewest = edits;
  }
  return nearest;
}

/** `vesselName` for `name`: many attribute names repeat the name of their type, and authors leave it out. */
function longerName(name: string, known: readonly string[]): string | undefined {
  return name.length < 3 ? undefined : known.find((candidate) => candidate.toLowerCase().endsWith(name.toLowerCase()));
}

/** Levenshtein distance that counts two swapped neighbours (`prot`, `port`) as one edit. */
function countEdits(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length]!;
}
