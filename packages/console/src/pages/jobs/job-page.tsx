// One job that sends notifications again: progress, rate, failures, and cancel.

import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { confirmAction } from '../../elements/dialog.tsx';
import { Loading } from '../../elements/loading.tsx';
import { Fact, Facts, Page } from '../../elements/page.tsx';
import { StatusMark } from '../../elements/status-mark.tsx';
import { durationText, Time } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import type { PageProps } from '../../routing/page-props.ts';
import { request } from '../../service/request.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { viewedUser } from '../../session/viewed-user.ts';
import './jobs.css';
import { jobWords, loadJob, type ResendJob } from './resend-job.ts';

const pollMs = 1_000;

export function JobPage({ job: key }: PageProps) {
  const loaded = useLoaded((signal) => loadJob(key!, signal), [key]);
  const job = loaded.value;
  const isRunning = job?.status === 'RUNNING';
  useEffect(() => {
    if (!isRunning || loaded.kind === 'loading') return;
    const timer = setTimeout(loaded.reload, pollMs);
    return () => clearTimeout(timer);
  }, [isRunning, loaded.kind, loaded.value]);
  const cancel = async () => {
    const isConfirmed = await confirmAction({
      title: 'Cancel the job',
      text: 'Notifications that are not sent by then stay as they were. A cancelled job cannot be continued.',
      action: 'Cancel the job',
    });
    if (!isConfirmed) return;
    await request(`/ResendJob/${key}`, { method: 'PUT', body: { cancelled: true } });
    loaded.reload();
  };
  return (
    <Page
      title={`Job ${key}`}
      above={<Link to="/jobs">Jobs</Link>}
      actions={
        isRunning && !viewedUser.value ? (
          <Button kind="danger" onClick={cancel}>
            Cancel the job
          </Button>
        ) : undefined
      }
    >
      <Loading of={loaded}>{(shown) => <Job job={shown} />}</Loading>
    </Page>
  );
}

function Job({ job }: { job: ResendJob }) {
  const { total, done, failed, status, subscription, filter, from, to, user } = job;
  const perSecond = useRate(done + failed, status === 'RUNNING');
  const left = Math.max(total - done - failed, 0);
  return (
    <>
      <p class="job-what">
        <StatusMark status={status} /> {jobWords(job)}
      </p>
      <progress
        aria-label="Progress"
        max={Math.max(total, 1)}
        value={status === 'DONE' ? Math.max(total, 1) : done + failed}
      />
      <dl class="figures">
        <Figure name="To send" value={total} />
        <Figure name="Delivered" value={done} tone="ok" />
        <Figure name="Failed" value={failed} tone={failed > 0 ? 'bad' : undefined} />
        <Figure name="Left" value={status === 'RUNNING' ? left : 0} />
        {status === 'RUNNING' && (
          <div>
            <dt>Rate</dt>
            <dd>
              {perSecond === undefined ? '…' : `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`}
              {perSecond !== undefined && perSecond > 0 && (
                <span class="faint"> {durationText((left / perSecond) * 1_000)} left</span>
              )}
            </dd>
          </div>
        )}
      </dl>
      <Facts>
        {subscription && (
          <Fact name="Subscription">
            <Link to={`/subscriptions/${subscription.key}`}>{subscription.name || subscription.key}</Link>
          </Fact>
        )}
        {filter && (
          <Fact name="Filters">
            {filter.map((text) => (
              <code class="job-filter" key={text}>
                {text}
              </code>
            ))}
          </Fact>
        )}
        {(from || to) && (
          <Fact name="Changes">
            {from ? <Time at={from} absolute /> : 'all'} to {to ? <Time at={to} absolute /> : 'the start of the job'}
          </Fact>
        )}
        {job.notifications?.length === 1 && (
          <Fact name="Notification">
            <Link to={`/notifications/${job.notifications[0]}`}>{job.notifications[0]}</Link>
          </Fact>
        )}
        {user && <Fact name="Of">{user.userCode ?? user.key}</Fact>}
        <Fact name="Started">
          <Time at={job.createdDate} absolute />
        </Fact>
        {job.endedDate && (
          <Fact name="Ended">
            <Time at={job.endedDate} absolute />
          </Fact>
        )}
      </Facts>
      {failed > 0 && (
        <p>
          <Link to={failedPath(job)}>Show the failed notifications</Link>
        </p>
      )}
    </>
  );
}

function failedPath({ subscription }: ResendJob): string {
  return `/notifications?status=FAILED${subscription ? `&subscription=${subscription.key}` : ''}`;
}

function Figure({ name, value, tone }: { name: string; value: number; tone?: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={tone}>{value.toLocaleString()}</dd>
    </div>
  );
}

const rateWindowMs = 10_000;

/** Of the last ten seconds. Undefined until there are two readings. */
function useRate(count: number, isRunning: boolean): number | undefined {
  const readings = useRef<{ atMs: number; count: number }[]>([]);
  const nowMs = performance.now();
  const last = readings.current.at(-1);
  if (isRunning && (!last || nowMs - last.atMs > pollMs / 2)) {
    readings.current = [...readings.current.filter(({ atMs }) => nowMs - atMs < rateWindowMs), { atMs: nowMs, count }];
  }
  const first = readings.current[0];
  if (!first || nowMs - first.atMs < pollMs / 2) return undefined;
  return Math.max(((count - first.count) * 1_000) / (nowMs - first.atMs), 0);
}
