// Which subscriptions were notified of a change, as the service explains it. Best effort: without the scope `webhook`,
// nothing is known.

import { setTimeout as sleep } from 'node:timers/promises';
import { FlaghoistError } from '@flaghoist/sdk';
import { printable } from '@flaghoist/source-text';
import type { Connection } from '../connection/connect.ts';

export interface Decision {
  event: number;
  objectType: string;
  eventType: string;
  objectKey: number;
  subscription: number;
  subscriptionName?: string | null;
  isNotified: boolean;
  reason: string;
  message: string;
  notification?: number | null;
}

const pollEveryMs = 100;
const patienceMs = 5_000;

/** Events of the object that are newer come from the change that follows. Undefined: not known. */
export async function newestEvent({ client }: Connection, objectKey: number | undefined): Promise<number | undefined> {
  if (objectKey === undefined) return 0;
  const decisions = await unlessForbidden(client.call('WebhookSubscription', 'decisions', { objectKey, limit: 1 }));
  return decisions && (decisions[0]?.event ?? 0);
}

/** Waits for a few seconds until the service has decided. */
export async function awaitDecisions(
  { client }: Connection,
  objectKey: number,
  after: number | undefined,
): Promise<Decision[] | null> {
  if (after === undefined) return null;
  const startedAt = performance.now();
  for (;;) {
    const found = await unlessForbidden(client.call('WebhookSubscription', 'decisions', { objectKey, limit: 100 }));
    if (!found) return null;
    const decisions = found.filter(({ event }) => event > after);
    const isOpen = decisions.some(({ reason }) => reason === 'WAITING' || reason === 'SHAPING');
    if (!isOpen || performance.now() - startedAt > patienceMs) return decisions.reverse();
    await sleep(pollEveryMs);
  }
}

/** All that were notified, and of those that were not, the ones that are about this change itself. */
export function renderDecisions(decisions: readonly Decision[] | null, changedKey: number): string {
  if (decisions === null) return 'Who was notified is not known: the client lacks the scope webhook.\n';
  const shown = decisions.filter(
    ({ isNotified, objectKey, reason }) => isNotified || (objectKey === changedKey && !ended.includes(reason)),
  );
  if (shown.length === 0) return 'No subscription of yours is about it.\n';
  return shown.map(renderDecision).join('');
}

/** Of subscriptions that no longer exist, or did not yet. */
const ended = ['NOT_ACTIVE', 'BEFORE_SUBSCRIPTION'];

function renderDecision(decision: Decision): string {
  const { subscription, subscriptionName, isNotified, notification, message } = decision;
  const name = subscriptionName ? ` "${printable(subscriptionName)}"` : '';
  const outcome = isNotified ? `notified: notification ${notification}` : `not notified: ${printable(message)}`;
  return `  Subscription ${subscription}${name} is ${outcome}\n`;
}

async function unlessForbidden<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof FlaghoistError && error.status === 403) return undefined;
    throw error;
  }
}
