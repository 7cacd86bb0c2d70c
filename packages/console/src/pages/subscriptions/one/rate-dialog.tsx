// How fast a subscription is sent: a limit, almost a pause, or none.

import { useState } from 'preact/hooks';
import { Button } from '../../../elements/button.tsx';
import { Dialog } from '../../../elements/dialog.tsx';
import { TextField } from '../../../elements/field.tsx';
import { notify } from '../../../elements/notices.tsx';
import { parseTyped } from '../../../service/exact-json.ts';
import { request } from '../../../service/request.ts';
import { useViolations } from '../../../service/use-violations.ts';
import type { Subscription } from '../api-subscription.ts';

interface RateDialogProps {
  subscription: Subscription;
  onClose(): void;
  onChanged(): void;
}

/** The least that the service takes: one attempt in 100 seconds. */
const slowest = '0.01';

export function RateDialog({ subscription: { key, ratePerSecond }, onClose, onChanged }: RateDialogProps) {
  const before = ratePerSecond === null ? '' : String(ratePerSecond);
  const [rate, setRate] = useState(before);
  const { errorOf, attempt } = useViolations(['ratePerSecond']);
  const setTo = async (text: string) => {
    const value = text.trim() === '' ? null : (parseTyped(text) ?? text);
    await request(`/WebhookSubscription/${key}`, { method: 'PUT', body: { ratePerSecond: value } });
    onChanged();
  };
  const save = () =>
    attempt(async () => {
      await setTo(rate);
      onClose();
      notify(rateText(rate), { label: 'Undo', run: () => setTo(before) });
    });
  return (
    <Dialog
      title="Slow down or pause"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <p>What is over the rate waits, and is not failed.</p>
      <TextField
        label="At most per second"
        placeholder="no limit"
        value={rate}
        onInput={setRate}
        error={errorOf('ratePerSecond')}
        hint="From 0.01 to 1,000."
      />
      <div class="actions">
        <Button onClick={() => setRate(slowest)}>Almost pause: one in 100 seconds</Button>
        <Button onClick={() => setRate('')}>No limit</Button>
      </div>
    </Dialog>
  );
}

function rateText(rate: string): string {
  return rate.trim() === '' ? 'It is sent without a limit.' : `It is sent at most ${rate} times per second.`;
}
