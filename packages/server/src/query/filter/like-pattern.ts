// Escapes the patterns of LIKE and ILIKE: `%` matches any text, `_` one character, and `\%`, `\_`, `\\` these three
// characters. Any other backslash matches itself; PostgreSQL would drop it, or fail if it comes last.

export function escapePattern(pattern: string): string {
  return pattern.replace(/\\([%_\\]?)/g, (_, escaped: string) => (escaped === '' ? '\\\\' : `\\${escaped}`));
}
