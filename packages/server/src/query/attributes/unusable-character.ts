// Finds characters that PostgreSQL text cannot hold. A query string can contain them (`%00`); the database would reject
// them, and the response would be a 500.

/** The offset of the first NUL or half surrogate pair, or -1. */
export function findUnusableCharacter(text: string): number {
  return text.search(/\0|\p{Surrogate}/u);
}
