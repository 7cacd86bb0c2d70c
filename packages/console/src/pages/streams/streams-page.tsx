// Subscriptions whose notifications are fetched: what waits in each.

import { useEffect } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { ListTable } from '../../elements/list-table.tsx';
import { Empty } from '../../elements/loading.tsx';
import { Page } from '../../elements/page.tsx';
import { StatusMark } from '../../elements/status-mark.tsx';
import type { Column } from '../../elements/table.tsx';
import { Time } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { navigate } from '../../routing/location.ts';
import { request } from '../../service/request.ts';
import { useList } from '../../service/use-list.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { maySend } from '../notifications/send-again.ts';
import { type Health, pendingText } from '../subscriptions/health.ts';
import { type StreamSubscription, streamFields } from './stream-subscription.ts';
import { openTestReceiver } from './test-receiver-subscription.ts';

const reloadMs = 5_000;

export function StreamsPage() {
  const list = useList<StreamSubscription>({
    path: '/WebhookSubscription',
    filter: ['channelInfo.channelType(EQ)STREAM', 'state(NE)UNSUBSCRIBED'],
    sort: ['key(DS)'],
    fields: streamFields,
  });
  const keys = list.rows.map(({ key }) => key).join(',');
  const health = useLoaded((signal) => loadHealth(keys, signal), [keys]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) health.reload();
    }, reloadMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <Page
      title="Streams"
      actions={maySend() ? <Button onClick={openTestReceiver}>Watch changes here</Button> : undefined}
    >
      <ListTable
        label="Streams"
        list={list}
        columns={columnsWith(health.value ?? new Map())}
        keyOf={({ key }) => key}
        onOpen={({ key }) => navigate(`/streams/${key}`)}
        empty={
          <Empty action={maySend() ? <Button onClick={openTestReceiver}>Watch changes here</Button> : undefined}>
            A stream is for receivers without a public address: they connect and fetch. This page can be one.
          </Empty>
        }
      />
    </Page>
  );
}

async function loadHealth(keys: string, signal: AbortSignal): Promise<ReadonlyMap<number, Health>> {
  if (keys === '') return new Map();
  const { subscriptions } = await request<{ subscriptions: Health[] }>('/WebhookSubscription/health', {
    query: { subscriptions: keys },
    signal,
  });
  return new Map(subscriptions.map((each) => [each.subscription, each]));
}

function columnsWith(health: ReadonlyMap<number, Health>): readonly Column<StreamSubscription>[] {
  return [
    {
      name: 'Subscription',
      width: 'minmax(16ch, 2fr)',
      show: ({ key, name }) => <Link to={`/streams/${key}`}>{name || key}</Link>,
    },
    {
      name: 'Events',
      width: 'minmax(12ch, 2fr)',
      shownFrom: 640,
      show: ({ eventTypes }) => <span class="faint">{eventTypes.join(', ')}</span>,
    },
    { name: 'State', width: '14ch', show: ({ state }) => <StatusMark status={state} /> },
    { name: 'Wait', width: '10ch', isNumber: true, show: ({ key }) => waitText(health.get(key)) },
    {
      name: 'Oldest',
      width: '14ch',
      shownFrom: 640,
      show: ({ key }) => <Time at={health.get(key)?.oldestPendingAt} />,
    },
    {
      name: 'Acknowledged in the last hour',
      width: '27ch',
      isNumber: true,
      shownFrom: 1024,
      show: ({ key }) => health.get(key)?.deliveredLastHour.toLocaleString() ?? '–',
    },
  ];
}

function waitText(health: Health | undefined): string {
  return health ? pendingText(health.pending) : '–';
}
