// Finds what PostgreSQL text cannot hold. A query string can carry it (`%00`), and asking the database would be a 500.

/** The offset of the first NUL or half surrogate pair, or -1. */
export function findUnusableCharacter(text: string): number {
  return text.search(/\0|\p{Surrogate}/u);
}
