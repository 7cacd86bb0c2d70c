// Compiles the expression of a subscription against the type of its objects, with the views that must be loaded to
// evaluate it.

import { type CompiledExpression, compileExpression } from '@flaghoist/expressions';
import type { ObjectType } from '../model/object-type.ts';
import type { Compiled } from '../query/compile-selection.ts';
import { parseFieldSelection } from '../query/field-selection.ts';
import type { View } from '../query/view.ts';

export interface ExpressionFilter {
  readonly evaluate: CompiledExpression['evaluate'];
  readonly newView: View;
  readonly oldView: View;
}

export function compileFilter(text: string, type: ObjectType): Compiled<ExpressionFilter> {
  const compiled = compileExpression(text, type);
  if (compiled.kind === 'mistakes') return { kind: 'mistakes', messages: compiled.mistakes.map(renderMistake) };
  const { evaluate, selections } = compiled;
  const newView = parseFieldSelection(selections.new, type);
  const oldView = parseFieldSelection(selections.old, type);
  return { kind: 'compiled', value: { evaluate, newView, oldView } };
}

function renderMistake({ line, column, message }: { line: number; column: number; message: string }): string {
  return `Line ${line}, column ${column}: ${message}`;
}
