// Builds an attribute from its declaration, or from that of an action's member: derives the column, fills in defaults.

import type { AttributeDeclaration, MemberDeclaration } from './attribute-declaration.ts';
import type { Attribute, AttributeFlag, ObjectType, ScalarAttribute } from './object-type.ts';

/** `types`: the types that the attribute may refer to. */
export function buildAttribute(
  name: string,
  declaration: AttributeDeclaration,
  types: ReadonlyMap<string, ObjectType>,
): Attribute {
  const isGenerated = declaration.generatedAs !== undefined;
  const declared = {
    ...attributeDefaults,
    isRequired: declaration.default !== undefined || isGenerated,
    isReadOnly: isGenerated || declaration.isComputed === true,
    ...declaration,
    name,
    column: snakeCase(name),
    default: declaration.default === undefined ? undefined : String(declaration.default),
  };
  if (declared.kind === 'reference' || declared.kind === 'owner')
    return {
      isFollowed: false,
      isUnchecked: false,
      ...declared,
      kind: 'reference',
      target: types.get(declared.to)!,
      isOwner: declared.kind === 'owner',
    };
  const defaults = scalar(name, declared.kind === 'objectKey' ? 'key' : declared.kind);
  const isCode = declared.kind === 'text' && declared.isCode === true;
  const isAssigned = declared.kind === 'integer' && declared.isAssigned === true;
  return {
    ...defaults,
    ...declared,
    kind: defaults.kind,
    isObjectKey: declared.kind === 'objectKey',
    isRequired: isCode || declared.isRequired,
    isReadOnly: isAssigned || declared.isReadOnly,
    isComputed: declared.codeOf !== undefined || declared.isComputed === true,
    isUnique: isCode || isAssigned || (declared.kind === 'text' && declared.isUnique === true),
    members: declared.kind === 'json' ? buildMembers(declared.column, declared.members ?? {}) : new Map(),
  };
}

function buildMembers(
  column: string,
  declarations: Record<string, MemberDeclaration>,
): ReadonlyMap<string, ScalarAttribute> {
  return new Map(
    Object.entries(declarations).map(([name, declaration]) => [
      name,
      { ...scalar(name, declaration.kind), ...declaration, column, memberName: name },
    ]),
  );
}

/** What holds for every attribute that does not say otherwise. */
export const attributeDefaults: Record<AttributeFlag, boolean> & { description: string } = {
  description: '',
  isRequired: false,
  isReadOnly: false,
  isFixed: false,
  isFilledIn: false,
  isOnDemand: false,
  isLarge: false,
};

export function scalar(name: string, kind: ScalarAttribute['kind']): ScalarAttribute {
  return {
    ...attributeDefaults,
    name,
    kind,
    column: snakeCase(name),
    ...rangeOf(kind),
    values: [],
    minItems: 0,
    isOrdered: false,
    isUnique: false,
    isSequence: false,
    isAssigned: false,
    isObjectKey: false,
    isSnapshot: false,
    isComputed: false,
    hasLinks: false,
    isInstant: false,
    members: new Map(),
  };
}

/** A decimal has 16 digits before the point, so it stays below this. */
export const decimalLimit = 1e16;

/** The range of an `integer` in PostgreSQL, and that of a decimal, without its ends. */
function rangeOf(kind: ScalarAttribute['kind']): Pick<ScalarAttribute, 'minimum' | 'maximum'> {
  return kind === 'decimal'
    ? { minimum: -decimalLimit, maximum: decimalLimit }
    : { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
}

export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
