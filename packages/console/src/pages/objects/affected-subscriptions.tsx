// Which subscriptions a change would notify, before it is saved.

import type { ModelType } from '../../model/model.ts';
import { Link } from '../../routing/link.tsx';
import { writeExactly } from '../../service/exact-json.ts';
import { request } from '../../service/request.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { hasScope } from '../../session/session.ts';

interface Affected {
  subscriptions: { key: number; name: string | null }[];
  count: number;
  /** Of how many of them it is not certain, for example because a script decides. */
  uncertain: number;
}

/** As the action `affected` takes it: without a key, a new object. */
interface UnsavedChange {
  operation: 'C' | 'U' | 'D';
  objectKey?: number;
  changes?: Readonly<Record<string, unknown>>;
}

export function AffectedSubscriptions({ type, change }: { type: ModelType; change: UnsavedChange }) {
  const loaded = useLoaded(
    async (signal): Promise<Affected | undefined> => {
      if (!hasScope('webhook') || !type.makesEvents) return undefined;
      await new Promise((done) => setTimeout(done, 400));
      if (signal.aborted) return undefined;
      const body = { objectType: type.name, ...change };
      return request<Affected>('/WebhookSubscription/affected', { method: 'POST', body, signal });
    },
    [type.name, writeExactly(change)],
  );
  // The change itself may be wrong so far: its mistakes are shown when it is saved.
  if (loaded.kind === 'failed' || !loaded.value) return null;
  const { subscriptions, count, uncertain } = loaded.value;
  if (count === 0) return <p class="faint">Nobody would be notified.</p>;
  return (
    <p class="faint" role="status">
      {countText(count, uncertain)}:{' '}
      {subscriptions.map(({ key, name }, index) => (
        <span key={key}>
          {index > 0 && ', '}
          <Link to={`/subscriptions/${key}`}>{name ?? key}</Link>
        </span>
      ))}
      {count > subscriptions.length && ` and ${count - subscriptions.length} of others`}
    </p>
  );
}

/** For example "3 subscriptions would be notified, 1 of them perhaps". */
function countText(count: number, uncertain: number): string {
  const text = `${count} ${count === 1 ? 'subscription' : 'subscriptions'} would be notified`;
  if (uncertain === 0) return text;
  return uncertain === count ? `${text}, perhaps` : `${text}, ${uncertain} of them perhaps`;
}
