// A subscription as matching needs it: compiled, and as small as can be, since there may be hundreds of thousands.

import type { Operation } from '../events/change-event.ts';
import type { ObjectType } from '../model/object-type.ts';
import { keyAndSelfView, type View, wholeView } from '../query/view.ts';
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
  readonly createdSnapshot: Snapshot;
  /** Since when nothing is sent any more, in milliseconds since 1970; undefined while it is active. */
  readonly deactivatedMs: number | undefined;
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
}

export function readSubscription(row: SubscriptionRow, parts: SharedParts): Subscription {
  const { type, selection, condition, snapshot } = parts;
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
    createdSnapshot: snapshot,
    deactivatedMs: row.state === 'DEACTIVATED' ? (row.state_ms ?? Number.POSITIVE_INFINITY) : undefined,
  };
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
