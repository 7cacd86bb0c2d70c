// What happened to a notification, from the change to the last attempt, with the time between, and what comes next.

import type { ComponentChildren } from 'preact';
import { StatusMark } from '../../elements/status-mark.tsx';
import { durationText, parseTime, Time, TimeUntil } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { withQuery } from '../../routing/location.ts';
import { useChangeOf } from './change-of.ts';
import type { Attempt, Notification } from './notification.ts';
import { isStreamed, type Subscription, useSubscriptionOf } from './subscription-of.ts';

type Tone = 'ok' | 'bad' | 'wait' | 'quiet';

export function TimelineTab({ notification }: { notification: Notification }) {
  const subscription = useSubscriptionOf(notification).value;
  const attempts = notification.attemptLog ?? [];
  const firstNumber = Math.max(notification.attempts - attempts.length, 0) + 1;
  return (
    <ol class="timeline">
      <ChangeStep notification={notification} />
      <MatchedStep notification={notification} subscription={subscription} />
      {attempts.map((attempt, index) => (
        <AttemptStep
          key={attempt.date}
          attempt={attempt}
          number={firstNumber + index}
          sinceMs={sinceBefore(notification, attempts, index)}
          isFirst={index === 0}
        />
      ))}
      <LastStep notification={notification} subscription={subscription} />
    </ol>
  );
}

interface StepProps {
  tone: Tone;
  title: ComponentChildren;
  at?: string | null;
  /** The time since the step before. */
  since?: string;
  children?: ComponentChildren;
}

function Step({ tone, title, at, since, children }: StepProps) {
  return (
    <li class="step" data-tone={tone}>
      <div class="step-head">
        <span class="step-title">{title}</span>
        {since && <span class="faint">{since}</span>}
        {at && (
          <span class="step-time">
            <Time at={at} absolute />
          </span>
        )}
      </div>
      {children && <div class="step-text">{children}</div>}
    </li>
  );
}

function ChangeStep({ notification }: { notification: Notification }) {
  const change = useChangeOf(notification).value;
  const { objectType, objectKey, eventType, occurredAt, changes } = notification;
  const verb = { C: 'created', U: 'changed', D: 'deleted' }[eventType] ?? 'changed';
  const names = [...new Set((changes ?? []).map(({ attribute }) => attribute))];
  return (
    <Step tone="quiet" title={`${objectType} ${change?.name ?? objectKey} ${verb}`} at={occurredAt}>
      {change && (
        <p>
          by {change.user ? change.user.userCode : 'SQL'}
          {change.client && <span class="faint"> with {change.client}</span>}
        </p>
      )}
      {names.length > 0 && eventType === 'U' && (
        <p>
          <Link to={withQuery({ tab: 'changes' })}>{attributeList(names)}</Link>
        </p>
      )}
    </Step>
  );
}

function attributeList(names: readonly string[]): string {
  const shown = names.slice(0, 4).join(', ');
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown;
}

interface SubscriptionStepProps {
  notification: Notification;
  subscription: Subscription | undefined;
}

function MatchedStep({ notification, subscription }: SubscriptionStepProps) {
  const { subscribedObjectKey, objectKey, objectType, sequence } = notification;
  const { expression, dlpAlertScript, xsl, useMsg, json } = subscription ?? {};
  return (
    <>
      <Step tone="quiet" title="Matched">
        {subscribedObjectKey !== objectKey && (
          <p>
            as part of <span class="mono">{subscribedObjectKey}</span>
          </p>
        )}
        {expression && <code>{expression}</code>}
        {!expression && !dlpAlertScript && <p class="faint">by event type alone</p>}
        <p>
          <Link to={`/why-not?change=${sequence}&type=${objectType}&object=${objectKey}`}>Who else was notified</Link>
        </p>
      </Step>
      {(dlpAlertScript || xsl || json) && (
        <Step tone="quiet" title="Shaped">
          {dlpAlertScript && (
            <p>
              by the script {dlpAlertScript}
              {useMsg ? ', which wrote the message' : ', which decided'}
            </p>
          )}
          {xsl && <p>by a stylesheet</p>}
          {json && <p>to chosen fields</p>}
        </Step>
      )}
    </>
  );
}

interface AttemptStepProps {
  attempt: Attempt;
  number: number;
  sinceMs: number;
  isFirst: boolean;
}

function AttemptStep({ attempt, number, sinceMs, isFirst }: AttemptStepProps) {
  const { date, durationMs, statusCode, error } = attempt;
  const since = isFirst ? `${durationText(sinceMs)} after the change` : `${durationText(sinceMs)} later`;
  return (
    <Step
      tone={error === null ? 'ok' : 'bad'}
      title={<Link to={withQuery({ tab: 'attempts', attempt: String(number) })}>Attempt {number}</Link>}
      at={date}
      since={since}
    >
      <p>
        {error ?? 'Accepted.'}
        {statusCode !== null && error === null && ` The receiver answered ${statusCode}.`}{' '}
        <span class="faint">{durationText(durationMs)}</span>
      </p>
    </Step>
  );
}

function sinceBefore({ occurredAt }: Notification, attempts: readonly Attempt[], index: number): number {
  const before = index === 0 ? occurredAt : attempts[index - 1]!.date;
  return Math.max(parseTime(attempts[index]!.date).getTime() - parseTime(before).getTime(), 0);
}

function LastStep({ notification, subscription }: SubscriptionStepProps) {
  const { status, deliveryDate, nextAttemptDate, errorMessage, attempts } = notification;
  if (status === 'DELIVERED')
    return (
      <Step tone="ok" title={<StatusMark status="DELIVERED" />} at={deliveryDate}>
        {isStreamed(subscription) && <p>acknowledged by a consumer of the stream</p>}
      </Step>
    );
  if (status === 'FAILED')
    return (
      <Step tone="bad" title={<StatusMark status="FAILED" />}>
        <p>{errorMessage}</p>
      </Step>
    );
  if (isStreamed(subscription))
    return (
      <Step tone="wait" title={<StatusMark status="UNACKNOWLEDGED" />}>
        <p>
          <Link to={`/streams/${notification.subscription.key}`}>
            {attempts === 0 ? 'No consumer has fetched it yet.' : 'A consumer has it, or will get it again.'}
          </Link>
        </p>
      </Step>
    );
  return (
    <Step tone="wait" title={`Attempt ${attempts + 1}`} at={nextAttemptDate}>
      <p>{nextAttemptDate ? <TimeUntil at={nextAttemptDate} /> : 'as soon as its turn comes'}</p>
    </Step>
  );
}
