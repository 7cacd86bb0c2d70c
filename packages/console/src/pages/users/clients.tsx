// The clients of a user. A secret is shown once: when the client is made, or its secret rotated.

import { useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { Copied } from '../../elements/copied.tsx';
import { confirmAction, Dialog } from '../../elements/dialog.tsx';
import { Check } from '../../elements/field.tsx';
import { Empty, Failure, Skeleton } from '../../elements/loading.tsx';
import { notify } from '../../elements/notices.tsx';
import { Section } from '../../elements/page.tsx';
import { request } from '../../service/request.ts';
import { useList } from '../../service/use-list.ts';
import { viewedUser } from '../../session/viewed-user.ts';
import type { ApiUser } from './api-user.ts';

interface ApiClient {
  key: number;
  clientId: string;
  scopes: string[];
  audiences: string[];
  active: boolean;
}

interface Secret {
  clientId: string;
  clientSecret: string;
}

export function Clients({ user }: { user: ApiUser }) {
  const list = useList<ApiClient>({ path: '/ApiClient', filter: [`user(EQ)${user.key}`], sort: ['clientId(ASI)'] });
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<Secret | undefined>(undefined);
  const setActive = async (client: ApiClient, active: boolean) => {
    await request(`/ApiClient/${client.key}`, { method: 'PUT', body: { active } });
    list.change((rows) => rows.map((row) => (row.key === client.key ? { ...row, active } : row)));
    notify(active ? `${client.clientId} is active.` : `${client.clientId} is disabled.`, {
      label: 'Undo',
      run: () => setActive(client, !active),
    });
  };
  const rotate = async ({ key, clientId }: ApiClient) => {
    const isConfirmed = await confirmAction({
      title: `Rotate the secret of ${clientId}`,
      text: 'Programs can use the present secret for another 24 hours. This cannot be undone.',
      action: 'Rotate the secret',
    });
    if (!isConfirmed) return;
    const { clientSecret } = await request<Secret>(`/ApiClient/${key}/rotateSecret`, { method: 'POST' });
    setSecret({ clientId, clientSecret });
  };
  return (
    <Section
      title="Clients"
      actions={!viewedUser.value && <Button onClick={() => setAdding(true)}>Add a client</Button>}
    >
      {list.kind === 'failed' && <Failure error={list.error} retry={list.reload} />}
      {list.kind === 'loading' && list.rows.length === 0 && <Skeleton rows={2} />}
      {list.kind === 'ready' && list.rows.length === 0 && <Empty>A program needs a client to get a token.</Empty>}
      {list.rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        <div class="wide" tabIndex={0} role="region" aria-label="Clients">
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">Client id</th>
                <th scope="col">Scopes</th>
                <th scope="col">Active</th>
                <th scope="col">
                  <span class="hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.rows.map((client) => (
                <tr key={client.key}>
                  <td>
                    <Copied text={client.clientId} />
                  </td>
                  <td>{client.scopes.join(', ')}</td>
                  <td>
                    <Check
                      label={<span class="hidden">{client.clientId} is active</span>}
                      isChecked={client.active}
                      disabled={viewedUser.value !== undefined}
                      onChange={(active) => setActive(client, active)}
                    />
                  </td>
                  <td>
                    {!viewedUser.value && (
                      <Button kind="quiet" onClick={() => rotate(client)}>
                        Rotate the secret
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isAdding && (
        <NewClient
          user={user}
          onClose={() => setAdding(false)}
          onAdded={(added) => {
            setAdding(false);
            setSecret(added);
            list.reload();
          }}
        />
      )}
      {secret && <ShownSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </Section>
  );
}

const scopes = ['read', 'write', 'webhook', 'admin'];

function NewClient({ user, onClose, onAdded }: { user: ApiUser; onClose(): void; onAdded(secret: Secret): void }) {
  const [chosen, setChosen] = useState<readonly string[]>(['read', 'webhook']);
  const add = async () => {
    const body = { user: user.key, scopes: chosen };
    onAdded(await request<Secret>('/ApiClient', { method: 'POST', body }));
  };
  return (
    <Dialog
      title={`Add a client of ${user.userCode}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={add} disabled={chosen.length === 0}>
            Add
          </Button>
        </>
      }
    >
      <p>What may the program do? Its id and secret are made by the service.</p>
      {scopes.map((scope) => (
        <Check
          key={scope}
          label={scope}
          isChecked={chosen.includes(scope)}
          onChange={(isChecked) => setChosen(isChecked ? [...chosen, scope] : chosen.filter((each) => each !== scope))}
          hint={hints[scope]!}
        />
      ))}
    </Dialog>
  );
}

const hints: Readonly<Record<string, string>> = {
  read: 'reads objects',
  write: 'reads and changes objects',
  webhook: 'manages its own subscriptions; needs read as well',
  admin: 'everything, users and clients included',
};

function ShownSecret({ secret, onClose }: { secret: Secret; onClose(): void }) {
  return (
    <Dialog title="Keep this secret" onClose={onClose} actions={<Button onClick={onClose}>I have kept it</Button>}>
      <p>It is shown once, here. A click copies it.</p>
      <dl class="facts">
        <div>
          <dt>Client id</dt>
          <dd>
            <Copied text={secret.clientId} />
          </dd>
        </div>
        <div>
          <dt>Secret</dt>
          <dd>
            <Copied text={secret.clientSecret} />
          </dd>
        </div>
      </dl>
    </Dialog>
  );
}
