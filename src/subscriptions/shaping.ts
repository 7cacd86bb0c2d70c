// What a subscription says about the objects it hears of, compiled against their type: the field selection of `json` and the
// condition of `expression`. Used where a subscription is saved, and where it is loaded to be matched.

import { ApiError } from '../errors.ts';
import { type CompiledExpression, compileExpression } from '../filters/expression/compile-expression.ts';
import { newestVersion } from '../model/api-versions.ts';
import { narrowModel } from '../model/narrow-model.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { withIncluded } from '../model/scopes.ts';
import { parseFieldSelection, parseFieldSelectionText } from '../query/field-selection.ts';
import type { View } from '../query/view.ts';

export type Compiled<T> = { kind: 'compiled'; value: T } | { kind: 'mistakes'; messages: readonly string[] };

/** What is evaluated, and what has to be loaded for it. */
export interface ExpressionFilter {
  readonly evaluate: CompiledExpression['evaluate'];
  readonly newView: View;
  readonly oldView: View;
}

/**
 * The model as every subscriber sees it, whoever saved the subscription: the newest version, since the version of a request
 * never changes what is delivered, and what `read` shows, since notifications go to whoever has the URL.
 */
export function subscriberModel(model: Model): Model {
  return narrowModel(model, { version: newestVersion, scopes: withIncluded(['read', 'webhook']) });
}

/** `text`: the decoded JSON. */
export function compileSelection(text: string, type: ObjectType): Compiled<View> {
  try {
    const view = parseFieldSelectionText(text, type);
    const files = filesIn(view, '');
    if (files.length === 0) return { kind: 'compiled', value: view };
    return { kind: 'mistakes', messages: files.map((path) => `${path}: a notification carries no files.`) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'mistakes', messages: [error.message] };
  }
}

/** The paths of all that it shows of files. */
function filesIn({ items }: View, before: string): string[] {
  return items.flatMap((item) => {
    const path = `${before}${item.attribute.name}`;
    if (item.kind === 'scalar') return item.attribute.kind === 'binary' ? [path] : [];
    return filesIn(item.view, `${path}.`);
  });
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
