// Checks who may use a type. Collections, references and events must not make restricted data readable for others.

import type { AttributeDeclaration } from '../attribute-declaration.ts';
import type { Declarations } from '../build-model.ts';
import type { TypeDeclaration } from '../object-type.ts';
import { scopesNeeded, withIncluded } from '../scopes.ts';
import { brokenAttribute, type Mistake } from './mistake.ts';

export function checkAccess(declarations: Declarations): Mistake[] {
  const mistakes: Mistake[] = [];
  for (const [name, declaration] of Object.entries(declarations)) {
    const place = `types.${name}`;
    checkOwnedBy(declaration, place, mistakes);
    checkScopes(declaration, place, mistakes);
    if (declaration.access && hasOwner(declaration))
      mistakes.push({
        place: `${place}.access`,
        message: 'a sub-object has the access of its owner; leave this out.',
      });
    for (const [attribute, details] of Object.entries(declaration.attributes))
      checkLink(declarations, details, { type: declaration, place: `${place}.attributes.${attribute}` }, mistakes);
  }
  return mistakes;
}

/**
 * A scope that writes a type must be able to read it. A type with restricted reading makes no events and has no
 * remarks, because all readers could read those.
 */
function checkScopes({ access, makesEvents }: TypeDeclaration, place: string, mistakes: Mistake[]): void {
  if (!access) return;
  const add = (message: string) => mistakes.push({ place: `${place}.access`, message });
  const held = access.write === 'nobody' ? undefined : withIncluded(scopesNeeded(access.write));
  if (held && !scopesNeeded(access.read).every((scope) => held.has(scope)))
    add(`who may write it (${access.write}) must also be able to read it (${access.read}).`);
  if (access.read !== 'read' && makesEvents !== false)
    add(
      'a type that only some may read cannot have events, because others could subscribe to them: set ' +
        'makesEvents to false.',
    );
}

function checkOwnedBy(declaration: TypeDeclaration, place: string, mistakes: Mistake[]): void {
  const { ownedBy, attributes, makesEvents, isCreatedByService = false } = declaration;
  if (ownedBy === undefined) return;
  const add = (message: string) => mistakes.push({ place: `${place}.ownedBy`, message });
  const details = Object.hasOwn(attributes, ownedBy) ? attributes[ownedBy] : undefined;
  // Objects that the service creates without an owner are for administrators only.
  const isSet = details?.isRequired === true || isCreatedByService;
  const isToUser = details?.kind === 'reference' && details.to === 'ApiUser' && isSet;
  if (!isToUser && details !== brokenAttribute) add('must be the name of a reference to ApiUser that is required.');
  if (makesEvents !== false)
    add(
      'a type that belongs to users cannot have events, because others could subscribe to them: set makesEvents ' +
        'to false.',
    );
  if (
    Object.values(attributes).some((attribute) => attribute.kind === 'text' && (attribute.isCode || attribute.isUnique))
  )
    add(
      'a type that belongs to users cannot have a code or unique values: a conflict would reveal objects of ' +
        'other users.',
    );
  if (hasOwner(declaration))
    add('a type that belongs to users cannot have an owner: everyone who sees the owner would see it.');
}

/**
 * Of the service's own types only users can be referred to, because objects of the other types come and go. A link to
 * an object that belongs to a user would show that object to everybody.
 */
function checkLink(
  declarations: Declarations,
  details: AttributeDeclaration,
  from: { type: TypeDeclaration; place: string },
  mistakes: Mistake[],
): void {
  if (details.kind !== 'reference' && details.kind !== 'owner') return;
  const target = Object.hasOwn(declarations, details.to) ? declarations[details.to] : undefined;
  const add = (message: string) => mistakes.push({ place: `${from.place}.to`, message });
  if (target?.isServiceOwn && !from.type.isServiceOwn) {
    if (details.kind === 'owner' || details.to !== 'ApiUser')
      add(`${details.to} is the service's own; only a reference to ApiUser is possible.`);
  } else if (target?.ownedBy !== undefined && (from.type.ownedBy === undefined || details.kind === 'owner'))
    add(
      `${details.to} belongs to users (ownedBy); only another type of that kind may refer to it, ` +
        'and it has no sub-objects.',
    );
}

function hasOwner({ attributes }: TypeDeclaration): boolean {
  return Object.values(attributes).some(({ kind }) => kind === 'owner');
}
