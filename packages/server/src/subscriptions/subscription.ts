// A subscription as matching needs it: compiled, and as small as possible, because there may be hundreds of thousands.

import { type CompiledExpression, compileExpression } from '@flaghoist/expressions';
import { entryOf } from '../entry-of.ts';
import type { Operation } from '../events/change-event.ts';
import type { ObjectType } from '../model/object-type.ts';
import { type Compiled, compileSelection } from '../query/compile-selection.ts';
import { parseFieldSelection } from '../query/field-selection.ts';
import { keyAndSelfView, mergeViews, type View, wholeView } from '../query/view.ts';
import { decodeBase64 } from './decode-base64.ts';
import type { SubscriptionRow } from './subscription-table.ts';
import type { Snapshot } from './transaction-snapshot.ts';

export interface Subscription {
  readonly key: number;
  readonly userKey: number;
  /** The type as subscribers see it. */
  readonly type: ObjectType;
  readonly operation: Operation;
  /** The one object to match; null: all. */
  readonly objectKey: number | null;
  readonly onlyMainObject: boolean;
  readonly notSendMyChanges: boolean;
  readonly rawObject: boolean;
  readonly condition: Condition;
  /** What is shown of the object. */
  readonly view: View;
  /** How the match is shaped or suppressed before it is sent. Undefined if there is no script and no stylesheet. */
  readonly preparation: Preparation | undefined;
  readonly createdSnapshot: Snapshot;
  /** When the subscription was deactivated, in milliseconds since 1970. Undefined while it is active. */
  readonly deactivatedMs: number | undefined;
}

/** A script decides whether to send, or a stylesheet makes the body. Both run outside the transaction that matches. */
export interface Preparation {
  /** What the script sees of the object. Undefined if there is no script. */
  readonly scriptView: View | undefined;
  readonly hasStylesheet: boolean;
}

/** `broken`: the saved text is invalid. Only direct SQL or a changed model can cause this. */
export type Condition =
  | { readonly kind: 'always' }
  | ({ readonly kind: 'filter' } & ExpressionFilter)
  | { readonly kind: 'broken'; readonly message: string };

/** A compiled expression, with the views that must be loaded to evaluate it. */
interface ExpressionFilter {
  readonly evaluate: CompiledExpression['evaluate'];
  readonly newView: View;
  readonly oldView: View;
}

/** A compiled field selection: of `json`, or of the fields of a script. */
export type Selection =
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'broken'; readonly view: View; readonly message: string };

/** Parts that subscriptions can share. They are compiled once. */
export interface SharedParts {
  readonly type: ObjectType;
  readonly selection: Selection;
  readonly condition: Condition;
  readonly snapshot: Snapshot;
  /** What the script sees in addition. Undefined if there is nothing. */
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
  // Fields that do not fit the type are reported when the script is due to run, as a failure of the script.
  const scriptView = scriptFields?.kind === 'view' ? mergedView(view, scriptFields.view) : view;
  return {
    scriptView: alert_script_key === null ? undefined : scriptView,
    hasStylesheet: has_stylesheet,
  };
}

/** Returns the same view for the same two, so that loading and rendering are shared between subscriptions. */
function mergedView(view: View, fields: View): View {
  const ofView = entryOf(mergedViews, view, () => new WeakMap<View, View>());
  return entryOf(ofView, fields, () => mergeViews(view, fields));
}

const mergedViews = new WeakMap<View, WeakMap<View, View>>();

/** `fields`: the field selection of a script, as JSON. */
export function readScriptFields(fields: string | null, type: ObjectType): Selection | undefined {
  if (fields === null || fields === 'null') return undefined;
  return selectionOf(compileSelection(fields, type), type, `The fields of the script do not fit ${type.name}: `);
}

/** `json`: as stored, in Base64. */
export function readSelection(json: string | null, type: ObjectType): Selection {
  if (json === null) return { kind: 'view', view: wholeView(type) };
  const decoded = decodeBase64(json);
  return decoded.kind === 'text'
    ? selectionOf(compileSelection(decoded.text, type), type)
    : selectionOf({ kind: 'mistakes', messages: [`json ${decoded.mistake}`] }, type);
}

function selectionOf(compiled: Compiled<View>, type: ObjectType, complaint = ''): Selection {
  if (compiled.kind === 'compiled') return { kind: 'view', view: compiled.value };
  return { kind: 'broken', view: keyAndSelfView(type), message: `${complaint}${compiled.messages.join(' ')}` };
}

export function readCondition(expression: string | null, type: ObjectType): Condition {
  if (expression === null) return always;
  const compiled = compileFilter(expression, type);
  if (compiled.kind === 'compiled') return { kind: 'filter', ...compiled.value };
  return { kind: 'broken', message: compiled.messages.join(' ') };
}

const always: Condition = { kind: 'always' };

export function compileFilter(text: string, type: ObjectType): Compiled<ExpressionFilter> {
  const compiled = compileExpression(text, type);
  if (compiled.kind === 'mistakes') {
    const messages = compiled.mistakes.map(({ line, column, message }) => `Line ${line}, column ${column}: ${message}`);
    return { kind: 'mistakes', messages };
  }
  const { evaluate, selections } = compiled;
  const newView = parseFieldSelection(selections.new, type);
  const oldView = parseFieldSelection(selections.old, type);
  return { kind: 'compiled', value: { evaluate, newView, oldView } };
}
