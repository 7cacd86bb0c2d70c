// What all operations under `/ws/rest` have in common: the tag, the required scope, and the errors that any request can
// cause.

import type { Deprecation } from '../../../model/deprecation.ts';
import type { ObjectType } from '../../../model/object-type.ts';
import { type Scope, scopesNeeded } from '../../../model/scopes.ts';
import { deprecationOf, withDeprecation } from '../describe-attribute.ts';
import type { DescriptionContext } from '../description-context.ts';
import { type HeaderName, headerRefs } from '../parameters.ts';

/** What an operation is on, and the scope that it requires. */
export interface AnySubject {
  context: DescriptionContext;
  /** Undefined: the operation belongs to no type. */
  type: ObjectType | undefined;
  scope: Scope;
}

export interface Subject extends AnySubject {
  type: ObjectType;
}

export const serviceTag = {
  name: 'Service',
  description: 'What belongs to no type, such as recent changes to all objects.',
};

export interface OperationText {
  operationId: string;
  summary: string;
  description?: string;
  deprecated?: Deprecation | undefined;
}

export function operationHead({ context, type, scope }: AnySubject, text: OperationText) {
  const { operationId, summary, description } = text;
  // An action may be deprecated on its own.
  const deprecated = text.deprecated ?? type?.deprecated;
  const needed = scopesNeeded(scope);
  const names = needed.map((one) => `\`${one}\``).join(' and ');
  const scopeText = `Needs the ${needed.length > 1 ? 'scopes' : 'scope'} ${names}.`;
  const issued = context.settings.issuerUrl === undefined ? { oauth2: [...needed] } : { openIdConnect: [] };
  return {
    tags: [type?.name ?? serviceTag.name],
    operationId,
    summary,
    description: withDeprecation(description === undefined ? scopeText : `${description} ${scopeText}`, { deprecated }),
    ...deprecationOf({ deprecated }),
    // Either scheme is sufficient: the one that gets a token, or a token that the caller already has.
    security: [issued, { bearerAuth: [] }],
  };
}

export const anytime = [400, 401, 403, 408, 429, 431, 500, 503, 507] as const;

/** The headers of an answer that is no error. */
export function answerHeaders(
  { context }: Pick<Subject, 'context'>,
  ...names: HeaderName[]
): Record<string, { $ref: string }> {
  const deprecation: HeaderName[] = context.hasDeprecations ? ['Deprecation', 'Sunset', 'Link'] : [];
  return headerRefs(...new Set([...names, 'flaghoist-request-id' as const, ...deprecation]));
}
