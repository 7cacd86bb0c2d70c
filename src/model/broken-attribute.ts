// Stands for a malformed attribute, so that the checks of the whole model go on and all mistakes of a file are told at
// once. The attribute keeps its name, which others refer to.

import type { AttributeDeclaration } from './object-type.ts';

/** Known by its identity: to every check that does not ask for it, it is a plain text. */
export const brokenAttribute: AttributeDeclaration = Object.freeze({ kind: 'text' });
