// The overview: how it goes now, what needs attention, and what has just changed.

import { Page } from '../../elements/page.tsx';
import { useLoaded } from '../../service/use-loaded.ts';
import { hasScope } from '../../session/session.ts';
import { Activity, chosenRange } from '../statistics/activity.tsx';
import { Backlog, Figures } from './figures.tsx';
import { FirstSteps, loadStart } from './first-steps.tsx';
import { LatestChanges } from './latest-changes.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import './overview.css';
import { useStatistics } from '../statistics/statistics.ts';
import { SubscriptionCounts } from './subscription-counts.tsx';

export function OverviewPage() {
  const start = useLoaded(loadStart, []);
  return (
    <Page title="Overview">
      <FirstSteps start={start} />
      {hasScope('webhook') ? (
        <WithNotifications />
      ) : (
        <>
          <Figures hour={undefined} />
          <LatestChanges />
        </>
      )}
    </Page>
  );
}

function WithNotifications() {
  const range = chosenRange();
  const chosen = useStatistics(range === 'HOUR' ? undefined : range);
  const hour = useStatistics('HOUR');
  return (
    <>
      <Figures hour={hour.value} />
      <p class="faint overview-line">
        <Backlog /> <SubscriptionCounts />
      </p>
      <Activity statistics={range === 'HOUR' ? hour : chosen} />
      <div class="overview-columns">
        <NeedsAttention />
        <LatestChanges />
      </div>
    </>
  );
}
