// Replaces a malformed attribute, so that the checks continue and all mistakes of a file are reported at once. The
// attribute keeps its name, because others refer to it.

import type { AttributeDeclaration } from '../object-type.ts';

/** Recognised by identity. Checks that do not look for it treat it as a plain text. */
export const brokenAttribute: AttributeDeclaration = Object.freeze({ kind: 'text' });
