// The log of the service, read as lines of JSON, and how many of each kind there are. What is no JSON, the welcome, is left out.

export interface LogLine {
  level: string;
  /** The kind of the observation. */
  msg: string;
}

export interface LogCount extends LogLine {
  count: number;
}

export function parseLog(text: string): LogLine[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const { level, msg } = JSON.parse(line) as LogLine;
      return [{ level, msg }];
    } catch {
      // Cut off by the end of the process.
      return [];
    }
  });
}

export function countLines(lines: readonly LogLine[]): LogCount[] {
  const counts = new Map<string, LogCount>();
  for (const { level, msg } of lines) {
    const id = `${level} ${msg}`;
    counts.set(id, { level, msg, count: (counts.get(id)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => a.msg.localeCompare(b.msg));
}
