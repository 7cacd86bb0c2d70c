// Builds the model from declarations: derives names, columns and links. Expects declarations that
// `check-declarations.ts` has found free of mistakes.

import { buildAttribute, plain, scalar, snakeCase } from './build-attribute.ts';
import type {
  Action,
  ActionDeclaration,
  Attribute,
  AttributeDeclaration,
  CollectionAttribute,
  Model,
  ObjectType,
  ReferenceAttribute,
  ScalarAttribute,
  TypeDeclaration,
} from './object-type.ts';

export type Declarations = Record<string, TypeDeclaration>;

export function buildModel(declarations: Declarations): Model {
  const types = new Map<string, TypeBuilder>();
  for (const [name, declaration] of Object.entries(declarations))
    types.set(name, startType(name, declaration, inherited(declarations, name)));
  for (const builder of types.values()) addAttributes(builder, types);
  for (const builder of types.values()) addCollection(builder);
  const remarks = types.get('Remarks');
  for (const builder of types.values()) {
    if (remarks && builder.makesEvents) addAttribute(builder, remarksOf(remarks));
  }
  return { types };
}

/** A type being built. Types refer to each other, so each is created empty and filled in afterwards. */
interface TypeBuilder extends ObjectType {
  declaration: TypeDeclaration;
  ownedBy: ReferenceAttribute | undefined;
  hidden: ScalarAttribute[];
  writeOnly: Map<string, ScalarAttribute>;
  shownOnce: ScalarAttribute[];
  attributes: Map<string, Attribute>;
  scalars: ScalarAttribute[];
  references: ReferenceAttribute[];
  collections: CollectionAttribute[];
  shownBy: ScalarAttribute[];
  code: ScalarAttribute | undefined;
  owner: ReferenceAttribute | undefined;
  sequence: ScalarAttribute | undefined;
}

/** What a sub-object inherits from its owner: the access, and no events if the owner makes none. */
function inherited(declarations: Declarations, name: string): Pick<ObjectType, 'makesEvents' | 'access'> {
  const { makesEvents = true, access = { read: 'read', write: 'write' }, attributes } = declarations[name]!;
  const owner = Object.values(attributes).find((details) => details.kind === 'owner');
  if (!owner) return { makesEvents, access };
  const above = inherited(declarations, owner.to);
  return { makesEvents: makesEvents && above.makesEvents, access: above.access };
}

function startType(
  name: string,
  declaration: TypeDeclaration,
  fromOwner: Pick<ObjectType, 'makesEvents' | 'access'>,
): TypeBuilder {
  return {
    name,
    declaration,
    description: declaration.description ?? '',
    table: snakeCase(name),
    ...fromOwner,
    isServiceOwn: declaration.isServiceOwn ?? false,
    isMadeByService: declaration.isMadeByService ?? false,
    ownedBy: undefined,
    isAudited: declaration.isAudited ?? false,
    isKeptInDays: declaration.isKeptInDays ?? false,
    raises: declaration.raises,
    actions: buildActions(declaration.actions ?? {}),
    hidden: [],
    writeOnly: new Map(),
    shownOnce: [],
    newer: new Map(),
    attributes: new Map(),
    scalars: [],
    references: [],
    collections: [],
    shownBy: [],
    code: undefined,
    owner: undefined,
    sequence: undefined,
  };
}

