// Gives each delivery to its handler, once: a duplicate waits for the one that is running, and is skipped if it is done.

import type { Notification, Ping } from './notification.ts';
import { type AnyRoutes, checkRoutes, findHandler } from './routes.ts';

/** The ids of the notifications that have been processed. A `Set` is one; a table keeps them over a restart. */
export interface SeenIds {
  has(id: string): boolean | Promise<boolean>;
  /** Called when the handler has finished: what a crash interrupts is processed again. */
  add(id: string): unknown;
}

export interface Deduplication {
  /** Skips duplicates. */
  seen?: SeenIds;
}

export type Process = (delivery: Notification | Ping) => Promise<void>;

/** The promise rejects if the handler fails. */
export function createProcess(routes: AnyRoutes & Deduplication): Process {
  const { seen } = routes;
  checkRoutes(routes);
  /** By id. A retry may come while the first attempt is still running, and must not be confirmed before it is done. */
  const running = new Map<string, Promise<void>>();

  const run = async (notification: Notification): Promise<void> => {
    if (await seen?.has(notification.id)) return;
    await findHandler(routes, notification.event)(notification);
    await seen?.add(notification.id);
  };
  return async (delivery) => {
    if (delivery.isTest) {
      await routes.onPing?.(delivery);
      return;
    }
    const { id } = delivery;
    const first = running.get(id);
    if (first) return first;
    const result = run(delivery).finally(() => running.delete(id));
    running.set(id, result);
    return result;
  };
}
