// The filter of the list of subscriptions: from the parameters of the address to the filter of the API.

import { containing, isKeyText, keyOrCode, quoted } from '../../../service/filter-value.ts';
import { operations } from '../event-type.ts';

/** The parameters of the address. */
export interface ListFilter {
  search: string;
  /** `FAILING`, `ANY`, a state, or empty: all but those that are unsubscribed. */
  state: string;
  channel: string;
  type: string;
  /** Key of a user. */
  user: string;
}

export const filterNames = ['search', 'state', 'channel', 'type', 'user'] as const;

export function readFilter(query: URLSearchParams): ListFilter {
  const [search = '', state = '', channel = '', type = '', user = ''] = filterNames.map(
    (name) => query.get(name) ?? '',
  );
  return { search: search.trim(), state, channel, type, user };
}

export function isFiltered(filter: ListFilter): boolean {
  return filterNames.some((name) => filter[name] !== '');
}

/** Groups with (OR) between: every way to be found by the search, with every way to be about the type. */
export function writeFilter({ search, state, channel, type, user }: ListFilter): string[] {
  const always = [
    ...stateFilter(state),
    ...(channel === '' ? [] : [`channelInfo.channelType(EQ)${quoted(channel)}`]),
    ...(user === '' ? [] : [`user(EQ)${keyOrCode(user)}`]),
  ];
  const groups = waysToSearch(search).flatMap((bySearch) =>
    waysToBeAbout(type).map((byType) => [...always, ...bySearch, ...byType]),
  );
  return groups.flatMap((group, index) => (index === 0 ? group : ['(OR)', ...group]));
}

/** Only those that also meet the condition: it is part of each group. */
export function withCondition(filter: readonly string[], condition: string): string[] {
  return [...filter.flatMap((part) => (part === '(OR)' ? [condition, part] : [part])), condition];
}

function stateFilter(state: string): string[] {
  if (state === 'ANY') return [];
  if (state === '') return ['state(NE)UNSUBSCRIBED'];
  if (state === 'FAILING') return ['state(EQ)ACTIVE', 'failingSince(NOTNULL)'];
  return [`state(EQ)${quoted(state)}`];
}

function waysToSearch(search: string): string[][] {
  if (search === '') return [[]];
  const pattern = containing(search);
  return [[`name(ILIKE)${pattern}`], [`url(ILIKE)${pattern}`], ...(isKeyText(search) ? [[`key(EQ)${search}`]] : [])];
}

/** One event type for an object, or one of those for all objects, wildcards included. */
function waysToBeAbout(type: string): string[][] {
  if (type === '') return [[]];
  const names = [type, '*'].flatMap((name) => [...operations, '*'].map((operation) => quoted(`${name}.${operation}`)));
  return [[`objectType(EQ)${quoted(type)}`], [`eventTypes(IN)(${names.join(',')})`]];
}
