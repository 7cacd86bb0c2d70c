// What the templates of random expressions are composed of.

export interface Templates {
  leaves: readonly string[];
  branches: readonly string[];
}

/** Separated by two spaces or a line break. */
export function parts(list: string): string[] {
  return list.trim().split(/\s{2,}/);
}

/** Every operator on every pair of types of which at least one is the given type. */
export function arithmetic(kind: string, others: readonly string[]): string[] {
  return ['+', '-', '*', '/', '%'].flatMap((operator) =>
    others.flatMap((other) => [`({${kind}} ${operator} {${other}})`, `({${other}} ${operator} {${kind}})`]),
  );
}

export function choices(kind: string, ...pairs: readonly [string, string][]): string[] {
  return [[kind, kind] as const, ...pairs].map(([yes, no]) => `({test} ? {${yes}} : {${no}})`);
}

export const calls = '{PortCall}.getEventLogs()';
export const portCalls = '{Voyage}.getPortCalls()';
