// What all operations under `/ws/rest` have in common: the tag, the required scope, and the errors that any request can
// cause.

import type { ObjectType } from '../../model/object-type.ts';
import type { Scope } from '../../model/scopes.ts';
import type { DescriptionContext } from './description-context.ts';
import { type Requirement, scopeSentence, tokenRequired } from './security.ts';

/** A type, and the scope that the operation on it requires. */
export interface Subject {
  context: DescriptionContext;
  type: ObjectType;
  scope: Scope;
}

export interface OperationHead {
  tags: string[];
  operationId: string;
  summary: string;
  description: string;
  security: Requirement[];
}

export function headOf(
  { context, type, scope }: Subject,
  { operationId, summary, description }: { operationId: string; summary: string; description?: string },
): OperationHead {
  return {
    tags: [type.name],
    operationId,
    summary,
    description: [...(description ? [description] : []), scopeSentence(scope)].join(' '),
    security: tokenRequired(context, scope),
  };
}

export const anytime = [400, 401, 403, 408, 429, 431, 500, 503, 507] as const;
