// The log: each observation is one line, as JSON or as text for people. Chooses the level; adds nothing, hides nothing.

import { pino } from 'pino';
import type { Observation, Observe } from './observation.ts';

export interface LogOptions {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  format: 'auto' | 'json' | 'text';
}

export interface LogStream {
  write(line: string): unknown;
}

export function createLog({ level, format }: LogOptions, out: LogStream = standardOut()): Observe {
  const asText = format === 'text' || (format === 'auto' && process.stdout.isTTY);
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    // pino knows errors by the name `err` only, and would show an `error` without its message and stack.
    serializers: { error: describeError },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const log = pino(options, asText ? asTextLines(out) : out);
  return (observation) => {
    const level = levelOf(observation);
    if (!log.isLevelEnabled(level)) return;
    const { kind, ...facts } = observation;
    log[level](facts, kind);
  };
}

function levelOf(observation: Observation): 'debug' | 'info' | 'warn' | 'error' {
  switch (observation.kind) {
    case 'request.completed':
      return observation.status >= 500 && !isOutage(observation.errorCode) ? 'warn' : 'debug';
    case 'request.refused':
    case 'token.issued':
    case 'events.matched':
    case 'notification.attempted':
    case 'notifications.prepared':
      return 'debug';
    case 'database.message':
      return isRoutine(observation.text) ? 'debug' : 'warn';
    case 'request.failed':
    case 'housekeeping.failed':
    case 'matching.failed':
    case 'preparing.failed':
    case 'delivery.failed':
    case 'subscription.unreadable':
    case 'resend.failed':
    case 'mail.givenUp':
      return 'error';
    case 'subscription.deactivated':
    case 'ping.failed':
    case 'mail.failed':
    case 'issuer.unreachable':
    case 'database.exited':
    case 'database.connectionLost':
    case 'database.unavailable':
    case 'database.unsafe':
    case 'settings.unknown':
    case 'model.outdated':
    case 'delivery.postponed':
      return 'warn';
    default:
      return 'info';
  }
}

/**
 * PostgreSQL says LOG for what is worth a line, and WARNING, ERROR, FATAL, PANIC for what is not as it should be. Two
 * of those repeat what `database.unavailable` has told: a full disk fails one statement after the other, and a server
 * that was frozen misses every connection that the service has given up.
 */
function isRoutine(text: string): boolean {
  return /^LOG:|No space left on device|^FATAL: +connection to client lost$/.test(text);
}

/** The outage has a line of its own, `database.unavailable`; thousands of requests may fail for it. */
function isOutage(errorCode: string | undefined): boolean {
  return errorCode === 'databaseAway' || errorCode === 'diskFull';
}

/** Writes at once: what was said before a crash is there to be read. */
function standardOut(): LogStream {
  const out = pino.destination({ dest: 1, sync: true });
  // A full disk, or a reader that has gone, is no reason to stop working.
  out.on('error', () => undefined);
  return out;
}

/** `01:53:22 info  database.started version=18.4 startupMs=51` */
function asTextLines(out: LogStream): LogStream {
  return {
    write(line) {
      const { time, level, msg, error, ...facts } = JSON.parse(line) as Record<string, unknown>;
      const shown = Object.entries(facts).map(
        ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      const stack = error === undefined ? '' : `\n${(error as { stack: string }).stack}`;
      out.write(`${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${msg} ${shown.join(' ')}${stack}\n`);
    },
  };
}

/** Not what else hangs on it: PostgreSQL's `detail` holds whole rows. */
function describeError(error: Error): object {
  const { name, message, stack } = error;
  const [code, constraint] = ['code', 'constraint'].map(
    (member) => (error as unknown as Record<string, unknown>)[member],
  );
  return { type: name, message, code, constraint, stack };
}
