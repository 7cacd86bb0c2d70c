// The action `checkExpression`: the mistakes that a subscription with this expression would be rejected for, each with
// its place in the text.

import { compileExpression } from '@flaghoist/expressions';
import { typesBelow } from '../../model/hierarchy.ts';
import type { Model } from '../../model/object-type.ts';
import type { ActionHandler } from '../../objects/action-call.ts';
import { findLengthMistake } from '../../subscriptions/check-subscription.ts';
import { editedTypes, readEditedType } from './edited-type.ts';

interface ExpressionError {
  message: string;
  from: number;
  to: number;
  line: number;
  column: number;
  suggestion: string | null;
}

export function checkExpression(model: Model, expressionBytesMax: number): ActionHandler {
  const types = editedTypes(model);
  return async (call) => {
    const type = readEditedType(call, types);
    const expression = call.given.get('expression')!;
    const tooLong = findLengthMistake(expression, { expressionBytesMax });
    if (tooLong !== undefined) return JSON.stringify({ errors: [ofWhole(expression, `The expression ${tooLong}`)] });
    const compiled = compileExpression(expression, type, typesBelow({ types: types.subscribable }, type));
    const mistakes = compiled.kind === 'mistakes' ? compiled.mistakes : [];
    const errors = mistakes.map(({ message, offset, length, line, column, suggestion = null }): ExpressionError => {
      return { message, from: offset, to: offset + length, line, column, suggestion };
    });
    return JSON.stringify({ errors });
  };
}

function ofWhole({ length }: string, message: string): ExpressionError {
  return { message, from: 0, to: length, line: 1, column: 1, suggestion: null };
}
