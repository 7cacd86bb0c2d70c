// Composes what streams need in a process: the consumers that are connected to it, and the signals between processes.

import type { Encryption } from '../../auth/encryption/encryption.ts';
import type { Database } from '../../database/database.ts';
import type { ServerHosts } from '../../database/server-hosts.ts';
import { WakeUp } from '../../database/wake-up.ts';
import type { Observe } from '../../observe/observation.ts';
import type { Links } from '../../query/view-columns.ts';
import { DeliveryTargets } from '../targets/delivery-targets.ts';
import { StreamHub } from './stream-hub.ts';

export interface StreamsParts {
  /** Of the database server, for signals. */
  hosts: ServerHosts;
  database: Database;
  encryption: Encryption;
  links: Links;
  observe: Observe;
}

export interface Streams {
  hub: StreamHub;
  queueDatabase: Database;
  /** Wakes the streams of these subscriptions, in whatever process. Undefined: those that have something to send. */
  wake(subscriptionKeys?: Iterable<number>): void;
  /** The same for consumers of this subscription that had as many as they could take. */
  wakeWaiting(subscriptionKey: number): void;
  /** Wakes the workers of other processes. */
  wakeWorkers(): void;
  /** Called when another process wakes the worker of this one. */
  onEvents: () => void;
  stop(): Promise<void>;
}

export function openStreams({ hosts, database, encryption, links, observe }: StreamsParts): Streams {
  const targets = new DeliveryTargets({ database, encryption, observe });
  const hub = new StreamHub({ database, observe, links, targets });
  const wakeUp = new WakeUp({ hosts, onWake: () => streams.onEvents(), onStreams: (keys) => hub.wake(keys) });
  const streams: Streams = {
    hub,
    queueDatabase: database,
    wake: (subscriptionKeys) => {
      const keys = subscriptionKeys && [...subscriptionKeys];
      hub.wake(keys);
      wakeUp.notifyStreams(keys);
    },
    wakeWaiting: (subscriptionKey) => {
      hub.wakeWaiting(subscriptionKey);
      wakeUp.notifyStreams([subscriptionKey]);
    },
    wakeWorkers: () => wakeUp.notify(),
    onEvents: () => undefined,
    stop: async () => {
      await hub.stop();
      await wakeUp.stop();
    },
  };
  wakeUp.start();
  hub.start();
  return streams;
}
