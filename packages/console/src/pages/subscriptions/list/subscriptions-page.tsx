// The subscriptions of the user, or of all users for an administrator, with their health at a glance.

import { countText, ListTable } from '../../../elements/list-table.tsx';
import { Empty } from '../../../elements/loading.tsx';
import { Page } from '../../../elements/page.tsx';
import { Link } from '../../../routing/link.tsx';
import { navigate, place } from '../../../routing/location.ts';
import { hasScope } from '../../../session/session.ts';
import { viewedUser } from '../../../session/viewed-user.ts';
import { useHealth } from '../health.ts';
import '../subscriptions.css';
import { FilterControls } from './filter-controls.tsx';
import { listColumns } from './list-columns.tsx';
import { isFiltered, readFilter, writeFilter } from './subscription-filter.ts';
import { useListed } from './use-listed.ts';

export function SubscriptionsPage() {
  const filter = readFilter(place.value.query);
  const list = useListed(writeFilter(filter));
  const health = useHealth(list.rows.map(({ key }) => key));
  const mayAdd = hasScope('webhook') && !viewedUser.value;
  const add = mayAdd && (
    <Link to="/subscriptions/new" class="button primary">
      New subscription
    </Link>
  );
  return (
    <Page title="Subscriptions" actions={add || undefined}>
      <div class="toolbar">
        <FilterControls filter={filter} />
        <span class="faint">{countText(list.total, 'subscription', 'subscriptions')}</span>
      </div>
      <ListTable
        label="Subscriptions"
        list={list}
        columns={listColumns(health)}
        keyOf={({ key }) => key}
        onOpen={({ key }) => navigate(`/subscriptions/${key}`)}
        empty={isFiltered(filter) ? <NothingFound /> : <FirstSubscription mayAdd={mayAdd} />}
      />
    </Page>
  );
}

function NothingFound() {
  return <Empty action={<Link to="/subscriptions">Show all</Link>}>No subscription matches the filter.</Empty>;
}

function FirstSubscription({ mayAdd }: { mayAdd: boolean }) {
  return (
    <Empty
      action={
        mayAdd && (
          <Link to="/subscriptions/new" class="button primary">
            Create the first subscription
          </Link>
        )
      }
    >
      A subscription says which changes to which objects you are notified of, and where.
    </Empty>
  );
}
