// From declarations to the model: works out names, columns and links. Declarations are expected to be free of mistakes
// (`check-declarations.ts`).

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
  const types = new Map<string, Draft>();
  for (const [name, declaration] of Object.entries(declarations))
    types.set(name, draftType(name, declaration, inherited(declarations, name)));
  for (const draft of types.values()) addAttributes(draft, types);
  for (const draft of types.values()) addCollection(draft);
  const remarks = types.get('Remarks');
  for (const draft of types.values()) {
    if (remarks && draft.makesEvents) addAttribute(draft, remarksOf(remarks));
  }
  return { types };
}

/** Types refer to each other, so each is an empty shell first and is filled in afterwards. */
interface Draft extends ObjectType {
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

/** What a sub-object has from its owner: who may use it, and that it makes no events where the owner makes none. */
function inherited(declarations: Declarations, name: string): Pick<ObjectType, 'makesEvents' | 'access'> {
  const { makesEvents = true, access = { read: 'read', write: 'write' }, attributes } = declarations[name]!;
  const owner = Object.values(attributes).find((details) => details.kind === 'owner');
  if (!owner) return { makesEvents, access };
  const above = inherited(declarations, owner.to);
  return { makesEvents: makesEvents && above.makesEvents, access: above.access };
}

function draftType(
  name: string,
  declaration: TypeDeclaration,
  fromOwner: Pick<ObjectType, 'makesEvents' | 'access'>,
): Draft {
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

function addAttributes(draft: Draft, types: Map<string, Draft>): void {
  for (const attribute of baseAttributes()) addAttribute(draft, attribute);
  for (const [name, declaration] of Object.entries(draft.declaration.attributes)) {
    const isOwnedBy = name === draft.declaration.ownedBy;
    const attribute = buildAttribute(
      name,
      isOwnedBy ? { ...declaration, isFilledIn: true, isFixed: true } : declaration,
      types,
    );
    if (isOwnedBy) draft.ownedBy = attribute as ReferenceAttribute;
    if (declaration.isWriteOnly) draft.writeOnly.set(name, attribute as ScalarAttribute);
    if (declaration.isHidden || declaration.isWriteOnly) draft.hidden.push(attribute as ScalarAttribute);
    else if (declaration.isShownOnce) draft.shownOnce.push(attribute as ScalarAttribute);
    else addAttribute(draft, attribute);
    if (declaration.kind === 'text' && declaration.isCode) draft.code = attribute as ScalarAttribute;
    if (declaration.kind === 'integer' && declaration.isSequence) draft.sequence = attribute as ScalarAttribute;
    if (declaration.kind === 'owner') draft.owner = attribute as ReferenceAttribute;
  }
  for (const name of draft.declaration.shownBy ?? []) draft.shownBy.push(draft.attributes.get(name) as ScalarAttribute);
}

function addAttribute(draft: Draft, attribute: Attribute): void {
  draft.attributes.set(attribute.name, attribute);
  if (attribute.kind === 'reference') draft.references.push(attribute);
  else if (attribute.kind === 'collection') draft.collections.push(attribute);
  else if (attribute.kind !== 'self') draft.scalars.push(attribute);
}

/** A collection is declared once, where the element names its owner. */
function addCollection(draft: Draft): void {
  for (const [name, declaration] of Object.entries(draft.declaration.attributes)) {
    if (declaration.kind !== 'owner') continue;
    const reference = draft.attributes.get(name) as ReferenceAttribute;
    const minItems = declaration.minItems ?? 0;
    addAttribute(reference.target as Draft, {
      ...plain,
      name: declaration.collection,
      kind: 'collection',
      of: draft,
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

/** What an action takes and answers are plain values, described like attributes. */
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

/** What every object carries (the last, `externalObjectKey`, is the caller's own). */
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
