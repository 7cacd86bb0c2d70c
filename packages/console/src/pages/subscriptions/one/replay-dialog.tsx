// Sends what was delivered or has failed again, of a period or of one object: first how many, then the job.

import { useState } from 'preact/hooks';
import { Button } from '../../../elements/button.tsx';
import { Dialog } from '../../../elements/dialog.tsx';
import { Choice, TextField } from '../../../elements/field.tsx';
import { request } from '../../../service/request.ts';
import { messageOf } from '../../../service/service-error.ts';
import { useDebounced } from '../../../service/use-debounced.ts';
import { useLoaded } from '../../../service/use-loaded.ts';
import { openJob, type ResendAnswer } from './send-failed-dialog.tsx';

interface Period {
  from: string;
  to: string;
  status: string;
  objectKey: string;
}

const countAfterMs = 300;

export function ReplayDialog({ subscriptionKey, onClose }: { subscriptionKey: number; onClose(): void }) {
  const [period, setPeriod] = useState<Period>({ from: '', to: '', status: '', objectKey: '' });
  const set = (part: Partial<Period>) => setPeriod((before) => ({ ...before, ...part }));
  const settled = useDebounced(period, countAfterMs);
  const send = (dryRun: boolean, signal?: AbortSignal) =>
    request<ResendAnswer>(`/WebhookSubscription/${subscriptionKey}/replay`, {
      method: 'POST',
      body: { ...bodyOf(dryRun ? settled : period), dryRun },
      signal,
    });
  const counted = useLoaded((signal) => send(true, signal), [JSON.stringify(settled)]);
  const total = counted.kind === 'ready' && settled === period ? counted.value.total : 0;
  return (
    <Dialog
      title="Replay a period"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={total === 0} onClick={async () => openJob(await send(false))}>
            {total === 0 ? 'Replay' : `Replay ${total.toLocaleString()}`}
          </Button>
        </>
      }
    >
      <p>What is sent again has the same id and bytes, so a receiver can recognise it.</p>
      <TextField label="From" type="datetime-local" value={period.from} onInput={(from) => set({ from })} />
      <TextField label="To" type="datetime-local" value={period.to} onInput={(to) => set({ to })} />
      <Choice
        label="Which"
        value={period.status}
        choices={[
          { value: '', label: 'Delivered and failed ones' },
          { value: 'DELIVERED', label: 'Delivered ones' },
          { value: 'FAILED', label: 'Failed ones' },
        ]}
        onChange={(status) => set({ status })}
      />
      <TextField
        label="Key of an object"
        placeholder="all objects"
        value={period.objectKey}
        onInput={(objectKey) => set({ objectKey })}
      />
      <p role="status" class={counted.kind === 'failed' ? 'bad' : 'faint'}>
        {counted.kind === 'failed' ? messageOf(counted.error) : countText(counted.value?.total)}
      </p>
    </Dialog>
  );
}

function countText(total: number | undefined): string {
  if (total === undefined) return 'Counting';
  if (total === 0) return 'Nothing matches, or its body is no longer kept.';
  return total === 1 ? 'One notification.' : `${total.toLocaleString()} notifications.`;
}

/** A time of the page is local, the service takes UTC. */
function bodyOf({ from, to, status, objectKey }: Period): Record<string, unknown> {
  const time = (text: string) => new Date(text).toISOString();
  return {
    ...(from && { from: time(from) }),
    ...(to && { to: time(to) }),
    ...(status && { status }),
    ...(objectKey.trim() && { objectKey: Number(objectKey) }),
  };
}
