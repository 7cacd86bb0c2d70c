// Rows for `test.each`, each with a short name: an input may be long, or a list that would be taken for several values.

export function labelled<T>(values: readonly T[]): [name: string, value: T][] {
  return values.map((value) => [(JSON.stringify(value) ?? 'undefined').slice(0, 50), value]);
}
