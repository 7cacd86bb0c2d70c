// The log: writes each observation as one line, as JSON or as text. It decides only the level.

import { pino } from 'pino';
import type { Observation, Observe } from './observation.ts';

export interface LogOptions {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  format: 'auto' | 'json' | 'text';
}

export interface LogStream {
  write(line: string): unknown;
}

export function createLog({ level, format }: LogOptions, out: LogStream = standardOutput()): Observe {
  const asText = format === 'text' || (format === 'auto' && process.stdout.isTTY);
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    // pino handles errors only under the name `err`. Under `error`, it would omit the message and the stack.
    serializers: { error: describeError },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const log = pino(options, asText ? toTextLines(out) : out);
  return (observation) => {
    const level = levelOf(observation);
    if (!log.isLevelEnabled(level)) return;
    const { kind, ...fields } = observation;
    log[level](fields, kind);
  };
}

type Level = 'debug' | 'info' | 'warn' | 'error';

type Levels = {
  [Kind in Observation['kind']]: Level | ((observation: Extract<Observation, { kind: Kind }>) => Level);
};

const levels: Levels = {
  'service.started': 'info',
  'service.stopping': 'info',
  'service.stopped': 'info',
  'settings.unknown': 'warn',
  'database.initialising': 'info',
  'database.started': 'info',
  'database.waiting': 'info',
  'database.unsafe': 'warn',
  'database.exited': 'warn',
  'database.restarted': 'info',
  'database.message': ({ text }) => (isRoutine(text) ? 'debug' : 'warn'),
  'database.connectionLost': 'warn',
  'database.unavailable': 'warn',
  'database.available': 'info',
  'database.primaryChanged': 'warn',
  'database.migrated': 'info',
  'reference.loaded': 'info',
  'demo.started': 'info',
  'demo.stopped': 'info',
  'demo.failed': 'error',
  'model.outdated': 'warn',
  'request.completed': ({ status, errorCode }) => (status >= 500 && !isOutage(errorCode) ? 'warn' : 'debug'),
  'request.refused': 'debug',
  'request.failed': 'error',
  'token.issued': 'debug',
  'token.refused': 'info',
  'console.signedIn': 'info',
  'console.signInRefused': 'info',
  'console.cookieReused': 'warn',
  'console.issuerFailed': 'warn',
  'signingKey.rotated': 'info',
  'client.bootstrapped': 'info',
  'issuer.keysLoaded': 'info',
  'issuer.unreachable': 'warn',
  'events.matched': 'debug',
  'matching.failed': 'error',
  'notifications.shaped': 'debug',
  'shaping.failed': 'error',
  'notification.attempted': 'debug',
  'delivery.postponed': 'warn',
  'delivery.failed': 'error',
  'resend.failed': 'error',
  'subscription.unreadable': 'error',
  'subscription.deactivated': 'warn',
  'subscription.failing': 'warn',
  'stream.expiring': 'warn',
  'alert.sent': 'info',
  'alert.failed': 'warn',
  'alert.givenUp': 'error',
  'ping.failed': 'warn',
  'mail.savedAsFiles': 'info',
  'mail.failed': 'warn',
  'mail.givenUp': 'error',
  'log.dayDropped': 'info',
  'housekeeping.failed': 'error',
  'traces.unavailable': 'warn',
  'traces.available': 'info',
};

function levelOf(observation: Observation): Level {
  const level = levels[observation.kind] as Level | ((given: Observation) => Level);
  return typeof level === 'string' ? level : level(observation);
}

/**
 * PostgreSQL uses LOG for routine messages, and WARNING, ERROR, FATAL and PANIC for problems. Two problems repeat what
 * `database.unavailable` has reported. A full disk makes every write fail. After a freeze, the server logs every
 * connection that the service has closed meanwhile.
 */
function isRoutine(text: string): boolean {
  return /^LOG:|No space left on device|^FATAL: +connection to client lost$/.test(text);
}

/** An outage may fail thousands of requests. It is logged only once, as `database.unavailable`. */
function isOutage(errorCode: string | undefined): boolean {
  return errorCode === 'databaseAway' || errorCode === 'diskFull';
}

/** Writes synchronously, so that no line is lost in a crash. */
function standardOutput(): LogStream {
  const out = pino.destination({ dest: 1, sync: true });
  // A full disk or a closed pipe must not stop the service.
  out.on('error', () => undefined);
  return out;
}

/** Example: `01:53:22 info  database.started version=18.4 startupMs=51` */
function toTextLines(out: LogStream): LogStream {
  return {
    write(line) {
      const { time, level, msg, error, ...fields } = JSON.parse(line) as Record<string, unknown>;
      const shown = Object.entries(fields).map(
        ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      const stack = error === undefined ? '' : `\n${(error as { stack: string }).stack}`;
      out.write(`${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${msg} ${shown.join(' ')}${stack}\n`);
    },
  };
}

/** Omits all other properties, because `detail` of a PostgreSQL error contains whole rows. */
function describeError(error: Error): object {
  const { name, message, stack } = error;
  const [code, constraint] = ['code', 'constraint'].map(
    (member) => (error as unknown as Record<string, unknown>)[member],
  );
  return { type: name, message, code, constraint, stack };
}
