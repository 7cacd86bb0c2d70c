// Draws the stacked chart of deliveries. Loaded only with it, because of its size.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Point } from './statistics.ts';

export interface ActivityChart {
  update(points: readonly Point[]): void;
  destroy(): void;
}

interface ChartOptions {
  stepSeconds: number;
  /** A period was dragged, in milliseconds. */
  onSelect(fromMs: number, toMs: number): void;
  /** The step under the pointer. */
  onPoint(index: number | undefined): void;
}

const heightPx = 200;
const dragPxMin = 6;

export function drawActivity(element: HTMLElement, points: readonly Point[], options: ChartOptions): ActivityChart {
  const plot = new uPlot(optionsOf(element, options), stacked(points), element);
  const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: heightPx }));
  resized.observe(element);
  // Colours are read when the chart is drawn.
  const scheme = window.matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => plot.redraw();
  scheme.addEventListener('change', redraw);
  const themed = new MutationObserver(redraw);
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return {
    update: (next) => plot.setData(stacked(next)),
    destroy: () => {
      resized.disconnect();
      themed.disconnect();
      scheme.removeEventListener('change', redraw);
      plot.destroy();
    },
  };
}

/** Each series contains those below it. The largest is drawn first, the others over it: failures are at the bottom. */
function stacked(points: readonly Point[]): uPlot.AlignedData {
  return [
    points.map(({ at }) => Date.parse(at) / 1_000),
    points.map(({ delivered, retried, failed }) => delivered + retried + failed),
    points.map(({ retried, failed }) => retried + failed),
    points.map(({ failed }) => failed),
  ];
}

function optionsOf(element: HTMLElement, { stepSeconds, onSelect, onPoint }: ChartOptions): uPlot.Options {
  const series = (colour: string): uPlot.Series => ({
    fill: () => colourOf(colour),
    stroke: () => colourOf(colour),
    width: 0,
    points: { show: false },
    // A bar begins where its step begins.
    paths: uPlot.paths.bars!({ size: [0.8, 40], align: 1 }),
  });
  const axis: uPlot.Axis = {
    stroke: () => colourOf('--ink-2'),
    grid: { stroke: () => colourOf('--line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  return {
    width: element.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
    scales: {
      // The last bar needs its step, too.
      x: { range: (_, min, max) => [min, max + stepSeconds] },
      y: { range: (_, __, max) => [0, Math.max(max * 1.1, 4)] },
    },
    series: [{}, series('--ok'), series('--warn'), series('--bad')],
    // Room for half of the last label.
    padding: [8, 32, 0, 0],
    axes: [
      { ...axis, grid: { show: false }, size: 28, space: 70, values: (_, splits) => splits.map(timeText) },
      { ...axis, size: 44, space: 40, incrs: wholeNumbers },
    ],
    hooks: {
      setCursor: [({ cursor: { idx } }) => onPoint(idx ?? undefined)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < dragPxMin) return;
          onSelect(plot.posToVal(left, 'x') * 1_000, plot.posToVal(left + width, 'x') * 1_000);
        },
      ],
    },
  };
}

const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** The day at its beginning, otherwise the time. */
function timeText(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return (date.getHours() === 0 && date.getMinutes() === 0 ? day : clockTime).format(date);
}

/** There is no half of a notification. */
const wholeNumbers = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6];

/** A canvas takes no variables: an element has the colour as it is in the theme. */
function colourOf(variable: string): string {
  const sample = document.body.appendChild(document.createElement('span'));
  sample.style.color = `var(${variable})`;
  const { color } = getComputedStyle(sample);
  sample.remove();
  return color;
}