function addAttributes(builder: TypeBuilder, types: Map<string, TypeBuilder>): void {
  for (const attribute of baseAttributes()) addAttribute(builder, attribute);
  for (const [name, declaration] of Object.entries(builder.declaration.attributes)) {
    const isOwnedBy = name === builder.declaration.ownedBy;
    const attribute = buildAttribute(
      name,
      isOwnedBy ? { ...declaration, isFilledIn: true, isFixed: true } : declaration,
      types,
    );
    if (isOwnedBy) builder.ownedBy = attribute as ReferenceAttribute;
    if (declaration.isWriteOnly) builder.writeOnly.set(name, attribute as ScalarAttribute);
    if (declaration.isHidden || declaration.isWriteOnly) builder.hidden.push(attribute as ScalarAttribute);
    else if (declaration.isShownOnce) builder.shownOnce.push(attribute as ScalarAttribute);
    else addAttribute(builder, attribute);
    if (declaration.kind === 'text' && declaration.isCode) builder.code = attribute as ScalarAttribute;
    if (declaration.kind === 'integer' && declaration.isSequence) builder.sequence = attribute as ScalarAttribute;
    if (declaration.kind === 'owner') builder.owner = attribute as ReferenceAttribute;
  }
  for (const name of builder.declaration.shownBy ?? [])
    builder.shownBy.push(builder.attributes.get(name) as ScalarAttribute);
}

function addAttribute(builder: TypeBuilder, attribute: Attribute): void {
  builder.attributes.set(attribute.name, attribute);
  if (attribute.kind === 'reference') builder.references.push(attribute);
  else if (attribute.kind === 'collection') builder.collections.push(attribute);
  else if (attribute.kind !== 'self') builder.scalars.push(attribute);
}

/** A collection is declared once, by the element that names its owner. */
function addCollection(builder: TypeBuilder): void {
  for (const [name, declaration] of Object.entries(builder.declaration.attributes)) {
    if (declaration.kind !== 'owner') continue;
    const reference = builder.attributes.get(name) as ReferenceAttribute;
    const minItems = declaration.minItems ?? 0;
    addAttribute(reference.target as TypeBuilder, {
      ...plain,
      name: declaration.collection,
      kind: 'collection',
      of: builder,
      ownerColumn: reference.column,
      isOwned: true,
      isDetachable: !reference.isRequired,
      isRequired: minItems > 0 || (declaration.isRequiredInOwner ?? false),
      minItems,
    });
  }
}

function remarksOf(remarks: ObjectType): CollectionAttribute {
  return {
    ...plain,
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

/** The members that an action takes and returns are scalar values, declared like attributes. */
function buildActions(declarations: Record<string, ActionDeclaration>): Map<string, Action> {
  const scalars = (members: Record<string, AttributeDeclaration>) =>
    Object.entries(members).map(([name, member]) => buildAttribute(name, member, new Map()) as ScalarAttribute);
  const unsaid = { method: 'POST', on: 'object', answersStatus: 200, answersList: false, since: undefined } as const;
  return new Map(
    Object.entries(declarations).map(([name, { takes, answers, ...said }]) => {
      const { summary, description, changesNothing = said.method === 'GET' } = said;
      const { ofType = { summary, description } } = said;
      const members = { takes: scalars(takes), answers: scalars(answers) };
      return [name, { ...unsaid, ...said, ...members, name, ofType, changesNothing }];
    }),
  );
}

/** The attributes of every object. The caller sets only the last one, `externalObjectKey`. */
function baseAttributes(): Attribute[] {
  const readOnly = { isReadOnly: true };
  return [
    {
      ...scalar('key', 'key'),
      ...readOnly,
      isUnique: true,
      description: 'Unique over the whole installation.',
      example: 1042,
    },
    { ...plain, ...readOnly, name: 'self', kind: 'self', description: 'URL of the object.' },
    { ...scalar('createdDate', 'dateTime'), ...readOnly, description: 'When the object was created.' },
    { ...scalar('modifiedDate', 'dateTime'), ...readOnly, description: 'When it was changed last.' },
    { ...scalar('createdById', 'key'), ...readOnly, description: 'Key of the user who created the object, if known.' },
    { ...scalar('changedById', 'key'), ...readOnly, description: 'Key of the user who changed it last, if known.' },
    { ...scalar('externalObjectKey', 'text'), maxLength: 255, description: "The caller's own id of the object." },
  ];
}

export const baseAttributeNames: readonly string[] = baseAttributes().map((attribute) => attribute.name);
