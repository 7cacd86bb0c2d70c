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
    const present = Object.hasOwn(catalogue, name) ? catalogue[name] : undefined;
    if (present) mistakes.push(...findConflicts(name, present, declaration));
    if (!present) declarations[name] = declaration;
    else if (!present.isServiceOwn)
      // The attributes of the catalogue come first and win.
      declarations[name] = {
        ...present,
        attributes: { ...present.attributes, ...declaration.attributes, ...present.attributes },
      };
  }
  return declarations;
}

function findConflicts(name: string, present: TypeDeclaration, added: TypeDeclaration): Mistake[] {
  const place = `types.${name}`;
  const repeated = Object.keys(added.attributes).filter((attribute) => Object.hasOwn(present.attributes, attribute));
  const others = Object.keys(added).filter((member) => member !== 'attributes');
  return [
    ...(present.isServiceOwn
      ? [{ place, message: 'this name is reserved for the service; nothing can be added to it.' }]
      : []),
    ...repeated.map((attribute) => ({
      place: `${place}.attributes.${attribute}`,
      message: `${name} already has it; it cannot be declared again.`,
    })),
    ...others.map((member) => ({
      place: `${place}.${member}`,
      message: `${name} is a built-in type; only attributes can be added to it.`,
    })),
  ];
}
