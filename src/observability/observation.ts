// Everything the service has to say while it runs, as one union. Code emits observations; the log and the metrics
// are two consumers (`log.ts`, `metrics.ts`). No part writes free text, and no observation carries a secret.

export type Observation =
  | { kind: 'service.started'; url: string; startupMs: number }
  | { kind: 'settings.unknown'; variables: string[] }
  | { kind: 'service.stopping'; signal: string }
  | { kind: 'service.stopped' }
  | { kind: 'database.initialising'; folder: string }
  | { kind: 'database.started'; version: string; source: 'embedded' | 'server'; startupMs: number }
  | { kind: 'database.waiting'; reason: string }
  | { kind: 'database.exited'; exit: string }
  | { kind: 'database.restarted'; startupMs: number }
  | { kind: 'database.message'; text: string }
  | { kind: 'database.connectionLost'; reason: string }
  | { kind: 'database.migrated'; steps: string[] }
  | { kind: 'reference.loaded'; objects: number }
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
  | { kind: 'request.refused'; reason: string; status: number }
  | { kind: 'request.failed'; requestId: string; error: Error }
  | { kind: 'housekeeping.failed'; error: Error };

export type Observe = (observation: Observation) => void;
