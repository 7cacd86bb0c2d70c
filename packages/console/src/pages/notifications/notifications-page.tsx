// The list of notifications: live, filtered by the address, with one of them open in a panel beside it.

import { useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { Empty, Failure, Skeleton } from '../../elements/loading.tsx';
import { notifyError } from '../../elements/notices.tsx';
import { Page } from '../../elements/page.tsx';
import { Table } from '../../elements/table.tsx';
import { useKeys } from '../../keys/shortcuts.ts';
import { Link } from '../../routing/link.tsx';
import { navigate, place, setQuery } from '../../routing/location.ts';
import { FilterBar } from './filter-bar.tsx';
import './notifications.css';
import type { NotificationRow } from './notification.ts';
import { narrowColumns, notificationColumns } from './notification-columns.tsx';
import { isFiltered, readFilters } from './notification-filters.ts';
import { NotificationPanel } from './notification-panel.tsx';
import { ResendDialog } from './resend-dialog.tsx';
import { viewQuery } from './saved-views.ts';
import { maySend, sendAgain } from './send-again.ts';
import { type LiveList, useLiveList } from './use-live-list.ts';
import { ViewBar } from './view-bar.tsx';

export function NotificationsPage() {
  const { query } = place.value;
  const opened = Number(query.get('open')) || undefined;
  const [isResending, setResending] = useState(false);
  const mayResend = maySend() && isFiltered(query);
  useKeys({ Escape: opened === undefined ? undefined : closePanel });
  return (
    <Page
      title="Notifications"
      actions={
        <>
          {mayResend && <Button onClick={() => setResending(true)}>Send all that match again</Button>}
          <Link class="button" to="/jobs">
            Jobs
          </Link>
        </>
      }
    >
      <ViewBar />
      <FilterBar />
      {isResending && <ResendDialog filters={readFilters(query)} onClose={() => setResending(false)} />}
      <div class={opened === undefined ? 'split' : 'split open'}>
        <NotificationList key={viewQuery(query)} opened={opened} />
        {opened !== undefined && <NotificationPanel notificationKey={opened} onClose={closePanel} />}
      </div>
    </Page>
  );
}

function closePanel(): void {
  setQuery({ open: undefined, tab: undefined, attempt: undefined });
}

function NotificationList({ opened }: { opened: number | undefined }) {
  const view = viewQuery(place.value.query);
  const filters = useMemo(() => readFilters(new URLSearchParams(view)), [view]);
  const frame = useRef<HTMLElement>(null);
  const [isAtTop, setAtTop] = useState(true);
  const [isPointedAt, setPointedAt] = useState(false);
  const list = useLiveList(filters, !isAtTop || isPointedAt);
  const open = (row: NotificationRow, replace = false) =>
    setQuery({ open: String(row.key), attempt: undefined }, { replace });
  const showNew = () => {
    frame.current?.querySelector('.table-body')?.scrollTo(0, 0);
    setAtTop(true);
    list.showWaiting();
  };
  return (
    <section
      class="split-list"
      aria-label="List of notifications"
      ref={frame}
      onPointerEnter={(event) => setPointedAt(event.pointerType === 'mouse')}
      onPointerLeave={() => setPointedAt(false)}
    >
      <NewRows list={list} onShow={showNew} />
      {list.kind === 'failed' && <Failure error={list.error} retry={list.reload} />}
      {list.kind !== 'failed' && list.rows.length > 0 && (
        <Table<NotificationRow>
          label="Notifications"
          columns={opened === undefined ? notificationColumns : narrowColumns}
          rows={list.rows}
          keyOf={({ key }) => key}
          selected={opened}
          onOpen={(row) => open(row)}
          onMove={opened === undefined ? undefined : (row) => open(row, true)}
          rowKeys={{
            Enter: (row) => navigate(`/notifications/${row.key}`),
            ...(maySend() ? { r: (row) => sendAgain(row).catch(notifyError) } : {}),
          }}
          onEnd={list.more}
          onTop={setAtTop}
        />
      )}
      {list.rows.length === 0 && list.kind === 'loading' && <Skeleton />}
      {list.rows.length === 0 && list.kind === 'ready' && <NoNotifications />}
    </section>
  );
}

/** Quiet: nothing moves until it is clicked. */
function NewRows({ list, onShow }: { list: LiveList; onShow(): void }) {
  const count = list.waiting.length;
  if (count === 0) return null;
  return (
    <div class="new-rows">
      <Button onClick={onShow}>
        {count.toLocaleString()}
        {list.hasMissed ? '+' : ''} new
      </Button>
    </div>
  );
}

function NoNotifications() {
  if (isFiltered(place.value.query))
    return (
      <Empty action={<Link to="/notifications">Clear the filters</Link>}>No notification matches these filters.</Empty>
    );
  return (
    <Empty action={maySend() ? <Link to="/subscriptions/new">Create a subscription</Link> : undefined}>
      There is no notification yet. A subscription gets one for each change that matches it.
    </Empty>
  );
}
