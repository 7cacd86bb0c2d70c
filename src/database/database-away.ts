// Which errors mean that the database cannot be reached just now, and which mean that the same transaction may simply be
// tried again. Everything else is a mistake, the caller's or ours.

export class DatabaseAway extends Error {
  constructor(cause: unknown, message = 'The database cannot be reached.') {
    super(message, { cause });
    this.name = 'DatabaseAway';
  }
}

/** It answers, and cannot store anything. For whoever waits until it can be used again, that is the same as away. */
export class DatabaseFull extends DatabaseAway {
  constructor(cause: unknown) {
    super(cause, 'The disk of the database is full.');
    this.name = 'DatabaseFull';
  }
}

/** SQLSTATE 53100 disk full; a quota, or what comes under a more general code, is known by the words of the system. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error) || !('severity' in error)) return false;
  return codeOf(error) === '53100' || /No space left on device|Disk quota exceeded/.test(error.message);
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'EAI_AGAIN',
  'ENOENT',
]);

/** SQLSTATE classes 08 (connection) and 57P (shutdown, crash, starting up); 53300 too many connections; 25006 a standby;
 * 25P03 a transaction that was left open for too long, and its connection with it. */
const awayStates = /^(08...|57P0[1-5]|53300|25006|25P03)$/;

/** The `pg` package reports a lost connection without a code. */
const lostConnection =
  /^(Connection terminated|timeout expired|Client has encountered a connection error|Cannot use a pool after)/;

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.every(isDatabaseAway);
  const code = codeOf(error);
  return code === undefined ? lostConnection.test(error.message) : networkCodes.has(code) || awayStates.test(code);
}

/** Nobody listens at the address of the server. */
export function isRefused(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isRefused);
  return error instanceof Error && codeOf(error) === 'ECONNREFUSED';
}

/** Of a connection that was made: whatever ends it, the disk of the server as well. */
export function isLost(error: unknown): boolean {
  const severity = error instanceof Error && 'severity' in error ? error.severity : undefined;
  return isDatabaseAway(error) || severity === 'FATAL' || severity === 'PANIC';
}

/** All connections are in use, and none became free in time. */
export class DatabaseBusy extends Error {
  constructor(cause: unknown) {
    super('All connections to the database are in use.', { cause });
    this.name = 'DatabaseBusy';
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect');
}

/** The answer did not come in time, nor did the server end the statement: the connection is of no use any more. */
export class DatabaseStuck extends Error {
  constructor() {
    super('The database does not answer.');
    this.name = 'DatabaseStuck';
  }
}

/** 57014: the server has ended the statement at its time limit. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof DatabaseStuck || (error instanceof Error && codeOf(error) === '57014');
}

/** Whoever takes the rows in wants no more of them. The rest is still on its way, so the connection is of no use any more. */
export class ReadingStopped extends Error {
  constructor(reason: unknown) {
    super('The rest of the rows was not read.', { cause: reason });
    this.name = 'ReadingStopped';
  }
}

/**
 * 40001 serialisation failure, 40P01 deadlock; 23505 on a key that somebody has set ahead of the sequence by SQL; a prepared statement that
 * does not fit any more.
 */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  const isKeyTaken = code === '23505' && 'constraint' in error && String(error.constraint).endsWith('__key__pkey');
  return code === '40001' || code === '40P01' || isKeyTaken || isOutdated(error);
}

/** 26000: it is not there; 0A000: another process has changed what its rows look like. */
export function isOutdated(error: Error): boolean {
  const code = codeOf(error);
  return code === '26000' || (code === '0A000' && error.message.startsWith('cached plan'));
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** 55P03: somebody else had a lock for too long. */
export function isLockedOut(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '55P03';
}

/** It will go by itself: whoever can wait tries again. */
export function isPassing(error: unknown): boolean {
  return isLockedOut(error) || error instanceof DatabaseAway || error instanceof DatabaseBusy;
}

/** What a failure of a statement means for its caller; undefined: it is no outage. */
export function asOutage(error: unknown): DatabaseAway | undefined {
  if (error instanceof DatabaseAway) return error;
  if (isLost(error)) return new DatabaseAway(error);
  return isDiskFull(error) ? new DatabaseFull(error) : undefined;
}

/** Nobody else may get the connection: it answers nothing any more, or answers to what was asked before. */
export function isUseless(error: unknown): boolean {
  const isOver = [DatabaseStuck, DatabaseAway, ReadingStopped].some((kind) => error instanceof kind);
  return isOver || isLost(error);
}

/** For what need not be waited for while the database is away. */
export function unlessAway(error: unknown): void {
  if (!(error instanceof DatabaseAway)) throw error;
}
