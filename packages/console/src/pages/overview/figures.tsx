// What happens per second now and how fast it is delivered, each with a line of the last hour.

import type { ComponentChildren } from 'preact';
import { durationText } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { figures } from '../../service/live-feed.ts';
import type { Point, Statistics } from '../statistics/statistics.ts';
import { Sparkline } from './sparkline.tsx';

interface FiguresProps {
  /** Undefined while they load, or if the user may not see notifications. */
  hour: Statistics | undefined;
  day: Statistics | undefined;
}

export function Figures({ hour, day }: FiguresProps) {
  const now = figures.value;
  const points = hour?.points ?? [];
  const failed = hour?.totals.failed ?? 0;
  const rates = { hour, day, points };
  return (
    <dl class="overview-figures" aria-label="Now">
      <Rate name="Changes" count="changes" now={now?.changesPerSecond} {...rates} />
      <Rate name="Notifications" count="created" now={now?.notificationsPerSecond} {...rates} />
      <Rate name="Delivered" count="delivered" now={now?.deliveredPerSecond} {...rates} />
      <Rate
        name="Failed"
        count="failed"
        now={now?.failedPerSecond}
        {...rates}
        tone={failed > 0 ? 'bad' : undefined}
        hourPath={failed > 0 ? '/notifications?status=FAILED&last=1h' : undefined}
      />
      <Figure
        name="Delivery"
        unit="99 % within"
        values={points.map(({ p99Ms }) => p99Ms)}
        more={`half within ${durationText(now?.p50Ms ?? hour?.totals.p50Ms)}`}
      >
        {durationText(now?.p99Ms ?? hour?.totals.p99Ms)}
      </Figure>
    </dl>
  );
}

interface RateProps extends FiguresProps {
  name: string;
  count: 'changes' | 'created' | 'delivered' | 'failed';
  now: number | undefined;
  points: readonly Point[];
  tone?: 'bad' | undefined;
  /** Where those of the last hour are listed. */
  hourPath?: string | undefined;
}

/** How many per second, and how many in the last hour and day. */
function Rate({ name, count, now, hour, day, points, tone, hourPath }: RateProps) {
  const inHour = `Hour ${countText(hour?.totals[count])}`;
  return (
    <Figure
      name={name}
      unit="per s"
      values={points.map((point) => point[count])}
      tone={tone}
      more={
        hour && (
          <>
            {hourPath ? <Link to={hourPath}>{inHour}</Link> : inHour} · Day {countText(day?.totals[count])}
          </>
        )
      }
    >
      {rateText(now ?? lastMinute(points, count))}
    </Figure>
  );
}

interface FigureProps {
  name: string;
  unit: string;
  /** Of the last hour. */
  values: readonly (number | null)[];
  tone?: 'bad' | undefined;
  more: ComponentChildren;
  children: ComponentChildren;
}

function Figure({ name, unit, values, tone, more, children }: FigureProps) {
  return (
    <div class="overview-figure">
      <dt>
        {name} <span class="faint">{unit}</span>
      </dt>
      <dd class={`figure-now ${tone ?? ''}`}>
        <span class="figure-value">{children}</span>
        <Sparkline values={values} tone={tone} />
      </dd>
      <dd class="faint figure-more">{more}</dd>
    </div>
  );
}

/** While the live feed is away: the average of the last whole minute. */
function lastMinute(points: readonly Point[], count: RateProps['count']): number | undefined {
  const point = points.at(-2);
  return point && point[count] / 60;
}

function countText(count: number | undefined): string {
  return count === undefined ? '–' : count.toLocaleString();
}

function rateText(perSecond: number | undefined): string {
  if (perSecond === undefined) return '–';
  return perSecond.toLocaleString(undefined, { maximumFractionDigits: perSecond < 10 ? 1 : 0 });
}

/** What waits, in a few words. */
export function Backlog() {
  const now = figures.value;
  if (!now) return null;
  const { backlog, oldestPendingSeconds } = now;
  if (backlog === 0) return <span>Nothing waits to be delivered.</span>;
  return (
    <span>
      <Link to="/notifications?status=PENDING">
        {backlog.toLocaleString()} {backlog === 1 ? 'notification waits' : 'notifications wait'}
      </Link>
      {oldestPendingSeconds !== null && `, the oldest for ${durationText(oldestPendingSeconds * 1_000)}`}.
    </span>
  );
}
