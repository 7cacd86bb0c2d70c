// Lets the checks of a whole model go on although parts of it are malformed, so that all mistakes of a file are told at
// once.

import type { Mistake } from './mistake.ts';
import type { AttributeDeclaration, TypeDeclaration } from './object-type.ts';

interface Usable {
  types: ReadonlyMap<string, TypeDeclaration>;
  /** Types of which something is missing now. */
  hasBrokenParts: ReadonlySet<string>;
}

/** Keeps names, which others refer to: a malformed attribute becomes a text, a malformed type its attributes alone. */
export function setBrokenAside(types: ReadonlyMap<string, TypeDeclaration>, mistakes: readonly Mistake[]): Usable {
  const usable = new Map<string, TypeDeclaration>();
  const hasBrokenParts = new Set<string>();
  for (const [name, declaration] of types) {
    const place = `types.${name}`;
    const own = mistakes.filter((mistake) => isWithin(mistake.place, place));
    if (own.length > 0) hasBrokenParts.add(name);
    const attributes = Object.entries(declaration.attributes).map(([attribute, details]) => {
      const isBroken = own.some((mistake) => isWithin(mistake.place, `${place}.attributes.${attribute}`));
      return [attribute, isBroken ? placeholder : details] as const;
    });
    const isMalformed = own.some((mistake) => !isWithin(mistake.place, `${place}.attributes`));
    usable.set(name, { ...(isMalformed ? {} : declaration), attributes: Object.fromEntries(attributes) });
  }
  return { types: usable, hasBrokenParts };
}

/** Whether it may vanish with those before it: it is about the same place, or about a whole type with broken parts. */
export function isConsequence(
  { place }: Mistake,
  before: readonly Mistake[],
  hasBrokenParts: ReadonlySet<string>,
): boolean {
  const [, type = '', part] = place.split('.');
  return before.some((other) => other.place === place) || (hasBrokenParts.has(type) && part !== 'attributes');
}

const placeholder: AttributeDeclaration = { kind: 'text' };

function isWithin(place: string, outer: string): boolean {
  return place === outer || place.startsWith(`${outer}.`);
}
