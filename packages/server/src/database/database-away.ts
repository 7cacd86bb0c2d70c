// Classifies database errors: which ones mean that the database is unavailable, and which ones mean that the
// transaction can be retried. Any other error is a mistake, of the caller or of this service.

export class DatabaseAway extends Error {
  constructor(cause: unknown, message = 'The database cannot be reached.') {
    super(message, { cause });
    this.name = 'DatabaseAway';
  }
}

/** The server responds but cannot store anything. Callers that wait for the database treat both cases alike. */
export class DatabaseFull extends DatabaseAway {
  constructor(cause: unknown) {
    super(cause, 'The disk of the database is full.');
    this.name = 'DatabaseFull';
  }
}

/** All connections are in use, and none became free in time. */
export class DatabaseBusy extends Error {
  constructor(cause: unknown) {
    super('All connections to the database are in use.', { cause });
    this.name = 'DatabaseBusy';
  }
}

/** No answer came in time, and the server did not cancel the statement. The connection cannot be used again. */
export class DatabaseStuck extends Error {
  constructor() {
    super('The database does not answer.');
    this.name = 'DatabaseStuck';
  }
}

/** The reader stopped before the last row. The rest is still on its way, so the connection cannot be used again. */
export class ReadingStopped extends Error {
  constructor(reason: unknown) {
    super('The rest of the rows was not read.', { cause: reason });
    this.name = 'ReadingStopped';
  }
}

const networkCodes =
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ' +
  'ENETRESET EAI_AGAIN ENOENT';

/**
 * SQLSTATE classes 08 (connection) and 57P (shutdown, crash, starting up). 53300: too many connections. 25006: a
 * standby. 25P03: the server ended an idle transaction together with its connection.
 */
const awayStates = /^(08...|57P0[1-5]|53300|25006|25P03)$/;

/** The `pg` package reports a lost connection without a code. */
const lostConnection =
  /^(Connection terminated|timeout expired|Client has encountered a connection error|Cannot use a pool after)/;

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.every(isDatabaseAway);
  const code = codeOf(error);
  if (code === undefined) return lostConnection.test(error.message);
  return networkCodes.split(' ').includes(code) || awayStates.test(code);
}

/** No process listens at the address of the server. */
export function isRefused(error: unknown): boolean {
  return error instanceof AggregateError ? error.errors.every(isRefused) : codeOf(error) === 'ECONNREFUSED';
}

/** Converts the error of a failed statement for the caller; undefined: the error is not an outage. */
export function asOutage(error: unknown): DatabaseAway | undefined {
  if (error instanceof DatabaseAway) return error;
  if (isLost(error)) return new DatabaseAway(error);
  return isDiskFull(error) ? new DatabaseFull(error) : undefined;
}

/** The connection must not return to the pool: it no longer answers, or it would answer earlier statements. */
export function isUnusable(error: unknown): boolean {
  const isOver = [DatabaseStuck, DatabaseAway, ReadingStopped].some((kind) => error instanceof kind);
  return isOver || isLost(error);
}

/** Whether the error ended an established connection. A full disk of the server can be the cause. */
function isLost(error: unknown): boolean {
  const severity = severityOf(error);
  return isDatabaseAway(error) || severity === 'FATAL' || severity === 'PANIC';
}

/** SQLSTATE 53100: disk full. A quota, or an error with a more general code, is recognised by its message. */
function isDiskFull(error: unknown): boolean {
  if (severityOf(error) === undefined) return false;
  return codeOf(error) === '53100' || /No space left on device|Disk quota exceeded/.test((error as Error).message);
}

/** The pool had no free connection in time. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect');
}

/** 57014: the server cancelled the statement at its time limit. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof DatabaseStuck || codeOf(error) === '57014';
}

/**
 * 40001: serialisation failure. 40P01: deadlock. 23505 on a primary key: a key was set ahead of the sequence by SQL. An
 * outdated prepared statement can be retried too.
 */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  const isKeyTaken = code === '23505' && 'constraint' in error && String(error.constraint).endsWith('__key__pkey');
  return code === '40001' || code === '40P01' || isKeyTaken || isOutdated(error);
}

/** 26000: the prepared statement does not exist. 0A000: another process changed the columns that it returns. */
export function isOutdated(error: Error): boolean {
  const code = codeOf(error);
  return code === '26000' || (code === '0A000' && error.message.startsWith('cached plan'));
}

/** 55P03: another transaction held a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** The error is temporary, so a caller that can wait may retry. */
export function isTemporary(error: unknown): boolean {
  return isLockTimeout(error) || error instanceof DatabaseAway || error instanceof DatabaseBusy;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Only errors that the server reports have a severity. */
function severityOf(error: unknown): unknown {
  return error instanceof Error && 'severity' in error ? error.severity : undefined;
}
