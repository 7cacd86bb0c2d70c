// Why a subscription was or was not notified of a change: one table of reasons, each with its sentence for people.

import type { RuleReason } from '../match/judge-candidate.ts';

/** `detail`: the message of what was evaluated, or since when the subscription has its state. */
type Sentence = (detail: string | null) => string;

const sentences = {
  NOTIFIED: () => 'A notification was made.',
  ANOTHER_OPERATION: () =>
    'The subscription is for another operation: C, U or D. A change in the hierarchy of an object is a U of it.',
  ANOTHER_KEY: () => 'The subscription is for another object, by its key.',
  ONLY_MAIN_OBJECT: () => 'Something in the hierarchy of the object was changed, and onlyMainObject is true.',
  BEFORE_SUBSCRIPTION: () => 'The change was made before the subscription.',
  SAME_TRANSACTION: () =>
    'The object was itself created or deleted together with this change, so changes in its hierarchy are not ' +
    'notified separately.',
  OWN_CHANGE: () => "The change was made by the subscription's own user, and notSendMyChanges is true.",
  EXPRESSION_FALSE: () => 'The expression was false.',
  EXPRESSION_ERROR: (detail) => `The subscription could not be evaluated. ${detail ?? ''}`.trimEnd(),
  SCRIPT_FALSE: () => 'The script answered false.',
  SCRIPT_ERROR: (detail) => `The script failed. ${detail ?? ''}`.trimEnd(),
  NOT_ACTIVE: (detail) => `The subscription is not active${detail === null ? '' : ` (${detail})`}.`,
  WAITING: () => 'The change has not been matched yet. Ask again in a moment.',
  SHAPING: () => 'Its script or stylesheet has not been run yet. Ask again in a moment.',
  NOT_RECORDED: () =>
    'What became of it was not kept: it is too long ago, or too many subscriptions held the same change back.',
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
