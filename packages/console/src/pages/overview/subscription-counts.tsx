// How many subscriptions are in which state.

import { Link } from '../../routing/link.tsx';
import { requestAnswer } from '../../service/request.ts';
import { useFeedReload } from '../../service/use-feed-reload.ts';
import { useLoaded } from '../../service/use-loaded.ts';

const states = [
  { name: 'ACTIVE', words: 'active', filter: ['state(EQ)ACTIVE'] },
  { name: 'FAILING', words: 'failing', filter: ['state(EQ)ACTIVE', 'failingSince(NOTNULL)'] },
  { name: 'DEACTIVATED', words: 'deactivated', filter: ['state(EQ)DEACTIVATED'] },
] as const;

const recountMs = 20_000;

/** Failing ones are active, too. */
export function SubscriptionCounts() {
  const loaded = useLoaded((signal) => Promise.all(states.map(({ filter }) => countSubscriptions(filter, signal))), []);
  // Whether one is failing follows from its notifications.
  useFeedReload(loaded, { subscriptions: () => true });
  useFeedReload(loaded, { notifications: ({ skipped }) => skipped > 0 }, recountMs);
  const counts = loaded.value;
  if (!counts) return null;
  return (
    <span>
      Subscriptions:{' '}
      {states.map(({ name, words }, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <Link to={`/subscriptions?state=${name}`}>
            {counts[index]!.toLocaleString()} {words}
          </Link>
        </span>
      ))}
      .
    </span>
  );
}

async function countSubscriptions(filter: readonly string[], signal: AbortSignal): Promise<number> {
  const query = { filter, limit: 1, pageNumber: 1 };
  const { headers } = await requestAnswer('/WebhookSubscription', { query, fields: { name: '*' }, signal });
  return Number(headers.get('totalobjectsnumber') ?? 0);
}
