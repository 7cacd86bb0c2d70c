// `flaghoist notification show`.

import { printable } from '@flaghoist/source-text';
import { parseKey } from '../command/parse-arguments.ts';
import type { ServiceOptions } from '../command/service-command.ts';
import { connect } from '../connection/connect.ts';
import { printResult, renderRows } from '../terminal/output.ts';

interface LoggedAttempt {
  date: string;
  durationMs: number;
  statusCode: number | null;
  answer: string | null;
  error: string | null;
}

export async function showNotification(keyOrId: string, options: ServiceOptions): Promise<void> {
  const key = parseKey('<notification>', keyOrId.replace(/^\d+-/, ''));
  const { client } = await connect(options);
  const notification = await client.get('WebhookNotification', key);
  const { id, subscription, objectType, eventType, objectKey, subscribedObjectKey, body } = notification;
  const attempts = (notification.attemptLog ?? []) as LoggedAttempt[];
  const text = renderRows([
    ['id', id],
    ['subscription', subscription.key],
    ['change', `${objectType}.${eventType} ${objectKey}`],
    ['about', subscribedObjectKey],
    ['occurredAt', notification.occurredAt],
    ['status', notification.status],
    ['deliveryDate', notification.deliveryDate],
    ['nextAttemptDate', notification.nextAttemptDate],
    ['error', notification.errorMessage],
    ...attempts.map((attempt, index) => [`attempt ${index + 1}`, describeAttempt(attempt)] as const),
  ]);
  printResult(options, notification, `${text}\n${body === null ? 'The body is no longer kept.' : body}\n`);
}

function describeAttempt({ date, durationMs, statusCode, answer, error }: LoggedAttempt): string {
  const outcome = error ?? `answered ${statusCode ?? ''}`.trimEnd();
  return `${date}, ${durationMs} ms: ${outcome}${answer ? ` ${printable(answer)}` : ''}`;
}
