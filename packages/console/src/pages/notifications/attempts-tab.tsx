// The request and the response of each attempt.

import { CodeBlock } from '../../elements/copied.tsx';
import { Empty } from '../../elements/loading.tsx';
import { Fact, Facts } from '../../elements/page.tsx';
import { durationText, Time } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { place, setQuery, withQuery } from '../../routing/location.ts';
import { requestHeaders } from './message-headers.ts';
import type { Attempt, Notification } from './notification.ts';
import { useSubscriptionOf } from './subscription-of.ts';

export function AttemptsTab({ notification }: { notification: Notification }) {
  const log = notification.attemptLog ?? [];
  if (log.length === 0) return <Empty>There has been no attempt yet.</Empty>;
  const first = Math.max(notification.attempts - log.length, 0) + 1;
  const wished = Number(place.value.query.get('attempt'));
  const number = log[wished - first] ? wished : first + log.length - 1;
  return (
    <>
      {log.length > 1 && (
        <label class="attempt-choice">
          Attempt{' '}
          <select
            aria-label="Attempt"
            value={number}
            onChange={(event) => setQuery({ attempt: event.currentTarget.value }, { replace: true })}
          >
            {log.map((attempt, index) => (
              <option key={attempt.date} value={first + index} selected={first + index === number}>
                {first + index}: {attempt.error ?? 'accepted'}
              </option>
            ))}
          </select>
        </label>
      )}
      <OneAttempt notification={notification} attempt={log[number - first]!} number={number} />
    </>
  );
}

interface OneAttemptProps {
  notification: Notification;
  attempt: Attempt;
  number: number;
}

function OneAttempt({ notification, attempt, number }: OneAttemptProps) {
  const subscription = useSubscriptionOf(notification).value;
  const headers = requestHeaders(notification, { attempt, number, subscription });
  return (
    <>
      <h3>Request</h3>
      <Facts>
        <Fact name="Started">
          <Time at={attempt.date} absolute />
        </Fact>
        {subscription?.url && (
          <Fact name="To">
            <span class="mono">{subscription.url}</span>
          </Fact>
        )}
      </Facts>
      <CodeBlock label="Request headers" text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} />
      <p class="hint">
        The address and the headers of the subscription are shown as they are now. The body is{' '}
        <Link to={withQuery({ tab: 'body' })}>the same for each attempt</Link>.
      </p>
      <h3>Response</h3>
      <Facts>
        <Fact name="Status">{attempt.statusCode ?? 'none'}</Fact>
        <Fact name="Took">{durationText(attempt.durationMs)}</Fact>
        {attempt.error !== null && (
          <Fact name="Error">
            <span class="bad">{attempt.error}</span>
          </Fact>
        )}
      </Facts>
      {attempt.answer && <CodeBlock label="First bytes of the response" text={attempt.answer} />}
    </>
  );
}
