// What every operation under `/ws/rest` has in common: whose it is, the scope that it needs, and what may happen to any
// request.

import type { ObjectType } from '../../model/object-type.ts';
import type { Scope } from '../../model/scopes.ts';
import type { DescriptionContext } from './description-context.ts';
import { type Requirement, scopeSentence, tokenRequired } from './security.ts';

/** A type, and the scope of what is done with it. */
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
