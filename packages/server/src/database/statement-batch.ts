// Sends several statements to PostgreSQL together and receives their answers together. The server answers once, after
// the last statement, and describes the rows of a prepared statement only the first time. Between processes on one
// machine, a wake-up for each answer costs more than most statements do. After an error the server skips the rest.

import pg from 'pg';
import { DatabaseStuck, isOutdated, ReadingStopped } from './database-away.ts';
import { type Parameter, parameterOf } from './parameter.ts';

export interface BatchedStatement {
  text: string;
  values?: readonly unknown[];
  /** The name under which the statement is prepared, once per connection. */
  name?: string | undefined;
  /** How to read columns with these names. Other columns are read by their types. */
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

const byType: Readers = new Map();

export type Row = Record<string, unknown>;

interface Sent {
  text: string;
  values: Parameter[];
  /** Empty: not prepared. */
  name: string;
  readers: Readers;
  onReceived: OnReceived | undefined;
}

interface Column {
  name: string;
  read: ReadValue;
}

/** The columns of a statement's rows. */
interface Shape {
  columns: readonly Column[];
  /** Copied for each row: an object created with all its members is smaller than one that grows column by column. */
  emptyRow: Row;
}

const noShape: Shape = { columns: [], emptyRow: {} };

/** The shapes of the statements that each connection has prepared. */
const preparedOn = new WeakMap<pg.Connection, Map<string, Shape>>();

/**
 * Fails with the first error, or with `DatabaseStuck` if the answers take longer than `patienceMs`. The driver's own
 * time limit is not used: its wrapper keeps the rows of every query alive until the next full garbage collection.
 */
export function runBatch(
  client: pg.ClientBase,
  statements: readonly BatchedStatement[],
  patienceMs: number,
): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    client.query(new StatementBatch(statements, patienceMs, { resolve, reject }));
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
  readonly #statements: readonly Sent[];
  readonly #answers: Row[][] = [];
  #prepared = new Map<string, Shape>();
  #shape = noShape;
  #rows: Row[] = [];
  #fault: Error | undefined;
  #isStopped = false;
  readonly #settle: Completion;
  readonly #timer: NodeJS.Timeout;

  constructor(statements: readonly BatchedStatement[], patienceMs: number, settle: Completion) {
    this.#statements = statements.map(({ text, values = [], name = '', readers = byType, onReceived }) => ({
      text,
      values: values.map(parameterOf),
      name,
      readers,
      onReceived,
    }));
    this.#settle = settle;
    this.#timer = setTimeout(() => this.handleError(new DatabaseStuck()), patienceMs);
  }

  submit(connection: pg.Connection): void {
    this.#prepared = preparedOn.get(connection) ?? new Map();
    preparedOn.set(connection, this.#prepared);
    this.#begin();
    connection.stream.cork();
    try {
      for (const statement of this.#statements) this.#send(connection, statement);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const { readers } = this.#statements[this.#answers.length]!;
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: readers.get(name) ?? pg.types.getTypeParser(dataTypeID),
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
      this.#fault ??= error as Error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {
    const { name } = this.#statements[this.#answers.length]!;
    if (name !== '') this.#prepared.set(name, this.#shape);
    this.#answers.push(this.#rows);
    this.#begin();
  }

  /** The text contains no statement. */
  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleReadyForQuery(): void {
    clearTimeout(this.#timer);
    if (this.#fault) this.#settle.reject(this.#fault);
    else this.#settle.resolve(this.#answers);
  }

  handleError(error: Error): void {
    clearTimeout(this.#timer);
    if (isOutdated(error)) this.#prepared.clear();
    this.#settle.reject(error);
  }

  #countReceived(bytes: number): void {
    const { onReceived } = this.#statements[this.#answers.length]!;
    try {
      onReceived?.(bytes);
    } catch (reason) {
      this.#isStopped = true;
      this.handleError(new ReadingStopped(reason));
    }
  }

  /** Starts the answer to the next statement. */
  #begin(): void {
    this.#rows = [];
    this.#shape = this.#prepared.get(this.#statements[this.#answers.length]?.name ?? '') ?? noShape;
  }

  #send(connection: pg.Connection, { text, values, name }: Sent): void {
    const isPrepared = name !== '' && this.#prepared.has(name);
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
