// Everything the service has to say while it runs, as one union. Code emits observations; the log and the metrics
// are two consumers (`log.ts`, `metrics.ts`). No part writes free text, and no observation carries a secret.

export type Observation =
  | { kind: 'service.started'; url: string; startupMs: number }
  | { kind: 'settings.unknown'; variable: string; meant: string | undefined }
  | { kind: 'service.stopping'; signal: string }
  | { kind: 'service.stopped' }
  | { kind: 'database.initialising'; folder: string }
  | { kind: 'database.started'; version: string; source: 'embedded' | 'server'; startupMs: number }
  | { kind: 'database.waiting'; reason: string }
  /** A setting of the server with which a crash can lose what was confirmed: at start. */
  | { kind: 'database.unsafe'; setting: string; advice: string }
  | { kind: 'database.exited'; exit: string }
  | { kind: 'database.restarted'; startupMs: number }
  | { kind: 'database.message'; text: string }
  /** One that nobody was using: the first since the server last answered. */
  | { kind: 'database.connectionLost'; reason: string }
  /** An outage begins. What fails while it lasts is counted, and told when it is over. */
  | { kind: 'database.unavailable'; problem: 'away' | 'diskFull'; reason: string }
  | { kind: 'database.available'; problem: 'away' | 'diskFull'; outageMs: number; failures: number }
  | { kind: 'database.migrated'; steps: string[] }
  | { kind: 'reference.loaded'; objects: number }
  /** Another process has applied another model: this one claims no events any more. */
  | { kind: 'model.outdated' }
  | {
      kind: 'request.completed';
      requestId: string;
      method: string;
      /** The route's pattern, never the path: a path may hold what a caller typed by mistake. */
      route: string;
      resource: string | undefined;
      status: number;
      durationMs: number;
      errorCode: string | undefined;
    }
  /** The id is that of a client that is known, never what somebody sent in its place. */
  | { kind: 'token.issued'; clientId: string }
  | { kind: 'token.refused'; requestId: string; error: string }
  | { kind: 'signingKey.rotated'; kid: string }
  | { kind: 'client.bootstrapped'; clientId: string }
  | { kind: 'issuer.keysLoaded'; issuer: string; keys: number }
  | { kind: 'issuer.unreachable'; issuer: string; reason: string }
  /** One batch of line 2. */
  | { kind: 'events.matched'; events: number; notifications: number; heldBack: number; durationMs: number }
  /** `events`: how many were claimed together; the one that cannot be matched is among them. */
  | { kind: 'matching.failed'; events: number; error: Error }
  /** Scripts and stylesheets were run. */
  | { kind: 'notifications.prepared'; drafts: number; notifications: number; heldBack: number; durationMs: number }
  | { kind: 'preparing.failed'; error: Error }
  | {
      kind: 'notification.attempted';
      channelType: 'HTTP' | 'EMAIL';
      subscription: number;
      notification: string;
      outcome: 'delivered' | 'retry' | 'failure' | 'postponed';
      durationMs: number;
      reason: string | undefined;
    }
  /** Attempts are put off for a fault of the service itself; told once a minute. */
  | { kind: 'delivery.postponed'; reason: string }
  /** There is no mail server: at start. */
  | { kind: 'mail.savedAsFiles'; folder: string }
  /** A test message could not be sent, for a reason of ours. */
  | { kind: 'ping.failed'; subscription: number; reason: string }
  /** Nothing is sent to it until that is mended. */
  | { kind: 'subscription.unreadable'; subscription: number; error: Error }
  | { kind: 'subscription.deactivated'; subscription: number; reason: string }
  /** A day of the log was dropped, because it is older than what is kept. */
  | { kind: 'log.dayDropped'; table: string; day: string }
  /** Line 3 cannot go on for the moment, for a reason that is no receiver's. */
  | { kind: 'delivery.failed'; error: Error }
  /** One resend cannot go on for the moment. */
  | { kind: 'resend.failed'; job: number; error: Error }
  /** Mail of the service's own: tried again later, or not any more. `isOurs`: the recipient has nothing to do with it. */
  | { kind: 'mail.failed'; mail: string; isOurs: boolean; tries: number; reason: string }
  | { kind: 'mail.givenUp'; mail: string; isOurs: boolean; tries: number; reason: string }
  | { kind: 'request.refused'; reason: string; status: number }
  | { kind: 'request.failed'; requestId: string; error: Error }
  | { kind: 'housekeeping.failed'; error: Error };

export type Observe = (observation: Observation) => void;
