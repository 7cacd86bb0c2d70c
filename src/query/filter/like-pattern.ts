// The patterns of LIKE and ILIKE: `%` stands for any text, `_` for one character, and `\%`, `\_`, `\\` for those three
// themselves. Any other backslash is itself; PostgreSQL alone would drop it, and refuse one at the end with an error.

export function escapePattern(pattern: string): string {
  return pattern.replace(/\\([%_\\]?)/g, (_, escaped: string) => (escaped === '' ? '\\\\' : `\\${escaped}`));
}
