// Builds the model from declarations: derives names, columns and links. Expects declarations that
// `check-declarations.ts` has found free of mistakes.

import type { AttributeDeclaration } from './attribute-declaration.ts';
import { buildAction } from './build-action.ts';
import { attributeDefaults, buildAttribute, scalar, snakeCase } from './build-attribute.ts';
import type {
  Attribute,
  CollectionAttribute,
  Model,
  ObjectType,
  ReferenceAttribute,
  ScalarAttribute,
  TypeDeclaration,
} from './object-type.ts';

export type Declarations = Record<string, TypeDeclaration>;

export function buildModel(declarations: Declarations): Model {
  const types = new Map(Object.keys(declarations).map((name) => [name, startType(declarations, name)]));
  for (const type of types.values()) addDeclared(type, declarations[type.name]!, types);
  for (const type of types.values()) addToOwner(type, declarations[type.name]!, types);
  const remarks = types.get('Remarks');
  for (const type of types.values()) if (remarks && type.makesEvents) addAttributes(type, [remarksOf(remarks)]);
  return { types };
}

/** A type being built. Types refer to each other, so each is created empty and filled in afterwards. */
export type TypeBuilder = { -readonly [Name in keyof ObjectType]: ObjectType[Name] };

export function setAttributes(type: TypeBuilder, attributes: readonly Attribute[]): void {
  type.attributes = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  type.scalars = attributes.filter(isScalar);
  type.references = attributes.filter((attribute) => attribute.kind === 'reference');
  type.collections = attributes.filter((attribute) => attribute.kind === 'collection');
}

function isScalar(attribute: Attribute): attribute is ScalarAttribute {
  return attribute.kind !== 'reference' && attribute.kind !== 'collection' && attribute.kind !== 'self';
}

function addAttributes(type: TypeBuilder, added: readonly Attribute[]): void {
  setAttributes(type, [...type.attributes.values(), ...added]);
}

function startType(declarations: Declarations, name: string): TypeBuilder {
  const declaration = declarations[name]!;
  return {
    description: '',
    isServiceOwn: false,
    isCreatedByService: false,
    isAudited: false,
    isKeptInDays: false,
    needsOneOf: [],
    indexes: [],
    ...declaration,
    ...inherited(declarations, name),
    name,
    table: snakeCase(name),
    actions: new Map(
      Object.entries(declaration.actions ?? {}).map(([action, declared]) => [action, buildAction(action, declared)]),
    ),
    newer: new Map(),
    ...empty,
  };
}

/** Filled in when all types exist. */
const empty = {
  ownedBy: undefined,
  hidden: [],
  writeOnly: new Map(),
  shownOnce: [],
  attributes: new Map(),
  scalars: [],
  references: [],
  collections: [],
  shownBy: [],
  code: undefined,
  owner: undefined,
  sequence: undefined,
};

/** What a sub-object inherits from its owner: the access, and no events if the owner makes none. */
function inherited(declarations: Declarations, name: string): Pick<ObjectType, 'makesEvents' | 'access'> {
  const { makesEvents = true, access = { read: 'read', write: 'write' }, attributes } = declarations[name]!;
  const owner = Object.values(attributes).find((details) => details.kind === 'owner');
  if (!owner) return { makesEvents, access };
  const above = inherited(declarations, owner.to);
  return { makesEvents: makesEvents && above.makesEvents, access: above.access };
}

function addDeclared(type: TypeBuilder, declaration: TypeDeclaration, types: Map<string, TypeBuilder>): void {
  const { ownedBy, shownBy = [] } = declaration;
  const declared = Object.entries(declaration.attributes).map(([name, details]) => {
    const ofUser = name === ownedBy ? { isFilledIn: true, isFixed: true } : {};
    return { details, attribute: buildAttribute(name, { ...details, ...ofUser }, types) };
  });
  const those = <T extends Attribute>(isWanted: (details: AttributeDeclaration) => boolean | undefined) =>
    declared.filter(({ details }) => isWanted(details)).map(({ attribute }) => attribute as T);
  const isVisible = (details: AttributeDeclaration) =>
    !details.isHidden && !details.isWriteOnly && !details.isShownOnce;
  addAttributes(type, [...baseAttributes(), ...those(isVisible)]);
  type.hidden = those(({ isHidden, isWriteOnly }) => isHidden || isWriteOnly);
  type.writeOnly = new Map(those<ScalarAttribute>(({ isWriteOnly }) => isWriteOnly).map((each) => [each.name, each]));
  type.shownOnce = those(({ isShownOnce }) => isShownOnce);
  [type.owner] = those<ReferenceAttribute>(({ kind }) => kind === 'owner');
  [type.code] = those<ScalarAttribute>((details) => details.kind === 'text' && details.isCode);
  [type.sequence] = those<ScalarAttribute>((details) => details.kind === 'integer' && details.isSequence);
  type.ownedBy = ownedBy === undefined ? undefined : (type.attributes.get(ownedBy) as ReferenceAttribute);
  type.shownBy = shownBy.map((name) => type.attributes.get(name) as ObjectType['shownBy'][number]);
}

/** A collection is declared once, by the element that names its owner. */
function addToOwner(
  type: TypeBuilder,
  { attributes, deprecated }: TypeDeclaration,
  types: Map<string, TypeBuilder>,
): void {
  for (const [name, details] of Object.entries(attributes)) {
    if (details.kind !== 'owner') continue;
    const reference = type.attributes.get(name) as ReferenceAttribute;
    const minItems = details.minItems ?? 0;
    const collection: CollectionAttribute = {
      ...attributeDefaults,
      name: details.collection,
      kind: 'collection',
      of: type,
      ownerColumn: reference.column,
      isOwned: true,
      isDetachable: !reference.isRequired,
      isRequired: minItems > 0 || (details.isRequiredInOwner ?? false),
      minItems,
      ...(deprecated && { deprecated }),
    };
    addAttributes(types.get(details.to)!, [collection]);
  }
}

function remarksOf(remarks: ObjectType): CollectionAttribute {
  return {
    ...attributeDefaults,
    name: 'remarks',
    description: 'Remarks about the object; written at their own resource.',
    kind: 'collection',
    of: remarks,
    ownerColumn: 'source',
    isOwned: false,
    isDetachable: false,
    isReadOnly: true,
    isOnDemand: true,
    minItems: 0,
  };
}

/** The attributes of every object. The caller sets only the last one, `externalObjectKey`. */
function baseAttributes(): Attribute[] {
  const set = (name: string, kind: ScalarAttribute['kind'], description: string) => ({
    ...scalar(name, kind),
    isReadOnly: true,
    description,
  });
  return [
    { ...set('key', 'key', 'Unique over the whole installation.'), isUnique: true, example: 1042 },
    { ...attributeDefaults, name: 'self', kind: 'self', isReadOnly: true, description: 'URL of the object.' },
    set('createdDate', 'dateTime', 'When the object was created.'),
    set('modifiedDate', 'dateTime', 'When it was changed last.'),
    set('createdById', 'key', 'Key of the user who created the object, if known.'),
    set('changedById', 'key', 'Key of the user who changed it last, if known.'),
    { ...scalar('externalObjectKey', 'text'), maxLength: 255, description: "The caller's own id of the object." },
  ];
}

export const baseAttributeNames: readonly string[] = baseAttributes().map((attribute) => attribute.name);
