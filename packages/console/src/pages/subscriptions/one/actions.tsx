// What can be done with a subscription, as far as its state allows it.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../../elements/button.tsx';
import { Popover } from '../../../elements/popover.tsx';
import { Link } from '../../../routing/link.tsx';
import type { Subscription } from '../api-subscription.ts';
import { channelUses } from '../draft/channel-uses.ts';
import { EndActions } from './end-actions.tsx';
import { RateDialog } from './rate-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { SendFailedDialog } from './send-failed-dialog.tsx';

interface ActionsProps {
  subscription: Subscription;
  onPing(): Promise<void>;
  onChanged(): void;
}

type Opened = 'RATE' | 'ROTATE' | 'SEND_FAILED' | 'REPLAY';

export function Actions({ subscription, onPing, onChanged }: ActionsProps) {
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const { key, state, channelInfo } = subscription;
  const use = channelUses[channelInfo.channelType];
  const isOver = state === 'UNSUBSCRIBED';
  const close = () => setOpened(undefined);
  return (
    <>
      {!isOver && use?.isPinged && <Button onClick={onPing}>Send a test</Button>}
      {!isOver && (
        <Link to={`/subscriptions/${key}/edit`} class="button">
          Edit
        </Link>
      )}
      {channelInfo.channelType === 'STREAM' && !isOver && (
        <Link to={`/streams/${key}`} class="button">
          Open the stream
        </Link>
      )}
      <Popover button="More" label="More actions">
        {(closeMenu) => (
          <MenuItems>
            {!isOver && (
              <>
                <Choice onChoose={() => setOpened('RATE')} close={closeMenu}>
                  Slow down or pause
                </Choice>
                <Choice onChoose={() => setOpened('SEND_FAILED')} close={closeMenu}>
                  Send failed ones again
                </Choice>
                <Choice onChoose={() => setOpened('REPLAY')} close={closeMenu}>
                  Replay a period
                </Choice>
                <Choice onChoose={() => setOpened('ROTATE')} close={closeMenu}>
                  Rotate the signing secret
                </Choice>
              </>
            )}
            <Link to={`/subscriptions/new?copy=${key}`} class="menu-item">
              Create a copy
            </Link>
            <EndActions subscription={subscription} onChanged={onChanged} close={closeMenu} />
          </MenuItems>
        )}
      </Popover>
      {opened === 'RATE' && <RateDialog subscription={subscription} onClose={close} onChanged={onChanged} />}
      {opened === 'ROTATE' && <RotateDialog subscriptionKey={key} onClose={close} />}
      {opened === 'SEND_FAILED' && <SendFailedDialog subscriptionKey={key} onClose={close} />}
      {opened === 'REPLAY' && <ReplayDialog subscriptionKey={key} onClose={close} />}
    </>
  );
}

function MenuItems({ children }: { children: ComponentChildren }) {
  return <div class="menu-items">{children}</div>;
}

interface ChoiceProps {
  onChoose(): void;
  close(): void;
  children: ComponentChildren;
}

function Choice({ onChoose, close, children }: ChoiceProps) {
  return (
    <button
      type="button"
      class="menu-item"
      onClick={() => {
        close();
        onChoose();
      }}
    >
      {children}
    </button>
  );
}
