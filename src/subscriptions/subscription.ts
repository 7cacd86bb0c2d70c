// A subscription as matching needs it: compiled, and as small as can be, since there may be hundreds of thousands.

import type { Operation } from '../events/change-event.ts';
import type { ObjectType } from '../model/object-type.ts';
import { entryOf } from '../payload/entry-of.ts';
import { keyAndSelfView, mergeViews, type View, wholeView } from '../query/view.ts';
import { decodeBase64 } from './decode-base64.ts';
import { type Compiled, compileFilter, compileSelection, type ExpressionFilter } from './shaping.ts';
import type { SubscriptionRow } from './subscription-table.ts';
import type { Snapshot } from './transaction-snapshot.ts';

export interface Subscription {
  readonly key: number;
  readonly userKey: number;
  /** As subscribers see it. */
  readonly type: ObjectType;
  readonly operation: Operation;
  /** The one object that is meant; null: all. */
  readonly objectKey: number | null;
  readonly onlyMainObject: boolean;
  readonly notSendMyChanges: boolean;
  readonly rawObject: boolean;
  readonly condition: Condition;
  /** What is shown of the object. */
  readonly view: View;
  /** What is made of it before it can be sent, or held back; undefined where nothing is. */
  readonly preparation: Preparation | undefined;
  readonly createdSnapshot: Snapshot;
  /** Since when nothing is sent any more, in milliseconds since 1970; undefined while it is active. */
  readonly deactivatedMs: number | undefined;
}

/** A script decides, or a stylesheet makes the body; either is run outside the transaction that matches. */
export interface Preparation {
  /** What the script sees of the object; undefined where there is no script. */
  readonly scriptView: View | undefined;
  readonly hasStylesheet: boolean;
}

/** `broken`: what was saved cannot be understood, which only SQL, or a model that has changed, can bring about. */
export type Condition =
  | { readonly kind: 'always' }
  | ({ readonly kind: 'filter' } & ExpressionFilter)
  | { readonly kind: 'broken'; readonly message: string };

/** What `json` comes to. */
export type Selection =
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'broken'; readonly view: View; readonly message: string };

/** What subscriptions may have in common, and is compiled once for all of them. */
export interface SharedParts {
  readonly type: ObjectType;
  readonly selection: Selection;
  readonly condition: Condition;
  readonly snapshot: Snapshot;
  /** What scripts see besides; undefined where there is none. */
  readonly scriptFields: Selection | undefined;
}

export function readSubscription(row: SubscriptionRow, parts: SharedParts): Subscription {
  const { type, selection, condition, snapshot, scriptFields } = parts;
  return {
    key: Number(row.key),
    userKey: Number(row.user),
    type,
    operation: row.operation,
    objectKey: row.object_key === null ? null : Number(row.object_key),
    onlyMainObject: row.only_main_object,
    notSendMyChanges: row.not_send_my_changes,
    rawObject: row.raw_object,
    condition: selection.kind === 'broken' ? selection : condition,
    view: selection.view,
    preparation: readPreparation(row, selection.view, scriptFields),
    createdSnapshot: snapshot,
    deactivatedMs: row.state === 'DEACTIVATED' ? (row.state_ms ?? Number.POSITIVE_INFINITY) : undefined,
  };
}

function readPreparation(
  { alert_script_key, has_stylesheet }: SubscriptionRow,
  view: View,
  scriptFields: Selection | undefined,
): Preparation | undefined {
  if (alert_script_key === null && !has_stylesheet) return undefined;
  // Fields that do not fit are told when the script would be run, as its failure.
  const scriptView = scriptFields?.kind === 'view' ? mergedView(view, scriptFields.view) : view;
  return {
    scriptView: alert_script_key === null ? undefined : scriptView,
    hasStylesheet: has_stylesheet,
  };
}

/** The same of the same two: what is loaded and rendered for several subscriptions is then done once. */
function mergedView(view: View, fields: View): View {
  const ofView = entryOf(mergedViews, view, () => new WeakMap<View, View>());
  return entryOf(ofView, fields, () => mergeViews(view, fields));
}

const mergedViews = new WeakMap<View, WeakMap<View, View>>();

/** `fields`: of a script, as JSON. */
export function readScriptFields(fields: string | null, type: ObjectType): Selection | undefined {
  if (fields === null || fields === 'null') return undefined;
  const compiled = compileSelection(fields, type);
  if (compiled.kind === 'compiled') return { kind: 'view', view: compiled.value };
  const message = `The fields of the script do not fit ${type.name}: ${compiled.messages.join(' ')}`;
  return { kind: 'broken', view: keyAndSelfView(type), message };
}

/** `json`: as it is stored, in Base64. */
export function readSelection(json: string | null, type: ObjectType): Selection {
  if (json === null) return { kind: 'view', view: wholeView(type) };
  const decoded = decodeBase64(json);
  const compiled =
    decoded.kind === 'text' ? compileSelection(decoded.text, type) : mistakes([`json ${decoded.mistake}`]);
  if (compiled.kind === 'compiled') return { kind: 'view', view: compiled.value };
  return { kind: 'broken', view: keyAndSelfView(type), message: compiled.messages.join(' ') };
}

export function readCondition(expression: string | null, type: ObjectType): Condition {
  if (expression === null) return always;
  const compiled = compileFilter(expression, type);
  if (compiled.kind === 'compiled') return { kind: 'filter', ...compiled.value };
  return { kind: 'broken', message: compiled.messages.join(' ') };
}

const always: Condition = { kind: 'always' };

function mistakes(messages: string[]): Compiled<View> {
  return { kind: 'mistakes', messages };
}
