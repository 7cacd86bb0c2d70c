// The action `completions`: what can follow at a place in an expression that is being written.

import { completionsAt } from '@flaghoist/expressions';
import { typesBelow } from '../../model/hierarchy.ts';
import type { Model } from '../../model/object-type.ts';
import type { ActionHandler } from '../../objects/action-call.ts';
import { rejectViolations } from '../../objects/object-errors.ts';
import { editedTypes, readEditedType } from './edited-type.ts';

export function completeExpression(model: Model): ActionHandler {
  const types = editedTypes(model);
  return async (call) => {
    const type = readEditedType(call, types);
    const expression = call.given.get('expression')!;
    const sent = call.given.get('offset') ?? undefined;
    const offset = sent === undefined ? expression.length : Number(sent);
    if (offset > expression.length)
      rejectViolations([{ path: 'offset', message: `is after the end of the expression, at ${expression.length}.` }]);
    const { from, options } = completionsAt(expression, offset, type, typesBelow({ types: types.subscribable }, type));
    const completions = options.map(({ shown, kind, type: detail, insert, description }) => {
      return { label: shown, kind, detail, insert, description };
    });
    return JSON.stringify({ from, to: offset, completions });
  };
}
