// The columns of the list of notifications.

import { Copied } from '../../elements/copied.tsx';
import { StatusMark } from '../../elements/status-mark.tsx';
import type { Column } from '../../elements/table.tsx';
import { Time, TimeUntil } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { eventName, type NotificationRow, shownStatus, subscriptionName } from './notification.ts';
import { codeOf } from './object-codes.ts';

const time: Column<NotificationRow> = {
  name: 'Time',
  width: '10ch',
  shownFrom: 640,
  show: ({ occurredAt }) => <Time at={occurredAt} absolute />,
};

const event: Column<NotificationRow> = {
  name: 'Event',
  width: 'minmax(22ch, 1.2fr)',
  show: (row) => (
    <>
      <Link to={`/notifications/${row.key}`}>{eventName(row)}</Link>{' '}
      <Copied text={row.objectKey} label="Copy the key" />
      {row.subscribedObjectKey !== row.objectKey && (
        <span class="faint of">
          {' '}
          of <Copied text={row.subscribedObjectKey} label="Copy the key of the object subscribed to" />
        </span>
      )}
      <Code code={codeOf(row)} />
    </>
  ),
};

function Code({ code }: { code: string | undefined }) {
  if (code === undefined) return null;
  return (
    <span class="faint of" title="The number or code of the object">
      {' '}
      · {code}
    </span>
  );
}

const subscription: Column<NotificationRow> = {
  name: 'Subscription',
  width: 'minmax(12ch, 1fr)',
  show: (row) => <Link to={`/subscriptions/${row.subscription.key}`}>{subscriptionName(row)}</Link>,
};

const status: Column<NotificationRow> = {
  name: 'Status',
  width: '20ch',
  show: (row) => (
    <>
      <StatusMark status={shownStatus(row)} />
      {row.status === 'PENDING' && row.nextAttemptDate && (
        <span class="faint">
          {' '}
          <TimeUntil at={row.nextAttemptDate} />
        </span>
      )}
    </>
  ),
};

const attempts: Column<NotificationRow> = {
  name: 'Attempts',
  width: '8ch',
  isNumber: true,
  shownFrom: 1024,
  show: ({ attempts: count }) => count,
};

const error: Column<NotificationRow> = {
  name: 'Error',
  width: 'minmax(12ch, 1.4fr)',
  shownFrom: 1024,
  show: ({ errorMessage }) => (
    <span class="faint" title={errorMessage ?? ''}>
      {errorMessage}
    </span>
  ),
};

export const notificationColumns: readonly Column<NotificationRow>[] = [
  time,
  event,
  subscription,
  status,
  attempts,
  error,
];

/** Beside an open panel. */
export const narrowColumns: readonly Column<NotificationRow>[] = [time, event, subscription, status];
