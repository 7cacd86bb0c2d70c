// Operations that belong to no object type, such as the list of recent changes. They are declared, routed and described
// like the actions of types.

import { buildAction } from './build-action.ts';
import type { Action, ActionDeclaration } from './object-type.ts';
import type { Scope } from './scopes.ts';

/** Unlike actions, operations exist in every API version. */
export interface ServiceOperationDeclaration extends Omit<ActionDeclaration, 'on' | 'ofType' | 'since' | 'deprecated'> {
  /** Below `/ws/rest`. It begins with a small letter, which the name of no type does. */
  path: string;
  /** The scope that the caller needs. */
  scope: Scope;
}

export interface ServiceOperation extends Action {
  readonly path: string;
  readonly scope: Scope;
}

export function buildServiceOperation(name: string, declaration: ServiceOperationDeclaration): ServiceOperation {
  const { path, scope, ...declared } = declaration;
  return { ...buildAction(name, declared), on: 'type', path, scope };
}
