// How a subscription does: its figures, a chart of its deliveries, and its settings in short.

import type { ComponentChildren } from 'preact';
import { Section } from '../../../elements/page.tsx';
import { durationText, parseTime, Time, timeOfDayMs } from '../../../elements/time.tsx';
import { Link } from '../../../routing/link.tsx';
import { Activity, chosenRange } from '../../statistics/activity.tsx';
import '../../overview/overview.css';
import { useStatistics } from '../../statistics/statistics.ts';
import type { Subscription } from '../api-subscription.ts';
import { type Health, pendingText, useHealth } from '../health.ts';
import { SettingsFacts } from './settings-facts.tsx';

export function OverviewTab({ subscription, mayChange }: { subscription: Subscription; mayChange: boolean }) {
  const { key, state } = subscription;
  const health = useHealth([key]).get(key);
  const statistics = useStatistics(chosenRange(), key);
  return (
    <>
      <HealthFigures health={health} subscriptionKey={key} />
      <Activity statistics={statistics} subscription={key} />
      <Section
        title="In short"
        actions={
          mayChange && state !== 'UNSUBSCRIBED' ? (
            <Link to={`/subscriptions/${key}/edit`} class="button">
              Edit
            </Link>
          ) : undefined
        }
      >
        <SettingsFacts subscription={subscription} />
      </Section>
    </>
  );
}

function HealthFigures({ health, subscriptionKey }: { health: Health | undefined; subscriptionKey: number }) {
  const { pending, oldestPendingAt, lastError } = health ?? {};
  const list = (status: string) => `/notifications?subscription=${subscriptionKey}&status=${status}`;
  return (
    <dl class="health-figures">
      <Figure name="Delivered in the last hour" value={health?.deliveredLastHour} to={list('DELIVERED')} />
      <Figure name="Failed in the last hour" value={health?.failedLastHour} to={list('FAILED')} isBad />
      <Figure name="Pending" value={pending} text={pendingText} to={list('PENDING')}>
        {oldestPendingAt &&
          pending! > 0 &&
          `oldest ${durationText(timeOfDayMs() - parseTime(oldestPendingAt).getTime())}`}
      </Figure>
      <div class="last-error">
        <dt>Last error</dt>
        <dd>
          {lastError ? (
            <>
              <Time at={lastError.at} /> <span title={lastError.text}>{lastError.text}</span>
            </>
          ) : (
            <span class="faint">–</span>
          )}
        </dd>
      </div>
    </dl>
  );
}

interface FigureProps {
  name: string;
  value: number | undefined;
  to: string;
  isBad?: boolean;
  text?(value: number): string;
  children?: ComponentChildren;
}

function Figure({ name, value, to, isBad = false, text = (count) => count.toLocaleString(), children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value === undefined ? (
          <span class="figure faint">–</span>
        ) : (
          <Link to={to} class={`figure${isBad && value > 0 ? ' bad' : ''}`}>
            {text(value)}
          </Link>
        )}{' '}
        <span class="faint">{children}</span>
      </dd>
    </div>
  );
}
