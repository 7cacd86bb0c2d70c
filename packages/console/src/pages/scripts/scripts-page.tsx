// The scripts that subscriptions can use.

import { countText, ListTable } from '../../elements/list-table.tsx';
import { Empty } from '../../elements/loading.tsx';
import { Page } from '../../elements/page.tsx';
import type { Column } from '../../elements/table.tsx';
import { Time } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { navigate } from '../../routing/location.ts';
import { useList } from '../../service/use-list.ts';
import { hasScope } from '../../session/session.ts';
import { viewedUser } from '../../session/viewed-user.ts';
import type { AlertScript } from './alert-script.ts';

type ListedScript = AlertScript & { modifiedDate: string };

const columns: readonly Column<ListedScript>[] = [
  { name: 'Code', width: 'minmax(12ch, 1fr)', show: ({ key, code }) => <Link to={`/scripts/${key}`}>{code}</Link> },
  { name: 'Name', width: 'minmax(12ch, 2fr)', show: ({ name }) => name },
  { name: 'Description', width: 'minmax(12ch, 3fr)', shownFrom: 640, show: ({ description }) => description },
  { name: 'Changed', width: '17ch', shownFrom: 1024, show: ({ modifiedDate }) => <Time at={modifiedDate} /> },
];

export function ScriptsPage() {
  const list = useList<ListedScript>({ path: '/AlertScript', sort: ['code(ASI)'] });
  const mayWrite = hasScope('admin') && !viewedUser.value;
  const create = (
    <Link to="/scripts/new" class="button">
      New script
    </Link>
  );
  return (
    <Page title="Scripts" actions={mayWrite && create}>
      <div class="toolbar">
        <span class="faint">{countText(list.total, 'script', 'scripts')}</span>
      </div>
      <ListTable
        label="Scripts"
        list={list}
        columns={columns}
        keyOf={({ key }) => key}
        onOpen={({ key }) => navigate(`/scripts/${key}`)}
        empty={
          <Empty action={mayWrite && create}>
            A script decides whether a subscription is notified, and can write the message. There is none yet.
          </Empty>
        }
      />
    </Page>
  );
}
