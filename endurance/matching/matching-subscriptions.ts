// The subscriptions of the run, of several kinds, and which of them must be notified of a change. Derived from the row
// before and after the change and from the known world, not from what the service stored about hierarchies.

import type { MatchingWorld } from './matching-world.ts';

export type Operation = 'C' | 'U' | 'D';

export interface RunSubscription {
  key: number;
  type: string;
  operation: Operation;
  /** Null: all objects of the type. */
  objectKey: number | null;
  onlyMainObject: boolean;
  notSendMyChanges: boolean;
  condition: Condition;
  /** If created during the run: how many marks the client, the only writer of the object, had used before. */
  marksBefore?: number;
}

/** `ends in 7`: only such marks. `fails`: the expression always meets null. */
export type Condition = 'always' | 'ends in 7' | 'fails';

export interface FoundChange {
  id: number;
  type: string;
  operation: Operation;
  key: number;
  /** Created by the user of the run's clients. */
  isOwn: boolean;
  mark: string | null;
  /** The owners in the row, before and after. */
  owners: readonly number[];
}

/** `subscription object` of each notification that the change must cause. */
export function expectedOf(change: FoundChange, subscriptions: Iterable<RunSubscription>, hearers: Hearers): string[] {
  const above = hearersOf(change, hearers);
  const expected: string[] = [];
  for (const subscription of subscriptions) {
    if (subscription.notSendMyChanges && change.isOwn) continue;
    const { type, operation, objectKey, onlyMainObject } = subscription;
    const main = type === change.type && operation === change.operation ? [change.key] : [];
    const others = operation === 'U' && !onlyMainObject ? (above.get(type) ?? []) : [];
    if (isBefore(subscription, change)) continue;
    for (const key of [...main, ...others])
      if ((objectKey === null || objectKey === key) && holds(subscription, change))
        expected.push(`${subscription.key} ${key}`);
  }
  return expected;
}

export function isBefore({ marksBefore }: RunSubscription, { mark }: FoundChange): boolean {
  return marksBefore !== undefined && Number(mark?.split('-')[1]) <= marksBefore;
}

/** Conditions read only the changed object, which has the values of that change. */
function holds({ condition }: RunSubscription, { mark }: FoundChange): boolean {
  switch (condition) {
    case 'always':
      return true;
    case 'ends in 7':
      return mark?.endsWith('7') ?? false;
    case 'fails':
      return false;
  }
}

/** The voyage of a port call, and its orders. */
export interface Hearers {
  voyageOf: ReadonlyMap<number, number>;
  ordersAt: ReadonlyMap<number, readonly number[]>;
}

export function hearersIn({ clients }: MatchingWorld): Hearers {
  return {
    voyageOf: new Map(clients.flatMap(({ voyage, portCalls }) => portCalls.map((call) => [call, voyage] as const))),
    ordersAt: new Map(clients.map(({ portCalls, bunkerOrders }) => [portCalls[0], bunkerOrders])),
  };
}

function hearersOf({ type, key, owners }: FoundChange, { voyageOf, ordersAt }: Hearers): Map<string, number[]> {
  switch (type) {
    case 'EventLog':
      return new Map([
        ['PortCall', distinct(owners)],
        ['Voyage', distinct(owners.flatMap((call) => voyageOf.get(call) ?? []))],
        ['BunkerOrder', distinct(owners.flatMap((call) => ordersAt.get(call) ?? []))],
      ]);
    case 'PortCall':
      return new Map([
        ['Voyage', distinct(owners)],
        ['BunkerOrder', [...(ordersAt.get(key) ?? [])]],
      ]);
    case 'BunkerOrderLine':
      return new Map([['BunkerOrder', distinct(owners)]]);
    default:
      return new Map();
  }
}

function distinct(keys: readonly number[]): number[] {
  return [...new Set(keys)];
}

export interface SubscriptionDraft extends Omit<RunSubscription, 'key' | 'marksBefore'> {
  body: object;
}

/** All types, with and without key, and every option that affects who is notified. */
export function draftSubscriptions({ clients }: MatchingWorld): SubscriptionDraft[] {
  const one = clients[0]!;
  return [
    draft('Voyage', 'U'),
    draft('Voyage', 'U', { objectKey: one.voyage, rawObject: true }),
    draft('Voyage', 'U', { onlyMainObject: true, json: '{"externalObjectKey":"*"}' }),
    draft('Voyage', 'U', { onlyMainObject: true, condition: 'fails' }),
    draft('PortCall', 'U', { objectKey: one.portCalls[0] }),
    draft('PortCall', 'U', { notSendMyChanges: true }),
    draft('BunkerOrder', 'U', { json: '{"bunkerOrderStatus":"*","bunkerOrderLines":{"externalObjectKey":"*"}}' }),
    draft('EventLog', 'C'),
    draft('EventLog', 'U', { onlyMainObject: true, condition: 'ends in 7' }),
    draft('EventLog', 'D', { notSendMyChanges: true }),
    draft('EventLog', 'D', { condition: 'ends in 7' }),
    draft('BunkerOrderLine', 'C', { rawObject: true }),
    draft('BunkerOrderLine', 'D'),
    draft('Vessel', 'U', { condition: 'ends in 7' }),
    draft('Vessel', 'C'),
  ];
}

const expressions: Record<Condition, string | null> = {
  always: null,
  'ends in 7': 'svcObject.getExternalObjectKey().endsWith("7")',
  fails: 'svcObject.getComments().equals("never set")',
};

interface DraftOptions extends Partial<Omit<RunSubscription, 'key' | 'type' | 'operation' | 'marksBefore'>> {
  rawObject?: boolean;
  json?: string;
}

export function draft(type: string, operation: Operation, options: DraftOptions = {}): SubscriptionDraft {
  const { objectKey = null, onlyMainObject = false, notSendMyChanges = false, condition = 'always' } = options;
  return {
    ...{ type, operation, objectKey, onlyMainObject, notSendMyChanges, condition },
    body: {
      eventType: `${type}.${operation}${objectKey === null ? '' : `.${objectKey}`}`,
      url: 'https://receiver.example/',
      expression: expressions[condition],
      json: options.json === undefined ? null : Buffer.from(options.json).toString('base64'),
      rawObject: options.rawObject ?? false,
      ...{ onlyMainObject, notSendMyChanges },
    },
  };
}
