// Jobs that send notifications again, newest first.

import { ListTable } from '../../elements/list-table.tsx';
import { Empty } from '../../elements/loading.tsx';
import { Page } from '../../elements/page.tsx';
import { StatusMark } from '../../elements/status-mark.tsx';
import type { Column } from '../../elements/table.tsx';
import { Time } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { navigate } from '../../routing/location.ts';
import { useList } from '../../service/use-list.ts';
import { jobFields, jobWords, type ResendJob } from './resend-job.ts';

const columns: readonly Column<ResendJob>[] = [
  { name: 'Started', width: '15ch', show: ({ createdDate }) => <Time at={createdDate} /> },
  {
    name: 'What',
    width: 'minmax(16ch, 3fr)',
    show: (job) => (
      <Link to={`/jobs/${job.key}`} title={jobWords(job)}>
        {jobWords(job)}
      </Link>
    ),
  },
  {
    name: 'Subscription',
    width: 'minmax(10ch, 2fr)',
    shownFrom: 1024,
    show: ({ subscription }) => subscription && (subscription.name || subscription.key),
  },
  { name: 'Status', width: '14ch', show: ({ status }) => <StatusMark status={status} /> },
  { name: 'Total', width: '10ch', isNumber: true, shownFrom: 1024, show: ({ total }) => total.toLocaleString() },
  { name: 'Delivered', width: '10ch', isNumber: true, shownFrom: 1024, show: ({ done }) => done.toLocaleString() },
  { name: 'Failed', width: '10ch', isNumber: true, shownFrom: 1024, show: ({ failed }) => failed.toLocaleString() },
];

export function JobsPage() {
  const list = useList<ResendJob>({ path: '/ResendJob', sort: ['key(DS)'], fields: jobFields });
  return (
    <Page title="Jobs" above={<Link to="/notifications">Notifications</Link>}>
      <ListTable
        label="Jobs that send notifications again"
        list={list}
        columns={columns}
        keyOf={({ key }) => key}
        onOpen={({ key }) => navigate(`/jobs/${key}`)}
        empty={
          <Empty action={<Link to="/notifications?status=FAILED">Failed notifications</Link>}>
            Nothing has been sent again yet. Filter the notifications, and send what matches.
          </Empty>
        }
      />
    </Page>
  );
}
