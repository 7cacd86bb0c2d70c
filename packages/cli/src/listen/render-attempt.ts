// One line for each attempt: aligned text for people, or JSON for programs.

import { printable } from '@flaghoist/source-text';
import type { Paint } from '../terminal/colours.ts';
import type { Attempt } from './forwarder.ts';

export type RenderAttempt = (attempt: Attempt, time: Date) => string;

export interface TextOptions {
  paint: Paint;
  /** Whether the body follows. */
  showsBody: boolean;
  /** Of the subscription: events will be as long as these. */
  eventTypes: readonly string[];
}

/** `10:32:07  BunkerOrder.U  1042                           #1  204 No Content      12 ms` */
export function textRenderer({ paint, showsBody, eventTypes }: TextOptions): RenderAttempt {
  const widths = {
    event: Math.max(...eventTypes.map((type) => type.split('.', 2).join('.').length)),
    object: '1007 (BunkerOrderLine.U 1042)'.length,
    answer: '204 No Content'.length,
  };
  const pad = (column: keyof typeof widths, text: string) => {
    widths[column] = Math.max(widths[column], text.length);
    return text.padEnd(widths[column]);
  };
  return (attempt, time) => {
    const { message } = attempt;
    const columns = [
      paint('grey', time.toTimeString().slice(0, 8)),
      paint('cyan', pad('event', message.event)),
      pad('object', objectOf(attempt)),
      paint('grey', `#${message.attempt}`),
      ...renderOutcome(attempt, paint, (text) => pad('answer', text)),
      ...marksOf(attempt).map((mark) => paint('yellow', mark)),
    ];
    const line = `${columns.join('  ').trimEnd()}\n`;
    return showsBody ? `${line}${renderBody(message.body)}` : line;
  };
}

/** The changed object too, if it is another one. */
function objectOf({ message }: Attempt): string {
  const { resourceKey, objectType, operation, objectKey, event } = message;
  const changed = `${objectType}.${operation} ${objectKey}`;
  if (resourceKey === null) return changed;
  const isItself = resourceKey === objectKey && event.startsWith(`${objectType}.`);
  return isItself ? String(resourceKey) : `${resourceKey} (${changed})`;
}

function renderOutcome({ outcome, retryInMs }: Attempt, paint: Paint, pad: (text: string) => string): string[] {
  if (!outcome) return [];
  const { isDelivered, answer, detail, durationMs } = outcome;
  return [
    paint(isDelivered ? 'green' : 'red', pad(answer)),
    `${durationMs} ms`.padStart(8),
    ...(retryInMs === undefined ? [] : [paint('yellow', `again in ${retryInMs / 1000} s`)]),
    ...(detail === '' ? [] : [paint('grey', printable(detail))]),
  ];
}

function marksOf({ message, outcome, retryInMs, isResend }: Attempt): string[] {
  const isGivenUp = outcome !== undefined && !outcome.isDelivered && retryInMs === undefined && !isResend;
  return [
    ...(message.origin === 'stream' ? [] : [message.origin]),
    ...(isResend ? ['resend'] : []),
    ...(isGivenUp ? ['given up'] : []),
  ];
}

function renderBody(body: string): string {
  let text = body;
  try {
    text = JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // Not JSON: as it is.
  }
  return `${text
    .split('\n')
    .map((line) => `    ${printable(line)}\n`)
    .join('')}`;
}

export function renderJson({ message, outcome, retryInMs, isResend }: Attempt, time: Date): string {
  const { headers, body, ...rest } = message;
  const line = {
    time: time.toISOString(),
    ...rest,
    isResend,
    status: outcome?.status ?? null,
    answer: outcome?.answer ?? null,
    detail: outcome?.detail || null,
    isDelivered: outcome?.isDelivered ?? null,
    durationMs: outcome?.durationMs ?? null,
    retryInMs: retryInMs ?? null,
    headers,
    body,
  };
  return `${JSON.stringify(line)}\n`;
}
