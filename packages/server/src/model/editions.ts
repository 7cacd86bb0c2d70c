// The editions of the API, lowest first. Each edition includes the lower ones.

export const editions = ['STANDARD', 'ENTERPRISE'] as const;

export type Edition = (typeof editions)[number];

export function includesEdition(held: Edition, needed: Edition): boolean {
  return editions.indexOf(held) >= editions.indexOf(needed);
}
