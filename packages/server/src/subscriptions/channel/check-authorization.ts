// Checks that what a subscription says about authorization fits together, whether it was sent or stored before.

import { isChannelType } from '../../channel-types.ts';
import { channelRegistry } from '../../channels/registry/channel-registry.ts';
import type { StoredValue } from '../../objects/check-scalar.ts';
import type { Mistake } from '../../objects/mistake.ts';
import type { LockedRow } from '../../objects/type-rules.ts';
import type { ShownAuth } from './channel-auth.ts';

/** Column → value. */
type Columns = ReadonlyMap<string, StoredValue>;

export function checkAuthorization(sent: Columns, current?: LockedRow): Mistake[] {
  const read = (column: string) => (sent.has(column) ? sent.get(column) : current?.get(column)) ?? null;
  return [...checkHeader(sent, read), ...checkUse(sent, read)];
}

type Read = (column: string) => string | null;

interface AuthorizationSource {
  name: string;
  columns: readonly string[];
  isSet(read: Read): boolean;
}

/** Everything that sets the header `Authorization`. */
const sources: readonly AuthorizationSource[] = [
  {
    name: 'webhookUsername',
    columns: ['webhook_username', 'webhook_password'],
    isSet: hasPassword,
  },
  {
    name: 'headers.Authorization',
    columns: ['headers'],
    isSet: (read) => namesOf(read('headers')).some((name) => name.toLowerCase() === 'authorization'),
  },
  {
    name: 'channelInfo.auth',
    columns: ['channel_info'],
    isSet: (read) => channelOf(read).auth?.type === 'OAUTH2',
  },
];

/** The mistake is in what was sent. */
function checkHeader(sent: Columns, read: Read): Mistake[] {
  const set = sources.filter(({ isSet }) => isSet(read));
  const wrong = set.findLast(({ columns }) => columns.some((column) => sent.has(column)));
  if (set.length < 2 || !wrong) return [];
  const others = set.filter((source) => source !== wrong).map(({ name }) => name);
  const message =
    `cannot be combined with ${others.join(' and ')}: each sets the header Authorization. Keep one of them, and set ` +
    'what is not wanted to null.';
  return [{ name: wrong.name, message }];
}

/** The mistake is in what was sent. */
function checkUse(sent: Columns, read: Read): Mistake[] {
  const name = namesByColumn.find(([column]) => sent.has(column))?.[1];
  const { channelType, auth } = channelOf(read);
  if (name === undefined || !isChannelType(channelType)) return [];
  const message = channelRegistry[channelType].checkAuthorization({
    url: read('url') ?? '',
    authType: auth?.type,
    hasPassword: hasPassword(read),
  });
  return message === undefined ? [] : [{ name, message }];
}

const namesByColumn = [
  ['channel_info', 'channelInfo.auth'],
  ['webhook_username', 'webhookUsername'],
  ['webhook_password', 'webhookPassword'],
] as const;

function hasPassword(read: Read): boolean {
  return read('webhook_username') !== null || read('webhook_password') !== null;
}

/** No channel is stored if what was sent has other mistakes. */
function channelOf(read: Read): { channelType?: string; auth?: ShownAuth } {
  return JSON.parse(read('channel_info') ?? '{}');
}

function namesOf(headers: string | null): string[] {
  return headers === null ? [] : Object.keys(JSON.parse(headers));
}
