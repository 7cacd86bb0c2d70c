// The editions of the API, the lower first: a user who has one has what the lower ones have.

export const editions = ['STANDARD', 'ENTERPRISE'] as const;

export type Edition = (typeof editions)[number];

export function includesEdition(held: Edition, needed: Edition): boolean {
  return editions.indexOf(held) >= editions.indexOf(needed);
}
