// Parses the log of the service as lines of JSON, and counts each kind. Other lines, such as the welcome, are skipped.

export interface LogLine {
  level: string;
  /** The kind of the observation. */
  msg: string;
  /** Its other members, as text. */
  facts: string;
}

/** `facts`: of the first one. */
export interface LogCount extends LogLine {
  count: number;
}

export function parseLog(text: string): LogLine[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const { level, msg, time, ...others } = JSON.parse(line) as Record<string, unknown>;
      return [{ level: String(level), msg: String(msg), facts: renderFacts(others) }];
    } catch {
      // Cut off by the exit of the process.
      return [];
    }
  });
}

export function countLines(lines: readonly LogLine[]): LogCount[] {
  const counts = new Map<string, LogCount>();
  for (const line of lines) {
    const id = `${line.level} ${line.msg}`;
    const known = counts.get(id) ?? { ...line, count: 0 };
    counts.set(id, { ...known, count: known.count + 1 });
  }
  return [...counts.values()].sort((a, b) => a.msg.localeCompare(b.msg));
}

/** Of an error only the message. */
function renderFacts(others: Record<string, unknown>): string {
  return Object.entries(others)
    .map(([name, value]) => `${name}=${(value as { message?: string } | null)?.message ?? String(value)}`)
    .join(' ');
}
