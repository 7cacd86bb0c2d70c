// Compiles the field selection of a subscription or script against the type of its objects. The syntax is that of
// `fields` in a request, without files.

import { ApiError } from '../errors.ts';
import type { ObjectType } from '../model/object-type.ts';
import { parseFieldSelectionText } from './field-selection.ts';
import type { View } from './view.ts';

export type Compiled<T> = { kind: 'compiled'; value: T } | { kind: 'mistakes'; messages: readonly string[] };

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

/** The paths of all files that the view shows. */
function filesIn({ items }: View, before: string): string[] {
  return items.flatMap((item) => {
    const path = `${before}${item.attribute.name}`;
    if (item.kind === 'scalar') return item.attribute.kind === 'binary' ? [path] : [];
    return filesIn(item.view, `${path}.`);
  });
}
