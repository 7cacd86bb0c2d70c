// The users of the installation. Each has clients, by which programs sign in.

import { Button } from '../../elements/button.tsx';
import { countText, ListTable } from '../../elements/list-table.tsx';
import { Empty } from '../../elements/loading.tsx';
import { Page } from '../../elements/page.tsx';
import type { Column } from '../../elements/table.tsx';
import { Link } from '../../routing/link.tsx';
import { navigate, place, setQuery } from '../../routing/location.ts';
import { useList } from '../../service/use-list.ts';
import { viewedUser } from '../../session/viewed-user.ts';
import type { ApiUser } from './api-user.ts';
import { NewUser } from './new-user.tsx';

const columns: readonly Column<ApiUser>[] = [
  {
    name: 'User',
    width: 'minmax(10ch, 1fr)',
    show: ({ key, userCode }) => <Link to={`/users/${key}`}>{userCode}</Link>,
  },
  { name: 'Name', width: 'minmax(10ch, 2fr)', show: ({ name }) => name },
  { name: 'E-mail', width: 'minmax(10ch, 2fr)', shownFrom: 640, show: ({ email }) => email },
  { name: 'Edition', width: '12ch', shownFrom: 1024, show: ({ edition }) => edition.toLowerCase() },
  {
    name: 'Active',
    width: '10ch',
    show: ({ active }) => (active ? <span class="ok">✓ Active</span> : <span class="faint">– Inactive</span>),
  },
];

export function UsersPage() {
  const { query } = place.value;
  const list = useList<ApiUser>({ path: '/ApiUser', sort: ['userCode(ASI)'] });
  return (
    <Page
      title="Users"
      actions={!viewedUser.value && <Button onClick={() => setQuery({ new: 'yes' })}>Add a user</Button>}
    >
      <div class="toolbar">
        <span class="faint">{countText(list.total, 'user', 'users')}</span>
      </div>
      <ListTable
        label="Users"
        list={list}
        columns={columns}
        keyOf={({ key }) => key}
        onOpen={({ key }) => navigate(`/users/${key}`)}
        empty={<Empty>There are no users.</Empty>}
      />
      {query.get('new') && <NewUser onClose={() => setQuery({ new: undefined })} />}
    </Page>
  );
}
