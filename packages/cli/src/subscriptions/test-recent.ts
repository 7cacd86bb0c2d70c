// `flaghoist subscription test --recent`: what a subscription would have made of the newest changes that it covers.

import type { Catalogue, Client } from '@flaghoist/sdk';
import { usageError } from '../command/command-error.ts';
import { parseCount } from '../command/parse-arguments.ts';
import { type OutputOptions, printResult, renderTable } from '../terminal/output.ts';

/** Which changes are tried: `recent` excludes the others. */
export interface RecentOptions {
  object?: string;
  operation?: string;
  event?: string;
  recent?: string;
}

type Recent = Catalogue['WebhookSubscription']['actions']['testRecent'];

/** `subscription`: its key, or its key with changes. */
export async function testOnRecent(
  client: Client,
  subscription: Recent['takes']['subscription'],
  options: OutputOptions & RecentOptions,
): Promise<void> {
  const { recent, object, event, operation } = options;
  if (object !== undefined || event !== undefined || operation !== undefined)
    throw usageError('--recent goes without --object, --event and --operation.');
  const limit = parseCount('--recent', recent!);
  if (limit > 50) throw usageError('--recent: at most 50 changes can be tested.');
  const result = await client.call('WebhookSubscription', 'testRecent', { subscription, limit });
  printResult(options, result, renderRecent(result));
}

function renderRecent({ changes, matched, examined }: Recent['answers']): string {
  if (examined === 0) return 'No recent change is covered by its event types.\n';
  const rows = changes.map(({ id, occurredAt, event, objectKey, name, isMatch, message }) => {
    const object = name === null ? String(objectKey) : `${objectKey} ${name}`;
    return [id, `${occurredAt.slice(0, 19).replace('T', ' ')} UTC`, event, object, isMatch, message];
  });
  const newest = changes.find(({ body }) => body !== null)?.body;
  const sent = newest ? `\nThe newest match, ${newest.bytes} bytes of ${newest.contentType}:\n${newest.text}\n` : '';
  const head = ['EVENT', 'TIME', 'CHANGE', 'OBJECT', 'MATCHES', 'WHY'];
  return `${matched} of the last ${examined} changes would have been sent.\n${renderTable(head, rows)}${sent}`;
}
