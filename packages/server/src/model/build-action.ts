// Builds an action from its declaration: members that the declaration leaves out get their defaults.

import type { AttributeDeclaration } from './attribute-declaration.ts';
import { buildAttribute } from './build-attribute.ts';
import type { Action, ActionDeclaration, ScalarAttribute } from './object-type.ts';

export function buildAction(name: string, { takes, answers, ...declared }: ActionDeclaration): Action {
  const { summary, description, method = 'POST' } = declared;
  return {
    method,
    on: 'object',
    ofType: { summary, description },
    isRepeatable: method === 'GET',
    answersStatus: 200,
    answersList: false,
    answersEvents: false,
    ...declared,
    name,
    takes: buildMembers(takes),
    answers: buildMembers(answers),
  };
}

/** The members that an action takes and returns are scalar values, declared like attributes. */
function buildMembers(members: Record<string, AttributeDeclaration>): ScalarAttribute[] {
  return Object.entries(members).map(([name, member]) => buildAttribute(name, member, new Map()) as ScalarAttribute);
}
