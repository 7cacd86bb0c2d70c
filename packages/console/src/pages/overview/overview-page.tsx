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
          <Figures hour={undefined} day={undefined} />
          <LatestChanges />
        </>
      )}
    </Page>
  );
}

function WithNotifications() {
  const range = chosenRange();
  const hour = useStatistics('HOUR');
  const day = useStatistics('DAY');
  const week = useStatistics(range === 'WEEK' ? range : undefined);
  return (
    <>
      <Figures hour={hour.value} day={day.value} />
      <p class="faint overview-line">
        <Backlog /> <SubscriptionCounts />
      </p>
      <Activity statistics={{ HOUR: hour, DAY: day, WEEK: week }[range]} />
      <div class="overview-columns">
        <NeedsAttention />
        <LatestChanges />
      </div>
    </>
  );
}
