// What a consumer of a stream can be told.

import type { Catalogue } from '../catalogue.ts';
import type { Notification } from '../receive/notification.ts';
import type { Deduplication } from '../receive/process-delivery.ts';
import type { OnError } from '../receive/report-error.ts';
import type { Handler, Routes } from '../receive/routes.ts';

/** One handler for all notifications, or one for each event type. */
export type StreamHandlers<C = Catalogue> = Handler<Notification> | Routes<C>;

/**
 * `skip`: it is acknowledged, and counts as delivered. `retry`: it is sent again, as before. `stop`: the stream ends
 * with the error of the handler.
 */
export type PoisonVerdict = 'skip' | 'retry' | 'stop';

/** Five minutes, if the service waits 30 seconds for an acknowledgement. */
export const poisonAfterDefault = 10;

export interface StreamOptions extends Deduplication {
  /** Ends the stream: handlers that are running finish, and what they have processed is acknowledged. */
  signal?: AbortSignal | undefined;
  /** How many handlers may run at a time. Default: 1. */
  concurrency?: number;
  /** How many notifications the service sends before the first of them is acknowledged: 1 to 1000. Default: 100. */
  limit?: number;
  /** Verifies signatures, too. The connection itself is authenticated. */
  secret?: string | readonly string[];
  /** Gets what a handler throws, and, without a notification, why a connection was lost. Default: `console.error`. */
  onError?: OnError;
  /** When the handler of a notification has failed so often in this stream, `onPoison` decides. Default: 10. */
  poisonAfter?: number;
  /** Decides whenever the handler fails from then on. Default: `retry`, so that nothing is lost. */
  onPoison?: (notification: Notification, error: unknown) => Promise<PoisonVerdict>;
  /** Called for each connection, when the service has accepted it. */
  onConnected?: () => void;
  /** A connection that is silent for so long is given up. Default: 45,000; the service writes every 15,000. */
  silenceMs?: number;
}
