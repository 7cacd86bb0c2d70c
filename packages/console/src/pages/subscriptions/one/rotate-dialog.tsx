// Rotates the signing secret. The new one is shown once; the old one signs along for a while.

import { useState } from 'preact/hooks';
import { Button } from '../../../elements/button.tsx';
import { Copied } from '../../../elements/copied.tsx';
import { Dialog } from '../../../elements/dialog.tsx';
import { Choice } from '../../../elements/field.tsx';
import { Time } from '../../../elements/time.tsx';
import { request } from '../../../service/request.ts';

interface Rotated {
  signingSecret: string;
  previousSecretExpiresDate: string;
}

const periods = [
  { value: '86400', label: '24 hours' },
  { value: '3600', label: '1 hour' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
  { value: '0', label: 'not at all: it has leaked' },
];

export function RotateDialog({ subscriptionKey, onClose }: { subscriptionKey: number; onClose(): void }) {
  const [graceSeconds, setGraceSeconds] = useState(periods[0]!.value);
  const [rotated, setRotated] = useState<Rotated | undefined>(undefined);
  const rotate = async () => {
    const body = { graceSeconds: Number(graceSeconds) };
    setRotated(
      await request<Rotated>(`/WebhookSubscription/${subscriptionKey}/rotateSecret`, { method: 'POST', body }),
    );
  };
  if (rotated)
    return (
      <Dialog title="Keep this secret" onClose={onClose} actions={<Button onClick={onClose}>I have kept it</Button>}>
        <p>It is shown once, here. A click copies it.</p>
        <p class="secret">
          <Copied text={rotated.signingSecret} label="Copy the secret" />
        </p>
        <p class="faint">
          Until <Time at={rotated.previousSecretExpiresDate} absolute />, the old secret signs as well.
        </p>
      </Dialog>
    );
  return (
    <Dialog
      title="Rotate the signing secret"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" onClick={rotate}>
            Rotate the secret
          </Button>
        </>
      }
    >
      <p>The service creates a new secret. This cannot be undone.</p>
      <Choice
        label="The old one also signs for"
        value={graceSeconds}
        choices={periods}
        onChange={setGraceSeconds}
        hint="The receiver should know the new secret by then."
      />
    </Dialog>
  );
}
