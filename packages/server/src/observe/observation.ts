// Everything the service reports while it runs, as one union type. Code emits observations; the log and the metrics
// consume them (`log.ts`, `metrics.ts`). No code logs free text, and no observation contains a secret.

import type { ChannelType } from '../channel-types.ts';

export type Observation =
  | { kind: 'service.started'; url: string; startupMs: number }
  | { kind: 'settings.unknown'; variable: string; meant: string | undefined }
  | { kind: 'service.stopping'; signal: string }
  | { kind: 'service.stopped' }
  | { kind: 'database.initialising'; folder: string }
  | { kind: 'database.started'; version: string; source: 'embedded' | 'server'; startupMs: number }
  | { kind: 'database.waiting'; reason: string }
  /** A crash can lose committed data because of this server setting. Reported at start. */
  | { kind: 'database.unsafe'; setting: string; advice: string }
  | { kind: 'database.exited'; exit: string }
  | { kind: 'database.restarted'; startupMs: number }
  | { kind: 'database.message'; text: string }
  /** An idle connection was lost. Reported once, until the server responds again. */
  | { kind: 'database.connectionLost'; reason: string }
  /** An outage begins. Failures are counted while it lasts, and reported when it ends. */
  | { kind: 'database.unavailable'; problem: 'away' | 'diskFull'; reason: string }
  | { kind: 'database.available'; problem: 'away' | 'diskFull'; outageMs: number; failures: number }
  /** Of several hosts, another one is used now: `host:port` of each. */
  | { kind: 'database.primaryChanged'; from: string; to: string }
  | { kind: 'database.migrated'; steps: string[] }
  | { kind: 'reference.loaded'; objects: number }
  /** The demo fleet inside the service. */
  | { kind: 'demo.started' }
  | { kind: 'demo.stopped' }
  | { kind: 'demo.failed'; error: Error }
  /** Another process has applied another model. This process claims no more events. */
  | { kind: 'model.outdated' }
  | {
      kind: 'request.completed';
      requestId: string;
      method: string;
      /** The pattern of the route, never the path: a path may contain what a caller typed by mistake. */
      route: string;
      resource: string | undefined;
      status: number;
      durationMs: number;
      errorCode: string | undefined;
    }
  /** Always the id of a known client, never caller input. */
  | { kind: 'token.issued'; clientId: string }
  | { kind: 'token.refused'; requestId: string; error: string }
  | { kind: 'console.signedIn'; method: SignInMethod; client: string }
  | { kind: 'console.signInRefused'; method: SignInMethod; reason: SignInProblem }
  /** A cookie was used after it had been replaced: somebody may have stolen it. The session has ended. */
  | { kind: 'console.cookieReused'; client: string }
  /** The external issuer did not sign a person in, and the person is not the cause. */
  | { kind: 'console.issuerFailed'; reason: string }
  | { kind: 'signingKey.rotated'; kid: string }
  | { kind: 'client.bootstrapped'; clientId: string }
  | { kind: 'issuer.keysLoaded'; issuer: string; keys: number }
  | { kind: 'issuer.unreachable'; issuer: string; reason: string }
  /** One batch of line 2 (matching) in ARCHITECTURE.md. */
  | { kind: 'events.matched'; events: number; notifications: number; suppressed: number; durationMs: number }
  /** `events`: the size of the claimed batch, which contains the event that cannot be matched. */
  | { kind: 'matching.failed'; events: number; error: Error }
  /** Scripts and stylesheets were run. */
  | { kind: 'notifications.shaped'; matches: number; notifications: number; suppressed: number; durationMs: number }
  | { kind: 'shaping.failed'; error: Error }
  | {
      kind: 'notification.attempted';
      channelType: ChannelType;
      subscription: number;
      notification: string;
      outcome: 'delivered' | 'retry' | 'failure' | 'postponed';
      durationMs: number;
      reason: string | undefined;
      /** If it is to be retried: when next, and when for the last time if all attempts fail. */
      nextAttempt: string | undefined;
      lastAttempt: string | undefined;
    }
  /** Attempts are postponed because of a fault in the service itself. Reported once a minute. */
  | { kind: 'delivery.postponed'; reason: string }
  /** No mail server is configured. Reported at start. */
  | { kind: 'mail.savedAsFiles'; folder: string }
  /** A test message could not be sent because of a fault in the service. */
  | { kind: 'ping.failed'; subscription: number; reason: string }
  /** Nothing is sent to the subscription until this is fixed. */
  | { kind: 'subscription.unreadable'; subscription: number; error: Error }
  | { kind: 'subscription.deactivated'; subscription: number; reason: string }
  /** Deliveries have been failing for long, and will be retried for long. Its owner was told. */
  | { kind: 'subscription.failing'; subscription: number; since: string; lastAttempt: string; reason: string }
  /** Nobody has fetched its notifications for long, and the oldest will be lost. Its owner was notified. */
  | { kind: 'stream.expiring'; subscription: number; waiting: number; oldest: string; expires: string }
  /** A day of the log was dropped because it exceeded the retention period. */
  | { kind: 'log.dayDropped'; table: string; day: string }
  /** Line 3 (delivery) cannot continue for now. The cause is not a receiver. */
  | { kind: 'delivery.failed'; error: Error }
  /** One resend cannot continue for now. */
  | { kind: 'resend.failed'; job: number; error: Error }
  /** The service failed to send its own mail. It retries, or gives up. `isOurs`: the recipient is not the cause. */
  | { kind: 'mail.failed'; mail: string; isOurs: boolean; tries: number; reason: string }
  | { kind: 'mail.givenUp'; mail: string; isOurs: boolean; tries: number; reason: string }
  /** A message to the alert URL. `subscription`: 0 if it is about the service as a whole. */
  | { kind: 'alert.sent'; subscription: number; alert: string; alerts: number }
  | { kind: 'alert.failed'; subscription: number; alert: string; tries: number; reason: string }
  | { kind: 'alert.givenUp'; subscription: number; alert: string; alerts: number; reason: string }
  | { kind: 'request.refused'; reason: string; status: number }
  | { kind: 'request.failed'; requestId: string; error: Error }
  | { kind: 'housekeeping.failed'; error: Error }
  /** Spans cannot be sent to the collector. Reported once, until it works again. */
  | { kind: 'traces.unavailable'; reason: string }
  | { kind: 'traces.available'; outageMs: number; spansLost: number };

export type SignInMethod = 'CLIENT' | 'LINK' | 'ISSUER';
export type SignInProblem = 'rejected' | 'usedLink' | 'expiredLink' | 'noAccess' | 'tooMany';

export type Observe = (observation: Observation) => void;
