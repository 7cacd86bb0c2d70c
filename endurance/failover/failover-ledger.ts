// Compares what was answered, what the database has, and what arrived. A change that was answered exists, and so does
// its notification, which arrived. A notification arrives twice only if it was in flight at a failover.
// There is one subscription, so an event has one notification.

import type { Finding } from '../finding.ts';
import type { Arrivals } from './failover-receiver.ts';

export interface FailoverBooks {
  accepted: ReadonlySet<string>;
  unknown: ReadonlySet<string>;
  /** In the database. */
  events: ReadonlySet<string>;
  /** The id of each notification in the database, and its status. An id begins with the number of its event and `-`. */
  notifications: ReadonlyMap<string, string>;
  received: ReadonlyMap<string, Arrivals>;
  /** When each failover began and ended. */
  failovers: readonly { killedAt: number; backAt: number }[];
}

export interface FailoverBalance {
  /** Of the changes without a response. */
  made: number;
  repeats: number;
  findings: Finding[];
}

/** A notification that arrived earlier than this before a kill has been recorded as delivered. */
const inFlightMs = 2_000;

export function balanceFailovers(books: FailoverBooks): FailoverBalance {
  const { accepted, unknown, events, notifications, received } = books;
  const arrived = new Set([...received.values()].map(({ change }) => change));
  const repeated = [...received].filter(([, { at }]) => at.length > 1);
  const findings: Finding[] = [
    ...[...accepted].filter((change) => !events.has(change)).map(found('lost change')),
    ...[...events].filter((change) => !accepted.has(change) && !unknown.has(change)).map(found('wrong answer')),
    ...[...events].filter((change) => !arrived.has(change)).map(found('notification missing')),
    ...[...arrived].filter((change) => !events.has(change)).map(found('notification too many')),
    ...[...received.keys()].filter((id) => !notifications.has(id)).map(found('notification too many')),
    ...[...notifications].filter(([, status]) => status !== 'DELIVERED').map(([id]) => found('notification left')(id)),
    ...repeated.filter(([, arrivals]) => !wasInFlight(arrivals, books)).map(([id]) => found('notification twice')(id)),
    ...eventsWithSeveral([...notifications.keys(), ...received.keys()]).map(found('notification twice')),
    ...(accepted.size === 0 ? [found('lost change')('nothing was changed')] : []),
  ];
  const repeats = repeated.reduce((sum, [, { at }]) => sum + at.length - 1, 0);
  return { made: [...unknown].filter((change) => events.has(change)).length, repeats, findings };
}

function found(kind: Finding['kind']): (text: string) => Finding {
  return (text) => ({ kind, text });
}

/** The numbers of events that are in several different ids. */
function eventsWithSeveral(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  const several = new Set<string>();
  for (const id of new Set(ids)) {
    const event = id.split('-')[0]!;
    if (seen.has(event)) several.add(event);
    seen.add(event);
  }
  return [...several];
}

function wasInFlight({ at }: Arrivals, { failovers }: FailoverBooks): boolean {
  return failovers.some(({ killedAt, backAt }) => at[0]! > killedAt - inFlightMs && at[0]! < backAt + inFlightMs);
}
