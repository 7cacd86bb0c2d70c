// What was delivered, retried and failed in the last hour, day or week: a chart, and the same as a table.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { Failure } from '../../elements/loading.tsx';
import { Section } from '../../elements/page.tsx';
import { localTime } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { addQuery, navigate, place, setQuery } from '../../routing/location.ts';
import type { Reloadable } from '../../service/use-loaded.ts';
import type { ActivityChart } from './activity-chart.ts';
import { type Counts, type Range, ranges, type Statistics } from './statistics.ts';

export function chosenRange(): Range {
  const chosen = place.value.query.get('range');
  return ranges.find(({ range }) => range === chosen)?.range ?? 'HOUR';
}

interface ActivityProps {
  statistics: Reloadable<Statistics | undefined>;
  /** The key of the subscription that the figures are of; undefined: of all. */
  subscription?: number;
}

export function Activity({ statistics, subscription }: ActivityProps) {
  const range = chosenRange();
  const [hovered, setHovered] = useState<number | undefined>(undefined);
  // The former range stays while the new one loads, but is not drawn on its axis.
  const shown = statistics.value?.range === range ? statistics.value : undefined;
  return (
    <Section
      title="Deliveries"
      actions={
        <div class="choice" role="group" aria-label="Period">
          {ranges.map(({ range: each, words }) => (
            <Button
              key={each}
              pressed={each === range}
              onClick={() => setQuery({ range: each === 'HOUR' ? undefined : each }, { replace: true })}
            >
              {words}
            </Button>
          ))}
        </div>
      }
    >
      {statistics.kind === 'failed' && <Failure error={statistics.error} retry={statistics.reload} />}
      <Legend statistics={shown} hovered={hovered} />
      <div class="activity-chart" aria-hidden="true">
        {shown && <Chart key={range} statistics={shown} subscription={subscription} onPoint={setHovered} />}
      </div>
      {shown && <ActivityTable statistics={shown} subscription={subscription} />}
    </Section>
  );
}

function Legend({ statistics, hovered }: { statistics: Statistics | undefined; hovered: number | undefined }) {
  const point = hovered === undefined ? undefined : statistics?.points[hovered];
  const counts: Counts | undefined = point ?? statistics?.totals;
  const when = point ? localTime(new Date(point.at)) : 'in all';
  return (
    <p class="legend">
      <span class="ok">✓ Delivered {countText(counts?.delivered)}</span>
      <span class="warn">◌ Retried {countText(counts?.retried)}</span>
      <span class="bad">✕ Failed {countText(counts?.failed)}</span>
      <span class="faint">{when}</span>
      <span class="faint hint">Drag over the chart to see the notifications of a period.</span>
    </p>
  );
}

function countText(count: number | undefined): string {
  return count === undefined ? '–' : count.toLocaleString();
}

interface ShownProps {
  statistics: Statistics;
  subscription: number | undefined;
}

function Chart({ statistics, subscription, onPoint }: ShownProps & { onPoint(index: number | undefined): void }) {
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<ActivityChart | undefined>(undefined);
  const latest = useRef(statistics);
  latest.current = statistics;
  useEffect(() => {
    let isShown = true;
    import('./activity-chart.ts').then(({ drawActivity }) => {
      // Of a page that was left at once, the element is gone before the effect ends.
      if (!isShown || !element.current) return;
      const { points, stepSeconds } = latest.current;
      const onSelect = (fromMs: number, toMs: number) => navigate(periodPath(fromMs, toMs, subscription));
      chart.current = drawActivity(element.current, points, { stepSeconds, onSelect, onPoint });
    });
    return () => {
      isShown = false;
      chart.current?.destroy();
    };
  }, []);
  useEffect(() => chart.current?.update(statistics.points), [statistics]);
  return <div ref={element} />;
}

function periodPath(fromMs: number, toMs: number, subscription: number | undefined): string {
  const second = (ms: number) => new Date(Math.floor(ms / 1_000) * 1_000).toISOString();
  return addQuery('/notifications', { subscription: subscription?.toString(), from: second(fromMs), to: second(toMs) });
}

/** Only steps in which something happened. */
function ActivityTable({ statistics: { points, stepSeconds }, subscription }: ShownProps) {
  const busy = points.filter(({ delivered, retried, failed }) => delivered + retried + failed > 0).reverse();
  return (
    <details class="activity-table">
      <summary>As a table</summary>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col" class="number">
              Delivered
            </th>
            <th scope="col" class="number">
              Retried
            </th>
            <th scope="col" class="number">
              Failed
            </th>
          </tr>
        </thead>
        <tbody>
          {busy.map(({ at, delivered, retried, failed }) => (
            <tr key={at}>
              <th scope="row">
                <Link to={periodPath(Date.parse(at), Date.parse(at) + stepSeconds * 1_000, subscription)}>
                  {localTime(new Date(at))}
                </Link>
              </th>
              <td class="number">{delivered.toLocaleString()}</td>
              <td class="number">{retried.toLocaleString()}</td>
              <td class="number">{failed.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {busy.length === 0 && <p class="faint">Nothing was sent in this period.</p>}
    </details>
  );
}
