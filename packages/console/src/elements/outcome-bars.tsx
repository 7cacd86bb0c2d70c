// A small chart without axes: what was delivered and what failed, in equal steps of time.

import './outcome-bars.css';

export interface OutcomePoint {
  delivered: number;
  failed: number;
}

const barWidth = 4;
const height = 20;

/** `span`: what it covers, for example "Last 24 hours". */
export function OutcomeBars({ points, span }: { points: readonly OutcomePoint[]; span: string }) {
  const most = Math.max(1, ...points.map(({ delivered, failed }) => delivered + failed));
  const sum = (name: keyof OutcomePoint) => points.reduce((total, point) => total + point[name], 0).toLocaleString();
  const text = `${span}: ${sum('delivered')} delivered, ${sum('failed')} failed`;
  return (
    <svg
      class="outcome-bars"
      width={points.length * barWidth}
      height={height}
      viewBox={`0 0 ${points.length * barWidth} ${height}`}
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      <path class="base" d={`M0 ${height - 0.5}H${points.length * barWidth}`} />
      {points.map((point, index) => (
        <Bar key={index} x={index * barWidth} point={point} most={most} />
      ))}
    </svg>
  );
}

function Bar({ x, point: { delivered, failed }, most }: { x: number; point: OutcomePoint; most: number }) {
  const bad = heightOf(failed, most);
  const good = Math.min(heightOf(delivered, most), height - bad);
  return (
    <>
      {good > 0 && <rect class="good" x={x} y={height - good} width={barWidth - 1} height={good} />}
      {bad > 0 && <rect class="bad" x={x} y={height - good - bad} width={barWidth - 1} height={bad} />}
    </>
  );
}

/** What happened at all is seen: at least two pixels. */
function heightOf(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(2, Math.round((count / most) * height));
}
