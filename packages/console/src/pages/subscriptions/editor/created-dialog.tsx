// After a subscription was created: its signing secret, shown once, and a test message with the answer at once.

import { useState } from 'preact/hooks';
import { Button } from '../../../elements/button.tsx';
import { Copied } from '../../../elements/copied.tsx';
import { Dialog } from '../../../elements/dialog.tsx';
import { nameOf, type Subscription } from '../api-subscription.ts';
import { channelUses } from '../draft/channel-uses.ts';
import { unsubscribe } from '../one/end-actions.tsx';
import { PingResult, usePing } from '../ping.tsx';
import { receiveHere } from '../receive-here.ts';

export type CreatedSubscription = Subscription & { signingSecret?: string };

interface CreatedDialogProps {
  created: CreatedSubscription;
  /** The subscription that this one is made instead of. */
  former: Subscription | undefined;
  onClose(): void;
}

export function CreatedDialog({ created, former, onClose }: CreatedDialogProps) {
  const { key, channelInfo, signingSecret } = created;
  const { ping, result } = usePing(key);
  const { isPinged, isStreamed } = channelUses[channelInfo.channelType];
  return (
    <Dialog
      title="The subscription is active"
      onClose={onClose}
      actions={
        <>
          {isPinged && <Button onClick={ping}>Send a test</Button>}
          {isStreamed && (
            <Button kind="primary" onClick={() => receiveHere(key, signingSecret)}>
              Receive here
            </Button>
          )}
          <Button kind={isStreamed ? 'plain' : 'primary'} onClick={onClose}>
            Open the subscription
          </Button>
        </>
      }
    >
      {signingSecret && (
        <>
          <p>
            Keep the signing secret: it is shown once, here. The receiver checks with it that notifications come from
            this service.
          </p>
          <p class="secret">
            <Copied text={signingSecret} label="Copy the secret" />
          </p>
        </>
      )}
      {!signingSecret && <p>It signs with the secret of the subscription that it replaces.</p>}
      {result && <PingResult result={result} />}
      {former && <Former former={former} />}
    </Dialog>
  );
}

/** Until then, both are notified of the same changes. */
function Former({ former }: { former: Subscription }) {
  const [isOver, setOver] = useState(former.state === 'UNSUBSCRIBED');
  if (isOver) return <p>{nameOf(former)} is unsubscribed.</p>;
  return (
    <p>
      The old one is still active, so changes are notified twice.{' '}
      <Button onClick={() => unsubscribe(former, () => setOver(true))}>Unsubscribe the old one</Button>
    </p>
  );
}
