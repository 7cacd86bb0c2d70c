// The way into an installation that has no subscription yet: something that changes, and something that shows it.

import { Button } from '../../elements/button.tsx';
import { notify } from '../../elements/notices.tsx';
import { Link } from '../../routing/link.tsx';
import { request } from '../../service/request.ts';
import type { Reloadable } from '../../service/use-loaded.ts';
import { hasScope } from '../../session/session.ts';
import { viewedUser } from '../../session/viewed-user.ts';
import { openTestReceiver } from '../streams/test-receiver-subscription.ts';
import { changeDemo, type Demo, loadInstallation } from '../system/installation.ts';

export interface Start {
  demo: Demo;
  /** Whether the user has any subscription. */
  hasSubscription: boolean;
}

export async function loadStart(signal: AbortSignal): Promise<Start> {
  const [installation, subscriptions] = await Promise.all([
    loadInstallation(signal),
    hasScope('webhook')
      ? request<unknown[]>('/WebhookSubscription', {
          query: { limit: 1, sort: 'key(DS)', filter: 'state(NE)UNSUBSCRIBED' },
          headers: { nocount: 'YES' },
          signal,
        })
      : [undefined],
  ]);
  return { demo: installation.demo, hasSubscription: subscriptions.length > 0 };
}

export function FirstSteps({ start }: { start: Reloadable<Start> }) {
  if (!start.value) return null;
  const { demo, hasSubscription } = start.value;
  const change = async (action: 'START' | 'STOP') => {
    await changeDemo(action);
    notify(action === 'START' ? 'The demo fleet sails.' : 'The demo fleet has stopped.');
    start.reload();
  };
  const isRunning = demo.state === 'RUNNING';
  const mayChange = hasScope('admin') && !viewedUser.value;
  if (hasSubscription) {
    if (demo.failure) return <p class="warn">! {demo.failure}</p>;
    return isRunning ? <RunningFleet onStop={mayChange ? () => change('STOP') : undefined} /> : null;
  }
  return (
    <ol class="first-steps" aria-label="First steps">
      {(isRunning || (demo.canStart && mayChange)) && (
        <li>
          <h2>Something that changes</h2>
          <p>A fleet of ships whose voyages, port calls and bunker orders change every few seconds.</p>
          {demo.failure && <p class="warn">! {demo.failure}</p>}
          {isRunning ? (
            <p class="ok">✓ The demo fleet sails.</p>
          ) : (
            <Button kind="primary" onClick={() => change('START')}>
              Start the demo fleet
            </Button>
          )}
        </li>
      )}
      {hasScope('webhook') && !viewedUser.value && (
        <>
          <li>
            <h2>Something that shows it</h2>
            <p>A subscription to all changes, received by this page: nothing else has to run.</p>
            <Button kind={isRunning ? 'primary' : 'plain'} onClick={openTestReceiver}>
              Watch changes here
            </Button>
          </li>
          <li>
            <h2>Your own receiver</h2>
            <p>Choose what you are notified of, and where it is sent.</p>
            <Link class="button" to="/subscriptions/new">
              Create a subscription
            </Link>
          </li>
        </>
      )}
    </ol>
  );
}

function RunningFleet({ onStop }: { onStop: (() => Promise<void>) | undefined }) {
  return (
    <p class="running-fleet faint">
      The demo fleet sails.
      {onStop && (
        <Button kind="quiet" onClick={onStop}>
          Stop it
        </Button>
      )}
    </p>
  );
}
