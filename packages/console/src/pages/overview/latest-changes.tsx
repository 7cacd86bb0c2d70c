// The latest changes to objects, as they happen.

import { useEffect, useState } from 'preact/hooks';
import { Empty, Failure, Skeleton } from '../../elements/loading.tsx';
import { objectPath } from '../../elements/object-link.tsx';
import { Section } from '../../elements/page.tsx';
import { Time } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { onFeed } from '../../service/live-feed.ts';
import { request } from '../../service/request.ts';
import { useFeedReload } from '../../service/use-feed-reload.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { hasScope } from '../../session/session.ts';
import type { Change } from '../notifications/change-of.ts';

const shownMax = 12;

export function LatestChanges() {
  const loaded = useLoaded(
    (signal) => request<{ changes: Change[] }>('/changes', { query: { limit: shownMax }, signal }),
    [],
  );
  const [arrived, setArrived] = useState<readonly Change[]>([]);
  useEffect(
    () =>
      onFeed('changes', ({ rows }) => setArrived((before) => newest([...(rows as unknown as Change[]), ...before]))),
    [],
  );
  // The rows that come are the newest: enough of them fill the list.
  useFeedReload(loaded, { changes: ({ rows, skipped }) => skipped > 0 && rows.length < shownMax });
  const changes = newest([...arrived, ...(loaded.value?.changes ?? [])]);
  return (
    <Section title="Latest changes">
      {loaded.kind === 'failed' && <Failure error={loaded.error} retry={loaded.reload} />}
      {changes.length === 0 && loaded.kind === 'loading' && <Skeleton />}
      {changes.length === 0 && loaded.kind === 'ready' && <Empty>No object has been changed yet.</Empty>}
      <ul class="latest">
        {changes.map((change) => (
          <LatestChange key={change.id} change={change} />
        ))}
      </ul>
    </Section>
  );
}

/** The feed may send a change that was loaded, too. */
function newest(changes: readonly Change[]): Change[] {
  const byId = new Map([...changes].reverse().map((change) => [change.id, change]));
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, shownMax);
}

function LatestChange({ change }: { change: Change }) {
  const { event, objectType, objectKey, name, occurredAt, user, changedAttributes, notificationCount } = change;
  return (
    <li>
      <span class="latest-time faint">
        <Time at={occurredAt} absolute />
      </span>
      <Link class="latest-event" to={objectPath(objectType, objectKey)}>
        {event}
      </Link>
      <span class="latest-what">
        {name ?? objectKey} <span class="faint">{event.endsWith('.U') ? attributeNames(changedAttributes) : ''}</span>
      </span>
      <span class="latest-who faint">{user?.userCode ?? 'SQL'}</span>
      <span class="latest-count">
        {hasScope('webhook') && notificationCount > 0 ? (
          <Link to={`/notifications?object=${objectType}:${objectKey}`}>{notificationCount} notified</Link>
        ) : (
          <span class="faint">–</span>
        )}
      </span>
    </li>
  );
}

function attributeNames(changed: Change['changedAttributes']): string {
  const names = changed.map(({ name }) => name);
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} +${names.length - 3}` : names.join(', ');
}
