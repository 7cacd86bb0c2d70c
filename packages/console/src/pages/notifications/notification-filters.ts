// The filters of the list: from the address, to the filters of the API, and as a test of a row that the live feed sends.

import { parseTime } from '../../elements/time.tsx';
import { containing, quoted } from '../../service/filter-value.ts';
import type { NotificationRow } from './notification.ts';

export interface NotificationFilters {
  /** PENDING includes RETRYING. */
  statuses: readonly string[];
  subscriptions: readonly number[];
  types: readonly string[];
  operations: readonly string[];
  /** Changed or subscribed to. The type is only for people. */
  objects: readonly { type: string | undefined; key: number }[];
  /** What people know the object by that the subscription is notified about. */
  codes: readonly string[];
  /** Sequence of the change that they are about. */
  sequence: number | undefined;
  /** A part of the error. */
  error: string;
  /** The name of a period up to now. */
  last: string | undefined;
  from: string | undefined;
  to: string | undefined;
}

export const statusWords: Readonly<Record<string, string>> = {
  PENDING: 'Pending',
  RETRYING: 'Retrying',
  DELIVERED: 'Delivered',
  FAILED: 'Failed',
};

export const operationWords: Readonly<Record<string, string>> = { C: 'Created', U: 'Updated', D: 'Deleted' };

/** Periods up to now, in milliseconds. */
export const periods: Readonly<Record<string, { words: string; ms: number }>> = {
  '15m': { words: 'Last 15 min', ms: 900_000 },
  '1h': { words: 'Last hour', ms: 3_600_000 },
  '24h': { words: 'Last 24 h', ms: 86_400_000 },
  '7d': { words: 'Last 7 days', ms: 604_800_000 },
};

/** Those that make up a view. Others, such as the open row, do not filter. */
export const filterParameters = [
  'status',
  'subscription',
  'type',
  'operation',
  'object',
  'code',
  'sequence',
  'error',
  'last',
  'from',
  'to',
] as const;

/** What nobody could have chosen, such as an unknown status, is left out. */
export function readFilters(query: URLSearchParams): NotificationFilters {
  const last = query.get('last') ?? undefined;
  return {
    statuses: query.getAll('status').filter((each) => each in statusWords),
    subscriptions: query.getAll('subscription').map(Number).filter(isKey),
    types: query.getAll('type').filter((each) => /^\w{1,60}$/.test(each)),
    operations: query.getAll('operation').filter((each) => each in operationWords),
    objects: query
      .getAll('object')
      .map(readObject)
      .filter(({ key }) => isKey(key)),
    codes: query.getAll('code').filter((each) => each !== ''),
    sequence: readSequence(query.get('sequence')),
    error: query.get('error') ?? '',
    last: last !== undefined && last in periods ? last : undefined,
    from: readInstant(query.get('from')),
    to: readInstant(query.get('to')),
  };
}

function readObject(text: string) {
  const [, type, key] = text.match(/^(?:(\w{1,60}):)?(\d{1,15})$/) ?? [];
  return { type, key: Number(key) };
}

function readSequence(text: string | null): number | undefined {
  return text !== null && isKey(Number(text)) ? Number(text) : undefined;
}

function isKey(key: number): boolean {
  return Number.isSafeInteger(key) && key > 0;
}

function readInstant(text: string | null): string | undefined {
  const date = text === null ? undefined : parseTime(text);
  return !date || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export function isFiltered(query: URLSearchParams): boolean {
  return filterParameters.some((name) => query.has(name));
}

/** Alternatives are groups with `(OR)` between. */
export function apiFilters(filters: NotificationFilters, nowMs: number): string[] {
  const common = commonFilters(filters, nowMs);
  const groups = statusFilters(filters).flatMap((status) =>
    objectFilters(filters).map((object) => [...status, ...object, ...common]),
  );
  return groups.flatMap((group, index) => (index === 0 ? group : ['(OR)', ...group]));
}

function commonFilters(filters: NotificationFilters, nowMs: number): string[] {
  const { subscriptions, types, operations, sequence, error } = filters;
  const { from, to } = timeRange(filters, nowMs);
  return [
    ...oneOf('subscription', subscriptions),
    ...oneOf('objectType', types),
    ...oneOf('eventType', operations),
    ...(sequence === undefined ? [] : [`sequence(EQ)${sequence}`]),
    ...(error === '' ? [] : [`errorMessage(ILIKE)${containing(error)}`]),
    ...(from === undefined ? [] : [`createdDate(GTE)${from}`]),
    ...(to === undefined ? [] : [`createdDate(LTE)${to}`]),
  ];
}

export function timeRange({ last, from, to }: NotificationFilters, nowMs: number): { from?: string; to?: string } {
  if (last !== undefined) return { from: new Date(nowMs - periods[last]!.ms).toISOString() };
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function oneOf(attribute: string, values: readonly (string | number)[]): string[] {
  if (values.length === 0) return [];
  return [values.length === 1 ? `${attribute}(EQ)${values[0]}` : `${attribute}(IN)(${values.join(',')})`];
}

function statusFilters({ statuses }: NotificationFilters): string[][] {
  const plain = oneOf(
    'status',
    statuses.filter((status) => status !== 'RETRYING'),
  );
  const retrying = statuses.includes('RETRYING') && !statuses.includes('PENDING');
  if (!retrying) return [plain];
  return [...(plain.length > 0 ? [plain] : []), ['status(EQ)PENDING', 'attempts(GT)0']];
}

function objectFilters({ objects, codes }: NotificationFilters): string[][] {
  const keys = objects.map(({ key }) => key);
  const ways = [
    oneOf('objectKey', keys),
    oneOf('subscribedObjectKey', keys),
    oneOf(
      'subscribedObjectCode',
      codes.map((code) => quoted(code)),
    ),
  ].filter((way) => way.length > 0);
  return ways.length === 0 ? [[]] : ways;
}

/** The same test for one row, as the service would make it. */
export function isMatch(filters: NotificationFilters, row: NotificationRow, nowMs: number): boolean {
  const { subscriptions, types, operations, sequence, error } = filters;
  const { from, to } = timeRange(filters, nowMs);
  const createdMs = parseTime(row.createdDate).getTime();
  return (
    hasStatus(filters.statuses, row) &&
    isAmong(subscriptions, row.subscription.key) &&
    isAmong(types, row.objectType) &&
    isAmong(operations, row.eventType) &&
    isAbout(filters, row) &&
    (sequence === undefined || sequence === row.sequence) &&
    (error === '' || (row.errorMessage ?? '').toLowerCase().includes(error.toLowerCase())) &&
    (from === undefined || createdMs >= Date.parse(from)) &&
    (to === undefined || createdMs <= Date.parse(to))
  );
}

function hasStatus(statuses: readonly string[], { status, attempts }: NotificationRow): boolean {
  if (statuses.length === 0 || statuses.includes(status)) return true;
  return statuses.includes('RETRYING') && status === 'PENDING' && attempts > 0;
}

function isAbout({ objects, codes }: NotificationFilters, row: NotificationRow): boolean {
  if (objects.length === 0 && codes.length === 0) return true;
  return (
    objects.some(({ key }) => key === row.objectKey || key === row.subscribedObjectKey) ||
    codes.some((code) => code === row.subscribedObjectCode)
  );
}

function isAmong<T>(values: readonly T[], value: T): boolean {
  return values.length === 0 || values.includes(value);
}
