// The names of the members in a JSON value that hold an object or a list, wherever they stand. With them, all of it can be
// gone through without listing the members of each object: that is what takes longest in the script engine.

export function holdersIn(value: unknown): string[] {
  const names = new Set<string>();
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) for (const member of next) waiting.push(member);
    else if (isHolder(next)) {
      for (const name in next) {
        const member = next[name];
        if (!isHolder(member)) continue;
        names.add(name);
        waiting.push(member);
      }
    }
  }
  return [...names];
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
