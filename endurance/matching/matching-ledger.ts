// The balance of a run: every accepted change exists with each of its notifications, once; rejected changes left
// nothing; and there are no other notifications. Pure.

import type { Finding } from '../finding.ts';
import type { BookedChange } from './matching-load.ts';
import {
  expectedOf,
  type FoundChange,
  type Hearers,
  isBefore,
  type RunSubscription,
} from './matching-subscriptions.ts';
import type { FoundNotification } from './matching-table.ts';

export interface Ledger {
  booked: readonly BookedChange[];
  changes: readonly FoundChange[];
  notifications: readonly FoundNotification[];
  subscriptions: readonly RunSubscription[];
  hearers: Hearers;
}

export interface Balance {
  expected: number;
  findings: Finding[];
}

export function balance(ledger: Ledger): Balance {
  const { expected, findings } = judgeNotifications(ledger);
  return { expected, findings: [...judgeChanges(ledger), ...findings] };
}

function judgeChanges({ booked, changes }: Ledger): Finding[] {
  const written = marksOf(changes.filter(({ operation }) => operation !== 'D'));
  const deleted = marksOf(changes.filter(({ operation }) => operation === 'D'));
  return booked.flatMap(({ name, marks, isDeletion, outcome }): Finding[] => {
    const there = marks.filter((mark) => (isDeletion ? deleted : written).has(mark)).length;
    const text = `${name} (${outcome}) ${marks.join(' ')}: ${there} of ${marks.length} there`;
    if (outcome === 'accepted' && there < marks.length) return [{ kind: 'lost change', text }];
    if (outcome === 'not made' && there > 0) return [{ kind: 'refused change made', text }];
    return outcome === 'unknown' && there > 0 && there < marks.length ? [{ kind: 'half a change', text }] : [];
  });
}

function marksOf(changes: readonly FoundChange[]): ReadonlySet<string | null> {
  return new Set(changes.map(({ mark }) => mark));
}

function judgeNotifications(ledger: Ledger): Balance {
  const { changes, notifications, subscriptions, hearers } = ledger;
  const found = new Map<string, number>();
  for (const { eventId, name } of notifications) {
    const whole = `${eventId} ${name}`;
    found.set(whole, (found.get(whole) ?? 0) + 1);
  }
  const findings: Finding[] = repeatedIds(notifications);
  let expectedCount = 0;
  for (const change of changes) {
    const about = `${change.type}.${change.operation}.${change.key} ${change.mark}`;
    for (const name of expectedOf(change, subscriptions, hearers)) {
      const whole = `${change.id} ${name}`;
      const count = found.get(whole) ?? 0;
      found.delete(whole);
      expectedCount += 1;
      if (count === 0) findings.push({ kind: 'notification missing', text: `${about}: ${name}` });
      if (count > 1) findings.push({ kind: 'notification twice', text: `${about}: ${name}` });
    }
  }
  for (const name of mayBeThere(ledger)) found.delete(name);
  for (const whole of found.keys()) findings.push({ kind: 'notification too many', text: `event ${whole}` });
  return { expected: expectedCount, findings };
}

function repeatedIds(notifications: readonly FoundNotification[]): Finding[] {
  const ids = new Set(notifications.map(({ id }) => id));
  const repeated = notifications.length - ids.size;
  return repeated === 0
    ? []
    : [{ kind: 'notification twice', text: `${repeated} ids are not the only ones of their kind` }];
}

/** A request whose response was lost may have been executed after the client's next subscription. */
function mayBeThere({ booked, changes, subscriptions }: Ledger): string[] {
  const unknown = new Set(booked.filter(({ outcome }) => outcome === 'unknown').flatMap(({ marks }) => marks));
  const late = changes.filter(({ mark }) => mark !== null && unknown.has(mark));
  return late.flatMap((change) =>
    subscriptions
      .filter((subscription) => subscription.objectKey === change.key && isBefore(subscription, change))
      .map(({ key }) => `${change.id} ${key} ${change.key}`),
  );
}
