// Rows in the order of the log, newest first, as an array that is never changed in place.

interface Row {
  key: number;
  createdDate: string;
}

/** The order of `createdDate(DS)`, `key(DS)`, which the log has an index for. */
function isBefore(a: Row, b: Row): boolean {
  return a.createdDate === b.createdDate ? a.key > b.key : a.createdDate > b.createdDate;
}

/** Where the row is, or would be. */
function positionOf(rows: readonly Row[], row: Row): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(rows[middle]!, row)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function hasRow(rows: readonly Row[], row: Row): boolean {
  return rows[positionOf(rows, row)]?.key === row.key;
}

/** Whether it comes after all of them. */
export function isOlder(rows: readonly Row[], row: Row): boolean {
  const last = rows.at(-1);
  return last !== undefined && isBefore(last, row);
}

/** Each of `changes` replaces the row with its key, or is added. */
export function mergeRows<T extends Row>(rows: readonly T[], changes: readonly T[]): readonly T[] {
  if (changes.length === 0) return rows;
  const merged = [...rows];
  for (const change of changes) {
    const at = positionOf(merged, change);
    if (merged[at]?.key === change.key) merged[at] = { ...merged[at], ...change };
    else merged.splice(at, 0, change);
  }
  return merged;
}
