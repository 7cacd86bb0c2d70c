// The editions of the API, lowest first. Each edition includes the lower ones.

export const editions = ['STANDARD', 'ENTERPRISE'] as const;

export type Edition = (typeof editions)[number];

export function includesEdition(edition: Edition, needed: Edition): boolean {
  return editions.indexOf(edition) >= editions.indexOf(needed);
}
