// The built-in receiver: shows each notification of the stream as it comes, verifies it, and acknowledges it.

import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { Check, TextField } from '../../elements/field.tsx';
import { Empty } from '../../elements/loading.tsx';
import { notifyError } from '../../elements/notices.tsx';
import { Section } from '../../elements/page.tsx';
import { knownSecret, takeRequest } from '../subscriptions/receive-here.ts';
import { ReceivedNotification } from './received-notification.tsx';
import { type ConsumerState, StreamConsumer } from './stream-consumer.ts';
import type { StreamSubscription } from './stream-subscription.ts';

const words: Readonly<Record<ConsumerState, string>> = {
  stopped: 'not connected',
  connecting: 'connecting',
  receiving: 'receiving',
};

export function TestReceiver({ subscription }: { subscription: StreamSubscription }) {
  const { key } = subscription;
  const consumer = useMemo(() => new StreamConsumer(key), [key]);
  useEffect(() => {
    consumer.secret.value = knownSecret(key);
    if (takeRequest(key)) consumer.start();
    return () => consumer.stop();
  }, [consumer]);
  const isStopped = consumer.state.value === 'stopped';
  return (
    <Section
      title="Test receiver"
      actions={
        isStopped ? (
          <Button kind="primary" onClick={() => consumer.start()}>
            Receive here
          </Button>
        ) : (
          <Button onClick={() => consumer.stop()}>Stop</Button>
        )
      }
    >
      <div class="receiver-bar">
        <p class={`receiver-state ${consumer.state.value}`} role="status">
          <span aria-hidden="true">●</span> {words[consumer.state.value]}
          {consumer.count.value > 0 && `, ${consumer.count.value.toLocaleString()} received`}
        </p>
        <Check
          label="Acknowledge automatically"
          isChecked={consumer.isAutomatic.value}
          onChange={(isChecked) => consumer.setAutomatic(isChecked)}
        />
        <details class="receiver-secret">
          <summary>{consumer.secret.value === '' ? 'Verify signatures' : 'Signatures are verified'}</summary>
          <form onSubmit={(event) => event.preventDefault()}>
            <TextField
              label="Signing secret"
              type="password"
              isMono
              value={consumer.secret.value}
              onInput={(value) => {
                consumer.secret.value = value;
              }}
              placeholder="whsec_…"
              hint="It stays in this page. It was shown when the subscription was created."
            />
          </form>
        </details>
      </div>
      {consumer.problem.value && (
        <p class="bad" role="alert">
          {consumer.problem.value}
        </p>
      )}
      <ReceivedList consumer={consumer} />
    </Section>
  );
}

function ReceivedList({ consumer }: { consumer: StreamConsumer }) {
  const received = consumer.received.value;
  if (received.length === 0)
    return (
      <Empty>
        {consumer.state.value === 'stopped'
          ? 'The page becomes a consumer of this stream. What it acknowledges, no other consumer gets.'
          : 'Connected. The next notification appears here.'}
      </Empty>
    );
  return (
    <ol class="received" aria-label="Received notifications, newest first">
      {received.map((each) => (
        <ReceivedNotification
          key={each.notification}
          received={each}
          onAcknowledge={() => consumer.acknowledge([each.notification]).catch(notifyError)}
        />
      ))}
    </ol>
  );
}
