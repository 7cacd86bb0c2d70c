// `flaghoist subscription test` and `ping`.

import { printable } from '@flaghoist/source-text';
import { CommandError, usageError } from '../command/command-error.ts';
import { parseKey } from '../command/parse-arguments.ts';
import type { ServiceOptions } from '../command/service-command.ts';
import { connect } from '../connection/connect.ts';
import { printResult } from '../terminal/output.ts';
import { findSubscription } from './find-subscription.ts';
import { type RecentOptions, testOnRecent } from './test-recent.ts';

export interface TestOptions extends ServiceOptions, RecentOptions {
  expression?: string;
}

export async function testSubscription(keyOrName: string, options: TestOptions): Promise<void> {
  const { object, operation, event, recent, expression } = options;
  if (object === undefined && event === undefined && recent === undefined)
    throw usageError('Test with what? Pass --object, --event or --recent.');
  const change = {
    ...(object !== undefined && { objectKey: parseKey('--object', object) }),
    ...(operation !== undefined && { operation: operation.toUpperCase() as 'C' | 'U' | 'D' }),
    ...(event !== undefined && { event: parseKey('--event', event) }),
  };
  const { client } = await connect(options);
  const key = await findSubscription(client, keyOrName);
  const subscription = expression === undefined ? key : { key, expression };
  if (recent !== undefined) return testOnRecent(client, subscription, options);
  const result = await client.call('WebhookSubscription', 'test', { ...change, subscription });
  const { isNotified, message, contentType, body, log } = result;
  const lines = (log ?? []).map((line) => `  log: ${printable(line)}\n`).join('');
  const outcome = isNotified
    ? `Would be sent, as ${contentType}:\n${body}`
    : `Would not be sent. ${printable(message)}`;
  printResult(options, result, `${outcome}\n${lines}`);
}

export async function pingSubscription(keyOrName: string, options: ServiceOptions): Promise<void> {
  const { client } = await connect(options);
  const key = await findSubscription(client, keyOrName);
  const result = await client.call('WebhookSubscription', 'ping', { key });
  const { isDelivered, url, statusCode, durationMs, errorMessage, answer } = result;
  const what = statusCode === null || statusCode === undefined ? '' : ` with ${statusCode}`;
  const text = isDelivered
    ? `${url} answered${what} after ${durationMs} ms.\n`
    : `${url} did not accept the test message: ${printable(errorMessage ?? '')}\n`;
  printResult(options, result, `${text}${answer ? `${printable(answer)}\n` : ''}`);
  if (!isDelivered) throw new CommandError('The test message was not delivered.');
}
