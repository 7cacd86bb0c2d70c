// The attempts to deliver a notification as dots on an axis of time.

import { durationText } from '../../../../elements/time.tsx';
import type { Schedule } from './retry-schedule.ts';

const width = 560;
const edge = 8;
const axis = 20;

/** `end`: what happens after the last failure. */
export function RetryLine({ schedule: { attempts }, end }: { schedule: Schedule; end: string }) {
  const last = attempts.at(-1)!;
  const place = placing(attempts);
  const marks = marksOf(attempts, place);
  const text =
    attempts.length === 1
      ? `One attempt. ${end}`
      : `${attempts.length} attempts in ${durationText(last * 1000)}. ${end}`;
  return (
    <figure class="retry-line">
      <svg viewBox={`0 0 ${width} 48`} role="img" aria-label={text}>
        <path d={`M${edge} ${axis}H${width - edge}`} class="axis" />
        {attempts.map((seconds, index) => (
          <circle key={index} cx={place(seconds)} cy={axis} r="4" class={index === 0 ? 'first' : 'dot'}>
            <title>{`Attempt ${index + 1}, ${index === 0 ? 'at once' : `after ${durationText(seconds * 1000)}`}`}</title>
          </circle>
        ))}
        <path d={`M${place(last) + 9} ${axis - 4}l8 8m0 -8l-8 8`} class="end" />
        {marks.map(({ x, label, anchor }) => (
          <text key={x} x={x} y="42" text-anchor={anchor}>
            {label}
          </text>
        ))}
      </svg>
      <figcaption class="hint">{text}</figcaption>
    </figure>
  );
}

/** Intervals that grow are drawn on a scale that keeps the first ones apart. */
function placing(attempts: readonly number[]): (seconds: number) => number {
  const [, first = 1] = attempts;
  const last = attempts.at(-1)!;
  const isGrowing = last > first * (attempts.length - 1) * 1.01;
  const scale = (seconds: number) => (isGrowing ? Math.log1p(seconds / first) : seconds);
  const room = width - 2 * edge - 24;
  return (seconds) => edge + (last === 0 ? 0 : (scale(seconds) / scale(last)) * room);
}

interface AxisMark {
  x: number;
  label: string;
  anchor: 'start' | 'middle' | 'end';
}

const labelWidth = 64;

/** The first, the last, and those between that have room. */
function marksOf(attempts: readonly number[], place: (seconds: number) => number): AxisMark[] {
  const marks: AxisMark[] = [{ x: edge - 4, label: 'now', anchor: 'start' }];
  const end = place(attempts.at(-1)!);
  let free = edge + labelWidth;
  for (const [index, seconds] of attempts.entries()) {
    const x = place(seconds);
    const isLast = index === attempts.length - 1;
    if (index === 0 || (!isLast && (x < free || x > end - labelWidth))) continue;
    marks.push({ x, label: durationText(seconds * 1000), anchor: 'middle' });
    free = x + labelWidth;
  }
  return marks;
}
