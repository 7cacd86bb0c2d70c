// One user: what is known of the user, the clients, and a look at the console as this user sees it.

import { Button } from '../../elements/button.tsx';
import { Check } from '../../elements/field.tsx';
import { Loading } from '../../elements/loading.tsx';
import { notify } from '../../elements/notices.tsx';
import { Fact, Facts, Page } from '../../elements/page.tsx';
import { Time } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { navigate } from '../../routing/location.ts';
import type { PageProps } from '../../routing/page-props.ts';
import { request } from '../../service/request.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { session } from '../../session/session.ts';
import { viewedUser } from '../../session/viewed-user.ts';
import type { ApiUser } from './api-user.ts';
import { Clients } from './clients.tsx';

type WholeUser = ApiUser & { createdDate: string; modifiedDate: string };

export function UserPage({ key }: PageProps) {
  const loaded = useLoaded((signal) => request<WholeUser>(`/ApiUser/${key}`, { signal }), [key]);
  const user = loaded.value;
  return (
    <Page
      title={user?.userCode ?? `User ${key}`}
      above={<Link to="/users">Users</Link>}
      actions={
        user && user.key !== session.value?.user.key && !viewedUser.value ? (
          <Button onClick={() => viewAs(user)}>View as this user</Button>
        ) : undefined
      }
    >
      <Loading of={loaded}>
        {(value) => (
          <>
            <UserFacts user={value} onChanged={loaded.reload} />
            <Clients user={value} />
          </>
        )}
      </Loading>
    </Page>
  );
}

async function viewAs({ key, name, userCode }: ApiUser): Promise<void> {
  const query = { filter: [`user(EQ)${key}`, 'active(EQ)true'], limit: 1_000 };
  const clients = await request<{ scopes: string[] }[]>('/ApiClient', { query, fields: { scopes: '*' } });
  const scopes = [...new Set(clients.flatMap((client) => client.scopes))];
  if (scopes.length === 0) throw new Error(`${userCode} has no active client, so it sees nothing.`);
  viewedUser.value = { key, name: name ?? userCode, scopes };
  navigate('/');
}

function UserFacts({ user, onChanged }: { user: WholeUser; onChanged(): void }) {
  const setActive = async (active: boolean) => {
    await request(`/ApiUser/${user.key}`, { method: 'PUT', body: { active } });
    onChanged();
    notify(
      active ? `${user.userCode} is active.` : `${user.userCode} is inactive: its tokens and clients stop working.`,
      {
        label: 'Undo',
        run: () => setActive(!active),
      },
    );
  };
  return (
    <Facts>
      <Fact name="Name">{user.name ?? '–'}</Fact>
      <Fact name="E-mail">{user.email ?? '–'}</Fact>
      <Fact name="Edition">{user.edition.toLowerCase()}</Fact>
      <Fact name="API version">{user.apiVersion ?? 'the newest'}</Fact>
      <Fact name="Active">
        <Check
          label={user.active ? 'Active' : 'Inactive: nothing is sent to its subscriptions'}
          isChecked={user.active}
          disabled={user.key === session.value?.user.key || viewedUser.value !== undefined}
          onChange={setActive}
        />
      </Fact>
      <Fact name="Added">
        <Time at={user.createdDate} absolute />
      </Fact>
    </Facts>
  );
}
