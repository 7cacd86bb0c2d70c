// Who changed users, clients, keys and subscriptions, newest first.

import { useState } from 'preact/hooks';
import { countText, ListTable } from '../../elements/list-table.tsx';
import { Empty } from '../../elements/loading.tsx';
import { Page } from '../../elements/page.tsx';
import type { Column } from '../../elements/table.tsx';
import { Time } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { place, setQuery } from '../../routing/location.ts';
import { containing } from '../../service/filter-value.ts';
import { useList } from '../../service/use-list.ts';
import type { AuditEntry } from './audit-entry.ts';
import { ChangesDialog } from './changes-dialog.tsx';

const words: Readonly<Record<string, string>> = {
  CREATE: 'created',
  CHANGE: 'changed',
  DELETE: 'deleted',
  ROTATE_KEY: 'rotated the key',
  DISTRUST_KEYS: 'distrusted all keys',
  SIGN_IN: 'signed in',
  SIGN_OUT: 'signed out',
  CREATE_LINK: 'created a link',
  VIEW_AS: 'looked as',
};

const pagesOfTypes: Readonly<Record<string, string>> = { ApiUser: '/users', WebhookSubscription: '/subscriptions' };

const columns: readonly Column<AuditEntry>[] = [
  { name: 'When', width: '15ch', show: ({ createdDate }) => <Time at={createdDate} /> },
  { name: 'Who', width: 'minmax(8ch, 1fr)', show: ({ userCode }) => userCode ?? <span class="faint">SQL</span> },
  { name: 'With', width: 'minmax(8ch, 1fr)', shownFrom: 1024, show: ({ clientId }) => clientId },
  { name: 'What', width: '16ch', show: ({ action }) => words[action] ?? action },
  { name: 'Object', width: 'minmax(16ch, 2fr)', show: (entry) => <AuditedObject entry={entry} /> },
  {
    name: 'Attributes',
    width: 'minmax(10ch, 2fr)',
    shownFrom: 1024,
    show: ({ changes }) => <span class="faint">{Object.keys(changes ?? {}).join(', ')}</span>,
  },
];

function AuditedObject({ entry: { objectType, objectKey, objectName } }: { entry: AuditEntry }) {
  const page = pagesOfTypes[objectType];
  const text = `${objectType} ${objectName ?? objectKey ?? ''}`;
  return page && objectKey ? <Link to={`${page}/${objectKey}`}>{text}</Link> : <span>{text}</span>;
}

export function AuditPage() {
  const search = place.value.query.get('search') ?? '';
  const [opened, setOpened] = useState<AuditEntry>();
  const filter =
    search === ''
      ? []
      : ['objectName', 'userCode', 'clientId', 'objectType'].flatMap((name, index) => [
          ...(index > 0 ? ['(OR)'] : []),
          `${name}(ILIKE)${containing(search)}`,
        ]);
  const list = useList<AuditEntry>({ path: '/AuditLog', filter, sort: ['key(DS)'] });
  return (
    <Page title="Audit">
      <div class="toolbar">
        <input
          type="search"
          aria-label="Search by user, client or object"
          placeholder="User, client or object"
          value={search}
          onInput={(event) => setQuery({ search: event.currentTarget.value }, { replace: true })}
        />
        <span class="faint">{countText(list.total, 'entry', 'entries')}</span>
      </div>
      <ListTable
        label="Audit log"
        list={list}
        columns={columns}
        keyOf={({ key }) => key}
        onOpen={(entry) => setOpened(entry)}
        empty={<Empty>{search === '' ? 'Nothing has been changed yet.' : 'No entry matches the search.'}</Empty>}
      />
      {opened && <ChangesDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}
