// A subscription as matching needs it: compiled, and as small as possible. There may be hundreds of thousands of them.

import { type CompiledExpression, compileExpression, type FieldTree } from '@flaghoist/expressions';
import { entryOf } from '../entry-of.ts';
import type { Snapshot } from '../events/transaction-snapshot.ts';
import { typesBelow } from '../model/hierarchy.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { type Compiled, compileSelection } from '../query/compile-selection.ts';
import { parseFieldSelection } from '../query/field-selection.ts';
import { keyAndSelfView, mergeViews, type View, wholeView } from '../query/view.ts';
import { decodeBase64Text } from './decode-base64-text.ts';
import type { EventTypes } from './event-types.ts';
import type { SubscriptionRow } from './subscription-table.ts';

export interface Subscription extends EventTypes {
  readonly key: number;
  readonly userKey: number;
  readonly onlyMainObject: boolean;
  readonly notSendMyChanges: boolean;
  readonly rawObject: boolean;
  readonly includeChanges: boolean;
  readonly condition: Condition;
  /** The part of the object that notifications contain. Undefined: the whole object, of whatever type (`viewOf`). */
  readonly view: View | undefined;
  /** How a match is shaped or suppressed before it is sent. Undefined if there is no script and no stylesheet. */
  readonly preparation: Preparation | undefined;
  /** Whether notifications about the same object are sent one after the other. */
  readonly isOrdered: boolean;
  /** Whether consumers fetch the notifications. */
  readonly isStreamed: boolean;
  readonly createdSnapshot: Snapshot;
  /** When the subscription was deactivated, in milliseconds since 1970. Undefined while it is active. */
  readonly deactivatedMs: number | undefined;
}

/** A script decides whether to send; a stylesheet creates the body. Both run outside the transaction that matches. */
export interface Preparation {
  /** The part of the object that the script sees. Undefined if there is no script. */
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
  /** The views of the changed object, by the name of its type. Undefined if the expression does not use it. */
  readonly changedViews: ReadonlyMap<string, ChangedViews> | undefined;
}

export interface ChangedViews {
  readonly newView: View;
  readonly oldView: View;
}

/** A compiled field selection: the `json` of a subscription, or the fields of a script. */
export type Selection =
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'broken'; readonly view: View; readonly message: string };

/** Parts that are compiled once and shared by many subscriptions. */
export interface SharedParts {
  readonly eventTypes: EventTypes;
  /** The only type of the subscribed objects. Undefined if there are several. */
  readonly type: ObjectType | undefined;
  /** Undefined: everything. */
  readonly selection: Selection | undefined;
  readonly condition: Condition;
  readonly snapshot: Snapshot;
  /** Further fields that the script sees. Undefined if there are none. */
  readonly scriptFields: Selection | undefined;
}

export function readSubscription(row: SubscriptionRow, parts: SharedParts): Subscription {
  const { eventTypes, type, selection, condition, snapshot, scriptFields } = parts;
  const preparation = type && readPreparation(row, selection?.view ?? wholeView(type), scriptFields);
  return {
    key: Number(row.key),
    userKey: Number(row.user),
    // The same text for all subscriptions, not a copy for each.
    objectType: type?.name ?? eventTypes.objectType,
    operation: eventTypes.operation,
    objectKey: eventTypes.objectKey,
    further: eventTypes.further,
    onlyMainObject: row.only_main_object,
    notSendMyChanges: row.not_send_my_changes,
    rawObject: row.raw_object,
    includeChanges: row.include_changes,
    condition: selection?.kind === 'broken' ? selection : condition,
    view: selection?.view,
    preparation,
    isOrdered: row.is_ordered,
    isStreamed: row.is_streamed,
    createdSnapshot: snapshot,
    deactivatedMs: row.state === 'DEACTIVATED' ? (row.state_ms ?? Number.POSITIVE_INFINITY) : undefined,
  };
}

/** `type`: the type of the subscribed object. */
export function viewOf({ view }: Subscription, type: ObjectType): View {
  return view ?? wholeView(type);
}

