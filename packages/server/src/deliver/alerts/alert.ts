// The alerts that the operator gets: one row per kind, with the sentence that says what happened. Facts are stored as
// JSON until the alert is sent, so their times are texts.

import { printable } from '@flaghoist/source-text';
import { renderCount, renderDay, renderDuration, renderTime, shorten } from '../mail/mail-text.ts';

export interface AlertFacts {
  SUBSCRIPTION_DEACTIVATED: { attempts: number; error: string; waiting: number };
  SUBSCRIPTION_FAILING: {
    since: string;
    error: string;
    waiting: number;
    lastAttempt: string;
    /** Whether the subscription is deactivated if the last attempt fails. */
    isDeactivated: boolean;
  };
  SHAPING_FAILING: { part: 'script' | 'stylesheet'; failures: number; error: string };
  BACKLOG_OLD: {
    what: 'notifications' | 'changes';
    waiting: number;
    ageSeconds: number;
    /** How many subscriptions have such a backlog, if it is not about one of them. */
    subscriptions?: number;
  };
  /** `oldest`: since when a notification has not been acknowledged. `expires`: when it can no longer be fetched. */
  STREAM_EXPIRING: { waiting: number; oldest: string; expires: string };
}

export type AlertKind = keyof AlertFacts;

export type NewAlert = {
  [Kind in AlertKind]: { subscriptionKey: number; kind: Kind; facts: AlertFacts[Kind] };
}[AlertKind];

/** What an alert is about if it is not about one subscription. */
export const wholeService = 0;

/** `about`: names the subscription, or the service. */
type Sentences = { [Kind in AlertKind]: (about: string, facts: AlertFacts[Kind]) => string };

const sentences: Sentences = {
  SUBSCRIPTION_DEACTIVATED: (about, { attempts, error, waiting }) =>
    `${about} is deactivated: a notification could not be delivered in ${renderCount(attempts, 'attempt')}. ` +
    `${lastError(error)} Not delivered: ${renderCount(waiting, 'notification')}.`,
  SUBSCRIPTION_FAILING: (about, { since, error, waiting, lastAttempt, isDeactivated }) =>
    `${about}: deliveries have been failing since ${renderTime(new Date(since))}. ${lastError(error)} ` +
    `Waiting: ${renderCount(waiting, 'notification')}. The last attempt is about ${renderTime(new Date(lastAttempt))}` +
    `${isDeactivated ? '; if it fails, the subscription is deactivated' : ''}.`,
  SHAPING_FAILING: (about, { part, failures, error }) =>
    `${about}: the ${part} has failed ${failures} times in a row, and nothing is sent. ${lastError(error)}`,
  BACKLOG_OLD: (about, { what, waiting, ageSeconds, subscriptions }) => {
    const age = renderDuration(ageSeconds * 1000);
    if (what === 'changes')
      return `${about}: waiting to be matched: ${renderCount(waiting, 'change')}, for up to ${age}.`;
    const of = subscriptions === undefined ? '' : ` of ${renderCount(subscriptions, 'subscription')}`;
    return `${about}: waiting to be sent: ${renderCount(waiting, 'notification')}${of}, for up to ${age}.`;
  },
  STREAM_EXPIRING: (about, { waiting, oldest, expires }) =>
    `${about}: nobody fetches its notifications. Not acknowledged: ${renderCount(waiting, 'notification')}, the oldest ` +
    `from ${renderDay(new Date(oldest))}. From ${renderDay(new Date(expires))} on, the oldest ones fail, and can no ` +
    'longer be fetched.',
};

export function sentenceOf(kind: AlertKind, about: string, facts: AlertFacts[AlertKind]): string {
  const sentence = (sentences[kind] as (about: string, facts: AlertFacts[AlertKind]) => string)(about, facts);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

const errorMax = 300;

function lastError(error: string): string {
  const shown = shorten(printable(error.trim()), errorMax);
  return `Last error: ${shown}${/[.!?…]$/.test(shown) ? '' : '.'}`;
}
