// One stream: what waits in it, how a program connects, and a receiver in the page.

import { useEffect } from 'preact/hooks';
import { CodeBlock } from '../../elements/copied.tsx';
import { Loading } from '../../elements/loading.tsx';
import { Fact, Facts, Page } from '../../elements/page.tsx';
import { StatusMark } from '../../elements/status-mark.tsx';
import { Time } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import type { PageProps } from '../../routing/page-props.ts';
import { request, restUrl } from '../../service/request.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { maySend } from '../notifications/send-again.ts';
import {
  acknowledgeSecondsDefault,
  loadWaiting,
  type StreamSubscription,
  streamFields,
} from './stream-subscription.ts';
import './streams.css';
import { TestReceiver } from './test-receiver.tsx';

export function StreamPage({ stream: key }: PageProps) {
  const loaded = useLoaded(
    (signal) => request<StreamSubscription>(`/WebhookSubscription/${key}`, { fields: streamFields, signal }),
    [key],
  );
  const subscription = loaded.value;
  return (
    <Page
      title={subscription?.name || `Stream ${key}`}
      above={<Link to="/streams">Streams</Link>}
      actions={
        <Link class="button" to={`/subscriptions/${key}`}>
          Subscription
        </Link>
      }
    >
      <Loading of={loaded}>
        {(shown) => (
          <>
            <StreamFacts subscription={shown} />
            <details class="connect">
              <summary>Connect a program</summary>
              <CodeBlock label="How a program connects" text={commands(shown.key)} />
            </details>
            {maySend() && shown.state === 'ACTIVE' && <TestReceiver key={shown.key} subscription={shown} />}
          </>
        )}
      </Loading>
    </Page>
  );
}

const reloadMs = 5_000;

function StreamFacts({ subscription }: { subscription: StreamSubscription }) {
  const { key, eventTypes, state, acknowledgeSeconds, ordering, ratePerSecond } = subscription;
  const waiting = useLoaded((signal) => loadWaiting(key, signal), [key]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) waiting.reload();
    }, reloadMs);
    return () => clearInterval(timer);
  }, [key]);
  const { pending, sentBefore, lastAcknowledgedAt } = waiting.value ?? {};
  return (
    <Facts>
      <Fact name="State">
        <StatusMark status={state} />
      </Fact>
      <Fact name="Events">{eventTypes.join(', ')}</Fact>
      <Fact name="Not acknowledged">
        <Link to={`/notifications?subscription=${key}&status=PENDING`}>{pending?.toLocaleString() ?? '–'}</Link>
        {sentBefore !== undefined && sentBefore > 0 && (
          <span class="faint">
            {' '}
            of which {sentBefore.toLocaleString()} were sent before and not acknowledged in time
          </span>
        )}
      </Fact>
      <Fact name="Last acknowledged">
        <Time at={lastAcknowledgedAt} />
      </Fact>
      <Fact name="Sent again after">{acknowledgeSeconds ?? acknowledgeSecondsDefault} s without acknowledgement</Fact>
      {ordering === 'OBJECT' && <Fact name="Order">one after the other for each object</Fact>}
      {ratePerSecond !== null && <Fact name="Rate">at most {ratePerSecond} per second</Fact>}
    </Facts>
  );
}

function commands(key: number): string {
  const url = `${new URL(restUrl, window.location.href).href}/WebhookSubscription/${key}`;
  return [
    `curl -N ${url}/stream -H "Authorization: Bearer $TOKEN"`,
    '',
    `curl ${url}/acknowledge -H "Authorization: Bearer $TOKEN" \\`,
    `  -H 'Content-Type: application/json' -d '{"notifications": [1100]}'`,
  ].join('\n');
}
