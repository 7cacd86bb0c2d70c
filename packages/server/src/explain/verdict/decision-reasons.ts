// Why a subscription was or was not notified of a change: one table of reasons, each with its sentence for people.

import type { RuleReason } from '../../match/judge-candidate.ts';

/** `detail`: what decided, the message of the expression or script, or the state of the subscription with its time. */
type Sentence = (detail: string | null) => string;

const sentences = {
  NOTIFIED: () => 'A notification was created.',
  ANOTHER_OPERATION: () =>
    'The subscription is for another operation: C, U or D. A change in the hierarchy of an object counts as a U.',
  ANOTHER_KEY: () => 'The subscription is for an object with another key.',
  ONLY_MAIN_OBJECT: () =>
    'Only an object in the hierarchy of the subscribed object changed, and onlyMainObject is true.',
  BEFORE_SUBSCRIPTION: () => 'The change was made before the subscription was created.',
  SAME_TRANSACTION: () =>
    'The object was created or deleted in the same transaction, so changes in its hierarchy are not notified ' +
    'separately.',
  OWN_CHANGE: () => "The change was made by the subscription's own user, and notSendMyChanges is true.",
  OBJECT_DELETED: () => 'Another transaction had deleted the object.',
  EXPRESSION_FALSE: (detail) => `The expression was false${detail === null ? '' : `: ${detail}`}.`,
  EXPRESSION_ERROR: (detail) => `The subscription could not be evaluated. ${detail ?? ''}`.trimEnd(),
  SCRIPT_FALSE: () => 'The script returned false.',
  SCRIPT_ERROR: (detail) => `The script failed. ${detail ?? ''}`.trimEnd(),
  NOT_ACTIVE: (detail) => `The subscription is not active${detail === null ? '' : ` (${detail})`}.`,
  WAITING: () => 'The change has not been matched yet. Try again in a moment.',
  SHAPING: () => 'The script or stylesheet has not been run yet. Try again in a moment.',
  NOT_RECORDED: () => 'The decision is not stored: the change is too old, or too many subscriptions suppressed it.',
} as const satisfies Record<string, Sentence>;

export type DecisionReason = keyof typeof sentences;

/** Every RuleReason is a DecisionReason, too. */
export const decisionReasons = Object.keys(sentences) as (DecisionReason | RuleReason)[];

export interface Verdict {
  isNotified: boolean;
  reason: DecisionReason;
  message: string;
}

/** The detail of `NOT_ACTIVE`, for example `unsubscribed since 2026-11-15T08:30:00`. */
export function nameState(state: string, sinceMs: number | null): string {
  const since = sinceMs === null ? '' : ` since ${new Date(sinceMs).toISOString().slice(0, 19)}`;
  return `${state.toLowerCase()}${since}`;
}

export function explain(reason: DecisionReason, detail: string | null = null): Verdict {
  const sentence: Sentence = sentences[reason];
  return { isNotified: reason === 'NOTIFIED', reason, message: sentence(detail) };
}
