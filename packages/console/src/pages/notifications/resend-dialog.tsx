// Sends again everything that matches the filters of the list: first how many they are, then the job.

import { Button } from '../../elements/button.tsx';
import { Dialog } from '../../elements/dialog.tsx';
import { Loading } from '../../elements/loading.tsx';
import { Time, timeOfDayMs } from '../../elements/time.tsx';
import { navigate } from '../../routing/location.ts';
import { request } from '../../service/request.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { apiFilters, type NotificationFilters } from './notification-filters.ts';

interface ResendCount {
  count: number;
  isEstimate: boolean;
  oldest: string | null;
  newest: string | null;
  resendJob: number | null;
}

export function ResendDialog({ filters, onClose }: { filters: NotificationFilters; onClose(): void }) {
  const loaded = useLoaded(async (signal) => {
    // A period up to now is fixed here, so that what was counted is what is sent.
    const filter = apiFilters(filters, timeOfDayMs());
    return { filter, answer: await resend(filter, true, signal) };
  }, []);
  const send = async (filter: string[]) => {
    const { resendJob } = await resend(filter, false);
    if (resendJob === null) throw new Error('Nothing is left to send: another job has sent it meanwhile.');
    navigate(`/jobs/${resendJob}`);
  };
  const { answer, filter } = loaded.value ?? {};
  return (
    <Dialog
      title="Send again what matches the filters"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {answer && filter && answer.count > 0 && (
            <Button kind="primary" onClick={() => send(filter)}>
              Send {countText(answer)} again
            </Button>
          )}
        </>
      }
    >
      <Loading of={loaded}>{({ answer: counted }) => <Counted counted={counted} />}</Loading>
    </Dialog>
  );
}

function Counted({ counted }: { counted: ResendCount }) {
  if (counted.count === 0)
    return (
      <p>
        Nothing to send. What is pending, has no body any more, or belongs to an unsubscribed subscription is not sent
        again.
      </p>
    );
  return (
    <>
      <p>
        <strong>{countText(counted)}</strong> {counted.count === 1 ? 'notification is' : 'notifications are'} sent
        again, with the same id and bytes. Delivered ones stay delivered.
      </p>
      <dl class="facts">
        <div>
          <dt>Oldest change</dt>
          <dd>
            <Time at={counted.oldest} absolute />
          </dd>
        </div>
        <div>
          <dt>Newest change</dt>
          <dd>{counted.isEstimate ? 'not known yet' : <Time at={counted.newest} absolute />}</dd>
        </div>
      </dl>
      {counted.isEstimate && <p class="faint">There are too many to count at once. The job counts while it sends.</p>}
    </>
  );
}

function countText({ count, isEstimate }: ResendCount): string {
  return `${isEstimate ? 'about ' : ''}${count.toLocaleString()}`;
}

function resend(filter: string[], dryRun: boolean, signal?: AbortSignal): Promise<ResendCount> {
  return request<ResendCount>('/WebhookNotification/resend', { method: 'POST', body: { filter, dryRun }, signal });
}
