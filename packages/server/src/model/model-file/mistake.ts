// One mistake in a set of type declarations, and the attribute that stands in for a malformed one.

import type { AttributeDeclaration } from '../attribute-declaration.ts';

export interface Mistake {
  /** For example `types.Certificate.attributes.vessel`. */
  place: string;
  message: string;
}

/**
 * Replaces a malformed attribute, so that the checks continue and all mistakes of a file are reported at once. It keeps
 * the name, because other members refer to it. Recognised by identity; most checks treat it as a plain text.
 */
export const brokenAttribute: AttributeDeclaration = Object.freeze({ kind: 'text' });
