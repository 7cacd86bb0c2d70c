// Builds an attribute from its declaration, or from that of an action's member: derives the column, fills in defaults.

import type { Attribute, AttributeDeclaration, ObjectType, ScalarAttribute } from './object-type.ts';

/** `types`: the types that the attribute may refer to. */
export function buildAttribute(
  name: string,
  declaration: AttributeDeclaration,
  types: ReadonlyMap<string, ObjectType>,
): Attribute {
  const base = {
    ...plain,
    name,
    description: declaration.description ?? '',
    isRequired: declaration.isRequired ?? (declaration.default !== undefined || declaration.generatedAs !== undefined),
    isReadOnly: declaration.isReadOnly ?? (declaration.isMade === true || declaration.generatedAs !== undefined),
    isFixed: declaration.isFixed ?? false,
    isFilledIn: declaration.isFilledIn ?? false,
    isOnDemand: declaration.isOnDemand ?? false,
    isLarge: declaration.isLarge ?? false,
    since: declaration.since,
    edition: declaration.edition,
    example: declaration.example,
    isMade: declaration.isMade ?? false,
    generatedAs: declaration.generatedAs,
    default: declaration.default === undefined ? undefined : String(declaration.default),
  };
  switch (declaration.kind) {
    case 'reference':
    case 'owner':
      return {
        ...base,
        kind: 'reference',
        column: snakeCase(name),
        target: types.get(declaration.to)!,
        isOwner: declaration.kind === 'owner',
        isFollowed: declaration.kind === 'reference' && (declaration.isFollowed ?? false),
        isUnchecked: declaration.kind === 'reference' && (declaration.isUnchecked ?? false),
      };
    case 'text': {
      const isCode = declaration.isCode ?? false;
      const { maxLength, format } = declaration;
      return {
        ...scalar(name, 'text'),
        ...base,
        maxLength,
        format,
        isUnique: isCode || (declaration.isUnique ?? false),
        isSnapshot: declaration.isSnapshot ?? false,
        isRequired: isCode || base.isRequired,
      };
    }
    case 'integer': {
      const isAssigned = declaration.isAssigned ?? false;
      return {
        ...scalar(name, 'integer'),
        ...base,
        minimum: declaration.minimum ?? integerMin,
        maximum: declaration.maximum ?? integerMax,
        isAssigned,
        isReadOnly: isAssigned || base.isReadOnly,
        isUnique: isAssigned,
        isSequence: declaration.isSequence ?? false,
      };
    }
    case 'code':
      return { ...scalar(name, 'code'), ...base, values: declaration.values };
    case 'textList': {
      const { values = [], minItems = 0 } = declaration;
      return { ...scalar(name, 'textList'), ...base, values, minItems };
    }
    case 'json':
      return { ...scalar(name, 'json'), ...base, schema: declaration.schema };
    case 'objectKey':
      return { ...scalar(name, 'key'), ...base, isObjectKey: true };
    default:
      return { ...scalar(name, declaration.kind), ...base };
  }
}

export const plain = {
  description: '',
  isRequired: false,
  isReadOnly: false,
  isFixed: false,
  isFilledIn: false,
  isOnDemand: false,
  isLarge: false,
  since: undefined,
  edition: undefined,
  example: undefined,
};

/** The range of an `integer` in PostgreSQL. */
const integerMin = -(2 ** 31);
const integerMax = 2 ** 31 - 1;

export function scalar(name: string, kind: ScalarAttribute['kind']): ScalarAttribute {
  return {
    ...plain,
    name,
    kind,
    column: snakeCase(name),
    maxLength: undefined,
    minimum: integerMin,
    maximum: integerMax,
    values: [],
    minItems: 0,
    default: undefined,
    format: undefined,
    isUnique: false,
    isSequence: false,
    isAssigned: false,
    isObjectKey: false,
    isSnapshot: false,
    isMade: false,
    generatedAs: undefined,
    schema: undefined,
  };
}

export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
