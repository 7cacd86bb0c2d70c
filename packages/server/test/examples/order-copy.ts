// What the copies of bunker orders in examples/ are compared with, and a history of changes for them.

import Database from 'libsql';
import { expect } from 'vitest';
import type { TestClient } from '../support/access.ts';
import { bunkerOrderBody, type Fleet, read, type Shown } from '../support/fleet.ts';
import type { TestService } from '../support/test-service.ts';

export interface CopiedOrder {
  key: number;
  sequence: number;
  isDeleted: boolean;
  status: string;
  resource: Shown;
}

/** All rows, by key. */
export function readCopy(file: string): CopiedOrder[] {
  const database = new Database(file, { readonly: true });
  try {
    const rows = database.prepare('SELECT * FROM bunker_order ORDER BY key').all() as Record<string, unknown>[];
    return rows.map(({ key, sequence, is_deleted, status, resource }) => ({
      key: key as number,
      sequence: sequence as number,
      isDeleted: is_deleted === 1,
      status: status as string,
      resource: JSON.parse(resource as string),
    }));
  } finally {
    database.close();
  }
}

export async function orderKeys(service: TestService): Promise<number[]> {
  return (await service.get('/ws/rest/BunkerOrder?sort=key(AS)')).body.map(({ key }: Shown) => key);
}

/** Fails unless the copy has exactly the orders of the service. Deleted ones may be in it, as deleted. */
export async function expectExactCopy(service: TestService, file: string): Promise<void> {
  const orders = await Promise.all((await orderKeys(service)).map((key) => read(service, 'BunkerOrder', key)));
  const copied = readCopy(file).filter(({ isDeleted }) => !isDeleted);
  expect(copied.map(({ resource }) => resource)).toEqual(orders);
  expect(copied.map(({ status }) => status)).toEqual(orders.map(({ bunkerOrderStatus }) => bunkerOrderStatus));
}

/** Waits until every change is notified and delivered, to the subscriptions of `by` or to all, and so is what is resent. */
export async function allDelivered(service: TestService, by?: TestClient, timeout = 20_000): Promise<void> {
  const unmatched = 'select count(*)::int as count from flaghoist_system.unmatched_event';
  const some = async (list: string) => (await service.get(`/ws/rest/${list}&limit=1`, by?.headers)).body.length;
  const left = async () => {
    const { rows } = await service.database.pool.query(unmatched);
    // In this order: a job makes notifications pending.
    const jobs = await some('ResendJob?filter=status(EQ)RUNNING');
    return rows[0].count + jobs + (await some('WebhookNotification?filter=status(EQ)PENDING'));
  };
  await expect.poll(left, { timeout, interval: 50 }).toBe(0);
}

/** Creates orders at the port calls of a voyage, and changes and deletes them, two requests at a time. */
export async function writeHistory(service: TestService, fleet: Fleet, voyage: Shown, steps: number[]): Promise<void> {
  const callOf = (step: number): number => voyage.portCalls[step % 2].key;
  const change = async (step: number, changes: (order: Shown) => object) => {
    const keys = await orderKeys(service);
    const key = keys[step % keys.length];
    if (key === undefined) return;
    const path = `/ws/rest/BunkerOrder/${key}`;
    const order = await service.get(path);
    if (order.status === 200) await service.put(path, changes(order.body));
  };
  const kinds: ((step: number) => Promise<unknown>)[] = [
    (step) => service.post('/ws/rest/BunkerOrder', bunkerOrderBody(fleet, callOf(step))),
    (step) => service.post('/ws/rest/BunkerOrder', bunkerOrderBody(fleet, callOf(step))),
    (step) => change(step, () => ({ bunkerOrderStatus: ['REQ', 'ORD', 'DLV', 'INV'][step % 4]! })),
    (step) => change(step, ({ bunkerOrderLines: [first] }) => ({ bunkerOrderLines: [{ ...first, unitPrice: step }] })),
    (step) => service.put(`/ws/rest/PortCall/${callOf(step)}`, { eta: `2026-12-01T00:00:${10 + (step % 50)}` }),
    async (step) => {
      const keys = await orderKeys(service);
      if (keys.length > 1) await service.delete(`/ws/rest/BunkerOrder/${keys[step % keys.length]}`);
    },
  ];
  for (let at = 0; at < steps.length; at += 2)
    await Promise.all(
      steps.slice(at, at + 2).map((step) => kinds[step % kinds.length]!(Math.floor(step / kinds.length))),
    );
}
