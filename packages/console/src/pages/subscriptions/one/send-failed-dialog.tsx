// Sends what has failed again: first how many, then the job.

import { Button } from '../../../elements/button.tsx';
import { Dialog } from '../../../elements/dialog.tsx';
import { Loading } from '../../../elements/loading.tsx';
import { navigate } from '../../../routing/location.ts';
import { request } from '../../../service/request.ts';
import { useLoaded } from '../../../service/use-loaded.ts';

export interface ResendAnswer {
  total: number;
  job: number | null;
}

export function SendFailedDialog({ subscriptionKey, onClose }: { subscriptionKey: number; onClose(): void }) {
  const send = (dryRun: boolean, signal?: AbortSignal) =>
    request<ResendAnswer>(`/WebhookSubscription/${subscriptionKey}/sendFailedNotifications`, {
      method: 'POST',
      body: { dryRun },
      signal,
    });
  const counted = useLoaded((signal) => send(true, signal), [subscriptionKey]);
  const total = counted.value?.total ?? 0;
  return (
    <Dialog
      title="Send failed ones again"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {total > 0 && (
            <Button kind="primary" onClick={async () => openJob(await send(false))}>
              Send {total.toLocaleString()} again
            </Button>
          )}
        </>
      }
    >
      <Loading of={counted}>
        {(answer) =>
          answer.total === 0 ? (
            <p>Nothing has failed that could be sent again.</p>
          ) : (
            <p>
              {answer.total === 1
                ? 'One failed notification gets'
                : `${answer.total.toLocaleString()} failed notifications get`}{' '}
              a new set of attempts, with the same id and bytes.
            </p>
          )
        }
      </Loading>
    </Dialog>
  );
}

export function openJob({ job }: ResendAnswer): void {
  if (job === null) throw new Error('Nothing is left to send: another job has sent it meanwhile.');
  navigate(`/jobs/${job}`);
}
