// What all operations under `/ws/rest` have in common: the tag, the required scope, and the errors that any request can
// cause.

import type { ObjectType } from '../../../model/object-type.ts';
import { type Scope, scopesNeeded } from '../../../model/scopes.ts';
import type { DescriptionContext } from '../description-context.ts';

/** A type, and the scope that the operation on it requires. */
export interface Subject {
  context: DescriptionContext;
  type: ObjectType;
  scope: Scope;
}

export interface OperationText {
  operationId: string;
  summary: string;
  description?: string;
}

export function operationHead({ context, type, scope }: Subject, { operationId, summary, description }: OperationText) {
  const needed = scopesNeeded(scope);
  const names = needed.map((one) => `\`${one}\``).join(' and ');
  const scopeText = `Needs the ${needed.length > 1 ? 'scopes' : 'scope'} ${names}.`;
  const issued = context.settings.issuerUrl === undefined ? { oauth2: [...needed] } : { openIdConnect: [] };
  return {
    tags: [type.name],
    operationId,
    summary,
    description: description === undefined ? scopeText : `${description} ${scopeText}`,
    // Either scheme is sufficient: the one that gets a token, or a token that the caller already has.
    security: [issued, { bearerAuth: [] }],
  };
}

export const anytime = [400, 401, 403, 408, 429, 431, 500, 503, 507] as const;
