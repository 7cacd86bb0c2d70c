// Merges the types of a model file into the catalogue. In a conflict the catalogue wins, so that one mistake does not
// lead to others.

import type { Declarations } from '../build-model.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import type { TypeDeclaration } from '../object-type.ts';
import type { Mistake } from './mistake.ts';

/** A model file can only add attributes to a catalogue type; what the type has stays unchanged. */
export function mergeDeclarations(added: ReadonlyMap<string, TypeDeclaration>, mistakes: Mistake[]): Declarations {
  const declarations: Declarations = { ...catalogue };
  for (const [name, declaration] of added) {
    if (isServiceOwn(name))
      mistakes.push({
        place: `types.${name}`,
        message: 'this name is reserved for the service; nothing can be added to it.',
      });
    const present = Object.hasOwn(catalogue, name) ? catalogue[name] : undefined;
    if (!present) {
      declarations[name] = declaration;
      continue;
    }
    for (const attribute of Object.keys(declaration.attributes)) {
      if (Object.hasOwn(present.attributes, attribute))
        mistakes.push({
          place: `types.${name}.attributes.${attribute}`,
          message: `${name} already has it; it cannot be declared again.`,
        });
    }
    for (const member of Object.keys(declaration)) {
      if (member !== 'attributes')
        mistakes.push({
          place: `types.${name}.${member}`,
          message: `${name} is a built-in type; only attributes can be added to it.`,
        });
    }
    if (!isServiceOwn(name))
      declarations[name] = {
        ...present,
        // The attributes of the catalogue come first and win.
        attributes: { ...present.attributes, ...declaration.attributes, ...present.attributes },
      };
  }
  return declarations;
}

function isServiceOwn(name: string): boolean {
  return Object.hasOwn(catalogue, name) && catalogue[name]!.isServiceOwn === true;
}