function readPreparation(
  { alert_script_key, has_stylesheet }: SubscriptionRow,
  view: View,
  scriptFields: Selection | undefined,
): Preparation | undefined {
  if (alert_script_key === null && !has_stylesheet) return undefined;
  // Fields that do not fit the type are reported as a failure of the script, when it is due to run.
  const scriptView = scriptFields?.kind === 'view' ? mergedView(view, scriptFields.view) : view;
  return {
    scriptView: alert_script_key === null ? undefined : scriptView,
    hasStylesheet: has_stylesheet,
  };
}

/** Returns the same object for the same two views, so that loading and rendering are shared between subscriptions. */
function mergedView(view: View, fields: View): View {
  const mergedWithView = entryOf(mergedViews, view, () => new WeakMap<View, View>());
  return entryOf(mergedWithView, fields, () => mergeViews(view, fields));
}

const mergedViews = new WeakMap<View, WeakMap<View, View>>();

/** `fields`: the field selection of a script, as JSON. */
export function readScriptFields(fields: string | null, type: ObjectType): Selection | undefined {
  if (fields === null || fields === 'null') return undefined;
  return selectionOf(compileSelection(fields, type), type, `The fields of the script do not fit ${type.name}: `);
}

/** `json`: as stored, in Base64. */
export function readSelection(json: string | null, type: ObjectType): Selection | undefined {
  if (json === null) return undefined;
  const decoded = decodeBase64Text(json);
  return decoded.kind === 'text'
    ? selectionOf(compileSelection(decoded.text, type), type)
    : selectionOf({ kind: 'mistakes', messages: [`json ${decoded.mistake}`] }, type);
}

function selectionOf(compiled: Compiled<View>, type: ObjectType, prefix = ''): Selection {
  if (compiled.kind === 'compiled') return { kind: 'view', view: compiled.value };
  return { kind: 'broken', view: keyAndSelfView(type), message: `${prefix}${compiled.messages.join(' ')}` };
}

/** `model`: as subscribers see it. `type` is one of its types. */
export function readCondition(expression: string | null, type: ObjectType, model: Model): Condition {
  if (expression === null) return always;
  const compiled = compileFilter(expression, type, model);
  if (compiled.kind === 'compiled') return { kind: 'filter', ...compiled.value };
  return { kind: 'broken', message: compiled.messages.join(' ') };
}

/** For a subscription on several types. Only direct SQL can give it anything that depends on the type. */
export function readUntypedCondition(row: SubscriptionRow): Condition {
  const { json, expression, alert_script_key, has_stylesheet } = row;
  const isShaped = json !== null || expression !== null || alert_script_key !== null || has_stylesheet;
  return isShaped ? { kind: 'broken', message: 'The subscription has event types of several object types.' } : always;
}

const always: Condition = { kind: 'always' };

export function compileFilter(text: string, type: ObjectType, model: Model): Compiled<ExpressionFilter> {
  const hierarchy = typesBelow(model, type);
  const compiled = compileExpression(text, type, hierarchy);
  if (compiled.kind === 'mistakes') {
    const messages = compiled.mistakes.map(({ line, column, message }) => `Line ${line}, column ${column}: ${message}`);
    return { kind: 'mistakes', messages };
  }
  const { evaluate, selections, changed } = compiled;
  const newView = parseFieldSelection(selections.new, type);
  const oldView = parseFieldSelection(selections.old, type);
  const changedViews = changed && viewsOfChanged(changed, hierarchy);
  return { kind: 'compiled', value: { evaluate, newView, oldView, changedViews } };
}

/** An object of any type in the hierarchy may be the changed one, also if no attribute of that type is read. */
function viewsOfChanged(
  read: NonNullable<CompiledExpression['changed']>,
  hierarchy: readonly ObjectType[],
): ReadonlyMap<string, ChangedViews> {
  const viewOf = (fields: ReadonlyMap<string, FieldTree>, type: ObjectType) => {
    const selection = fields.get(type.name);
    return selection ? parseFieldSelection(selection, type) : keyAndSelfView(type);
  };
  return new Map(
    hierarchy.map((type) => [type.name, { newView: viewOf(read.new, type), oldView: viewOf(read.old, type) }]),
  );
}
