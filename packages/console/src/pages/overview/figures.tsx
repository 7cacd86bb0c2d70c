// Four figures of now, each with a line of the last hour.

import type { ComponentChildren } from 'preact';
import { durationText } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { figures } from '../../service/live-feed.ts';
import type { Point, Statistics } from '../statistics/statistics.ts';
import { Sparkline } from './sparkline.tsx';

/** `hour`: undefined while it loads, or if the user may not see notifications. */
export function Figures({ hour }: { hour: Statistics | undefined }) {
  const now = figures.value;
  const points = hour?.points ?? [];
  const failed = hour?.totals.failed;
  return (
    <dl class="overview-figures" aria-label="Now">
      <Figure name="Changes" unit="per second" points={points} of={({ changes }) => changes}>
        {rateText(now?.changesPerSecond ?? lastMinute(points, ({ changes }) => changes))}
      </Figure>
      <Figure name="Delivered" unit="per second" points={points} of={({ delivered }) => delivered}>
        {rateText(now?.deliveredPerSecond ?? lastMinute(points, ({ delivered }) => delivered))}
      </Figure>
      <Figure
        name="Failed"
        unit="in the last hour"
        points={points}
        of={(point) => point.failed}
        tone={failed !== undefined && failed > 0 ? 'bad' : undefined}
      >
        {failed === undefined ? (
          '–'
        ) : failed > 0 ? (
          <Link to="/notifications?status=FAILED&last=1h">{failed.toLocaleString()}</Link>
        ) : (
          '0'
        )}
      </Figure>
      <Figure name="Delivery" unit="99 % within" points={points} of={({ p99Ms }) => p99Ms}>
        {durationText(now?.p99Ms ?? hour?.totals.p99Ms)}{' '}
        <span class="faint figure-more">half within {durationText(now?.p50Ms ?? hour?.totals.p50Ms)}</span>
      </Figure>
    </dl>
  );
}

interface FigureProps {
  name: string;
  unit: string;
  points: readonly Point[];
  of(point: Point): number | null;
  tone?: 'bad' | undefined;
  children: ComponentChildren;
}

function Figure({ name, unit, points, of, tone, children }: FigureProps) {
  return (
    <div class="overview-figure">
      <dt>
        {name} <span class="faint">{unit}</span>
      </dt>
      <dd class={tone}>
        <span class="figure-value">{children}</span>
        <Sparkline values={points.map(of)} tone={tone} />
      </dd>
    </div>
  );
}

/** While the live feed is away: the average of the last whole minute. */
function lastMinute(points: readonly Point[], of: (point: Point) => number): number | undefined {
  const point = points.at(-2);
  return point && of(point) / 60;
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
