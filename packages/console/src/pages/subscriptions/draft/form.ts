// What every section of the editor gets: the draft, how to change it, and the mistakes that the service has found.

import type { Model, ModelType } from '../../../model/model.ts';
import { onlyObjectType } from '../event-type.ts';
import { type Draft, eventTypesOf } from './draft.ts';

export interface EditorForm {
  draft: Draft;
  change(part: Partial<Draft>): void;
  /** Exactly of this attribute or of its elements. `isWhole`: also of what is inside it. */
  errorOf(name: string, isWhole?: boolean): string | undefined;
  model: Model;
  /** Whether the subscription exists: then its fixed attributes cannot be changed. */
  isSaved: boolean;
  /** Whether the subscription replaces another one: then it has its event types. */
  isReplacing: boolean;
}

/** The type that all event types name; undefined if they name several or none. */
export function typeOf({ draft, model }: Pick<EditorForm, 'draft' | 'model'>): ModelType | undefined {
  return model.byName.get(onlyObjectType(eventTypesOf(draft.events)) ?? '');
}
