// The columns of the list of subscriptions.

import { OutcomeBars } from '../../../elements/outcome-bars.tsx';
import { StatusMark } from '../../../elements/status-mark.tsx';
import type { Column } from '../../../elements/table.tsx';
import { parseTime, relativeTime, timeOfDayMs } from '../../../elements/time.tsx';
import { Link } from '../../../routing/link.tsx';
import { channelWords, nameOf, type Subscription, statusOf, targetOf } from '../api-subscription.ts';
import { eventTypesInWords } from '../event-type.ts';
import { type Health, pendingText } from '../health.ts';
import { seesAllUsers } from '../sees-all-users.ts';

export type ListedSubscription = Pick<
  Subscription,
  | 'key'
  | 'name'
  | 'eventTypes'
  | 'user'
  | 'url'
  | 'channelInfo'
  | 'state'
  | 'stateReason'
  | 'failingSince'
  | 'shapingError'
>;

export const listFields = {
  name: '*',
  eventTypes: '*',
  user: { userCode: '*' },
  url: '*',
  channelInfo: '*',
  state: '*',
  stateReason: '*',
  failingSince: '*',
  shapingError: '*',
};

export function listColumns(health: ReadonlyMap<number, Health>): Column<ListedSubscription>[] {
  const columns: Column<ListedSubscription>[] = [
    { name: 'State', width: '15ch', show: (row) => <StatusMark status={statusOf(row)} /> },
    {
      name: 'Name',
      width: 'minmax(16ch, 3fr)',
      show: (row) => (
        <Link to={`/subscriptions/${row.key}`} title={nameOf(row)}>
          {nameOf(row)}
        </Link>
      ),
    },
    {
      name: 'Events',
      width: 'minmax(12ch, 3fr)',
      shownFrom: 640,
      show: ({ eventTypes }) => <span title={eventTypes.join(', ')}>{eventTypesInWords(eventTypes)}</span>,
    },
    { name: 'To', width: 'minmax(12ch, 4fr)', shownFrom: 1024, show: (row) => <Target row={row} /> },
    { name: 'User', width: 'minmax(8ch, 1fr)', shownFrom: 1024, show: ({ user }) => user.userCode ?? user.key },
    { name: 'Last 24 hours', width: '104px', shownFrom: 1024, show: ({ key }) => <Trend health={health.get(key)} /> },
    { name: 'Pending', width: '9ch', isNumber: true, shownFrom: 640, show: ({ key }) => pendingOf(health.get(key)) },
    {
      name: 'Last error',
      width: 'minmax(12ch, 4fr)',
      shownFrom: 1024,
      show: (row) => <LastError row={row} health={health.get(row.key)} />,
    },
  ];
  return columns.filter(({ name }) => name !== 'User' || seesAllUsers());
}

function Target({ row }: { row: ListedSubscription }) {
  const target = targetOf(row);
  return (
    <span title={target}>
      <span class="faint">{channelWords[row.channelInfo.channelType] ?? row.channelInfo.channelType}</span>{' '}
      {target.replace(/^https?:\/\//, '')}
    </span>
  );
}

function Trend({ health }: { health: Health | undefined }) {
  return health ? <OutcomeBars points={health.points} span="Last 24 hours" /> : null;
}

function pendingOf(health: Health | undefined) {
  if (!health) return null;
  return health.pending === 0 ? <span class="faint">0</span> : pendingText(health.pending);
}

/** What keeps the subscription from being delivered comes before what once went wrong. */
function LastError({ row, health }: { row: ListedSubscription; health: Health | undefined }) {
  const lasting = row.state === 'UNSUBSCRIBED' ? null : (row.stateReason ?? row.shapingError);
  if (lasting) return <span title={lasting}>{lasting}</span>;
  const error = health?.lastError;
  if (!error) return <span class="faint">–</span>;
  const at = relativeTime(parseTime(error.at), timeOfDayMs());
  return (
    <span class="faint" title={`${error.text} (${at})`}>
      {error.text} <span class="faint">{at}</span>
    </span>
  );
}
