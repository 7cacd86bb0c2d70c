// Sends several statements to PostgreSQL together and receives their answers together. The server answers once, after
// the last statement, and describes the rows of a prepared statement only the first time. Between processes on one
// machine, a wake-up for each answer costs more than most statements do. After an error the server skips the rest.

import pg from 'pg';
import { DatabaseStuck, isOutdated, ReadingStopped } from './database-away.ts';

export interface BatchedStatement {
  text: string;
  values?: readonly unknown[];
  /** The name under which the statement is prepared, once per connection. */
  name?: string | undefined;
  /** How to read columns with these names; must be the same for the same text. Others are read by their types. */
  readers?: Readers | undefined;
  onReceived?: OnReceived | undefined;
}

/**
 * Called with the size of each row as it arrives. If it throws, reading stops: the batch fails with `ReadingStopped`,
 * and the connection cannot be used again.
 */
export type OnReceived = (bytes: number) => void;

/** Reads a value that is not null. */
export type ReadValue = (text: string) => unknown;

/** Column → how to read its values. */
export type Readers = ReadonlyMap<string, ReadValue>;

export type Row = Record<string, unknown>;

/** The columns of a statement's rows. */
interface Shape {
  columns: readonly { name: string; read: ReadValue }[];
  /** Copied for each row: an object created with all its members is smaller than one that grows column by column. */
  emptyRow: Row;
}

const noShape: Shape = { columns: [], emptyRow: {} };

/** The shapes of the statements that each connection has prepared. */
const preparedOn = new WeakMap<pg.Connection, Map<string, Shape>>();

/**
 * Fails with the first error, or with `DatabaseStuck` if the answers take longer than `timeoutMs`. The driver's own
 * time limit is not used: its wrapper keeps the rows of every query alive until the next full garbage collection.
 */
export function runBatch(
  client: pg.ClientBase,
  statements: readonly BatchedStatement[],
  timeoutMs: number,
): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    client.query(new StatementBatch(statements, timeoutMs, { resolve, reject }));
  });
}

/** The driver's message for a row. */
interface DataRow {
  fields: (string | null)[];
  /** Of the message, without its first byte. */
  length: number;
}

/** The length of the message and the number of values. */
const rowHeadBytes = 6;

interface Completion {
  resolve(answers: Row[][]): void;
  reject(error: Error): void;
}

/** Implements the driver's interface for queries. */
class StatementBatch implements pg.Submittable {
  readonly #statements: readonly BatchedStatement[];
  /** Converted first: a value that cannot be converted must fail before anything is sent. */
  readonly #values: readonly Parameter[][];
  readonly #answers: Row[][] = [];
  #prepared = new Map<string, Shape>();
  #shape = noShape;
  #rows: Row[] = [];
  #readError: Error | undefined;
  #isStopped = false;
  readonly #completion: Completion;
  readonly #timer: NodeJS.Timeout;

  constructor(statements: readonly BatchedStatement[], timeoutMs: number, completion: Completion) {
    this.#statements = statements;
    this.#values = statements.map(({ values = [] }) => values.map(parameterOf));
    this.#completion = completion;
    this.#timer = setTimeout(() => this.handleError(new DatabaseStuck()), timeoutMs);
  }

  submit(connection: pg.Connection): void {
    this.#prepared = preparedOn.get(connection) ?? new Map();
    preparedOn.set(connection, this.#prepared);
    this.#startAnswer();
    connection.stream.cork();
    try {
      for (const [index, statement] of this.#statements.entries())
        this.#send(connection, statement, this.#values[index]!);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const readers = this.#current?.readers;
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: readers?.get(name) ?? pg.types.getTypeParser(dataTypeID),
    }));
    this.#shape = { columns, emptyRow: Object.fromEntries(columns.map(({ name }) => [name, null])) };
  }

  handleDataRow({ fields, length }: DataRow): void {
    if (this.#isStopped) return;
    const { columns, emptyRow } = this.#shape;
    const row = { ...emptyRow };
    try {
      if (fields.length !== columns.length) throw new Error('A row has other columns than were announced.');
      columns.forEach(({ name, read }, at) => {
        const text = fields[at]!;
        if (text !== null) row[name] = read(text);
      });
      this.#countReceived(length - rowHeadBytes);
    } catch (error) {
      this.#readError ??= error as Error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {
    const name = this.#current?.name;
    if (name !== undefined) this.#prepared.set(name, this.#shape);
    this.#answers.push(this.#rows);
    this.#startAnswer();
  }

  /** The text contains no statement. */
  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleReadyForQuery(): void {
    clearTimeout(this.#timer);
    if (this.#readError) this.#completion.reject(this.#readError);
    else this.#completion.resolve(this.#answers);
  }

  handleError(error: Error): void {
    clearTimeout(this.#timer);
    if (isOutdated(error)) this.#prepared.clear();
    this.#completion.reject(error);
  }

  /** The statement whose answer is arriving. */
  get #current(): BatchedStatement | undefined {
    return this.#statements[this.#answers.length];
  }

  #startAnswer(): void {
    this.#rows = [];
    this.#shape = this.#prepared.get(this.#current?.name ?? '') ?? noShape;
  }

  #countReceived(bytes: number): void {
    try {
      this.#current?.onReceived?.(bytes);
    } catch (reason) {
      this.#isStopped = true;
      this.handleError(new ReadingStopped(reason));
    }
  }

  #send(connection: pg.Connection, { text, name = '' }: BatchedStatement, values: Parameter[]): void {
    const isPrepared = this.#prepared.has(name);
    if (!isPrepared) {
      // A batch that failed later on may have prepared the statement.
      if (name !== '') connection.close({ type: 'S', name }, true);
      connection.parse({ name, text, types: [] }, true);
    }
    connection.bind({ statement: name, values }, true);
    if (!isPrepared) connection.describe({ type: 'P', name: '' }, true);
    connection.execute({}, true);
  }
}

/** Text, or bytes in PostgreSQL's binary format. */
type Parameter = string | Buffer | null;

/** Lists are sent as arrays, other objects as JSON. Bytes are sent unchanged. */
function parameterOf(value: unknown): Parameter {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function elementOf(value: unknown): string {
  const text = parameterOf(value);
  return text === null ? 'NULL' : `"${String(text).replace(/["\\]/g, '\\$&')}"`;
}
