// Makes a subscription what a program wants it to be, whenever the program starts. Several processes may do so at once.
//
//   The subscription of this name      | is        | by
//   -----------------------------------+-----------+---------------------
//   none, or it is unsubscribed        | created   | POST
//   active, and as wanted              | unchanged |
//   active, and different              | updated   | PUT
//   active, different in what is fixed | replaced  | POST with `replaces`
//   deactivated                        | replaced  | POST with `replaces`
//
// The service decides what differs and what is fixed. A process that another one has overtaken starts again.

import { FlaghoistError } from '../flaghoist-error.ts';
import type { CallOptions, Client } from './client.ts';
import { type FindParts, findSubscriptions } from './find-subscription.ts';
import { changesTo, isOfFixed } from './subscription-changes.ts';
import type { EnsuredSubscription, SubscriptionWish } from './subscription-wish.ts';
import { wait } from './wait.ts';

/** How often to start again. */
const attemptsMax = 8;

export async function ensureSubscription(
  parts: FindParts,
  wish: SubscriptionWish,
  { signal }: CallOptions = {},
): Promise<EnsuredSubscription> {
  if (typeof wish?.name !== 'string' || wish.name.trim() === '')
    throw new FlaghoistError('invalidRequest', '`ensureSubscription` needs a `name`: it finds the subscription by it.');
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { keys, newest } = await findSubscriptions(parts, wish, signal);
      if (keys.length > 1) throw notUnique(keys);
      if (keys.length === 1) return await adapt(parts.client, keys[0]!, wish, signal);
      // What another process creates shows after a moment. If nothing does, it is gone: its key cannot be used again.
      const salt = attempt <= attemptsMax / 2 ? 0 : attempt;
      return await create(parts, wish, await digest(`${wish.name}\n${newest}\n${salt}`), signal);
    } catch (error) {
      if (!isOvertaken(error) || attempt === attemptsMax) throw error;
      await wait(attempt * (50 + 100 * Math.random()), signal);
    }
  }
}

/** Of processes of one client that create it at once, one does: they all send the same Idempotency-Key. */
async function create(
  parts: FindParts,
  wish: SubscriptionWish,
  idempotencyKey: string,
  signal?: AbortSignal,
): Promise<EnsuredSubscription> {
  const { client } = parts;
  const created = await client.create('WebhookSubscription', wish, { idempotencyKey, signal });
  const { key, signingSecret } = created;
  const { keys } = await findSubscriptions(parts, wish, signal);
  // The answer to a repeat may be about a subscription that has ended since.
  if (!keys.includes(key)) throw overtaken();
  // Another client of the same user was faster.
  if (keys.some((other) => other < key)) {
    await client.update('WebhookSubscription', key, { unsubscribed: true }, { signal });
    throw overtaken();
  }
  const subscription = await client.get('WebhookSubscription', key, { signal });
  return { key, outcome: signingSecret ? 'created' : 'unchanged', subscription, signingSecret };
}

async function adapt(
  client: Client,
  key: number,
  wish: SubscriptionWish,
  signal?: AbortSignal,
): Promise<EnsuredSubscription> {
  const subscription = await client.get('WebhookSubscription', key, { signal });
  if (subscription.state === 'UNSUBSCRIBED') throw overtaken();
  if (subscription.state === 'DEACTIVATED') return replace(client, key, wish, signal);
  const changes = changesTo(subscription, wish);
  const ensured = { key, signingSecret: undefined };
  if (Object.keys(changes).length === 0) return { ...ensured, outcome: 'unchanged', subscription };
  try {
    const changed = await client.update(subscription, changes, { signal });
    // The service may have it in another form: a script by its code, a field selection in Base64.
    const isSame = JSON.stringify(changed) === JSON.stringify(subscription);
    return { ...ensured, outcome: isSame ? 'unchanged' : 'updated', subscription: changed };
  } catch (error) {
    if (error instanceof FlaghoistError && error.violations.some(isOfFixed)) return replace(client, key, wish, signal);
    throw error;
  }
}

/** In one transaction, so nothing is lost: what the old one has not delivered goes to the new one. */
async function replace(
  client: Client,
  replaces: number,
  wish: SubscriptionWish,
  signal?: AbortSignal,
): Promise<EnsuredSubscription> {
  const { key, signingSecret } = await client.create('WebhookSubscription', { ...wish, replaces }, { signal });
  const subscription = await client.get('WebhookSubscription', key, { signal });
  return { key, outcome: 'replaced', subscription, signingSecret };
}

/** Whether another process has created, changed or replaced the subscription meanwhile. */
function isOvertaken(error: unknown): boolean {
  if (!(error instanceof FlaghoistError)) return false;
  const { code, violations } = error;
  const isReplaced = violations.some(({ path }) => path === 'replaces');
  return isReplaced || ['stale', 'notFound', 'unsubscribed', 'stillRunning', 'keyReused'].includes(code);
}

function overtaken(): FlaghoistError {
  return new FlaghoistError('unsubscribed', 'The subscription was ended or renamed meanwhile. Try again.');
}

function notUnique(keys: readonly number[]): FlaghoistError {
  const problem = `${keys.length} subscriptions have this name: ${keys.slice(0, 10).join(', ')}.`;
  return new FlaghoistError('notUnique', `${problem} Unsubscribe all but one, or choose another name.`);
}

/** A header takes no other characters. */
async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`ensureSubscription\n${text}`));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
