// The latest notifications of one subscription, live.

import { Empty, Failure, Skeleton } from '../../../elements/loading.tsx';
import { Table } from '../../../elements/table.tsx';
import { Link } from '../../../routing/link.tsx';
import { navigate } from '../../../routing/location.ts';
import type { NotificationRow } from '../../notifications/notification.ts';
import { notificationColumns } from '../../notifications/notification-columns.tsx';
import { readFilters } from '../../notifications/notification-filters.ts';
import '../../notifications/notifications.css';
import { useLiveList } from '../../notifications/use-live-list.ts';

const columns = notificationColumns.filter(({ name }) => name !== 'Subscription');

/** The page of notifications has all of them. */
const shownMax = 50;

export function NotificationsTab({ subscriptionKey }: { subscriptionKey: number }) {
  const query = `subscription=${subscriptionKey}`;
  const list = useLiveList(readFilters(new URLSearchParams(query)), false);
  if (list.kind === 'failed') return <Failure error={list.error} retry={list.reload} />;
  if (list.rows.length === 0 && list.kind === 'loading') return <Skeleton />;
  if (list.rows.length === 0)
    return <Empty>There is none yet. A change that matches makes one, and it appears here.</Empty>;
  return (
    <>
      <p class="tab-lead">
        <Link to={`/notifications?${query}`}>All of them, with filters</Link>
      </p>
      <Table<NotificationRow>
        label="Latest notifications"
        columns={columns}
        rows={list.rows.slice(0, shownMax)}
        keyOf={({ key }) => key}
        onOpen={({ key }) => navigate(`/notifications/${key}`)}
      />
    </>
  );
}
