// Reads a backup from a stream, piece by piece: lines of JSON, and between them the rows of one table after the other.

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '../errors.ts';
import { endOfRows, parseLine } from './backup-header.ts';

export class BackupReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash = createHash('sha256');
  /** The end mark itself is not hashed. */
  #isEnding = false;
  #pending: Buffer = Buffer.alloc(0);

  constructor(source: Readable) {
    const unzipped = createGunzip({ chunkSize: 131_072 });
    source.on('error', (error) => unzipped.destroy(error));
    this.#chunks = source.pipe(unzipped)[Symbol.asyncIterator]();
  }

  async readLine(): Promise<string> {
    let end = this.#pending.indexOf(newline);
    while (end < 0) {
      if (this.#pending.length > lineBytesMax) throw damaged('a line is too long');
      const searched = this.#pending.length;
      await this.#readMore();
      end = this.#pending.indexOf(newline, searched);
    }
    return this.#take(end + 1).toString('utf8', 0, end);
  }

  async readJson<T>(): Promise<T> {
    const value = parseLine(await this.readLine());
    if (typeof value !== 'object' || value === null) throw damaged('a line is not JSON');
    return value as T;
  }

  /** Up to the end of the table, which is taken, too. */
  async *readRows(): AsyncGenerator<Buffer> {
    // A line that ends the rows follows another line, but for an empty table.
    while (this.#pending.length < endOfRows.length) await this.#readMore();
    if (this.#pending.subarray(0, endOfRows.length).equals(endOfRows)) {
      this.#take(endOfRows.length);
      return;
    }
    for (;;) {
      const end = this.#pending.indexOf(lastRowsEnd);
      if (end >= 0) {
        yield this.#take(end + 1);
        this.#take(endOfRows.length);
        return;
      }
      const certain = this.#pending.length - endOfRows.length;
      if (certain > 0) yield this.#take(certain);
      await this.#readMore();
    }
  }

  /** The end mark: all that was read before it is as it was written, and nothing follows. */
  async readEnd(rows: number): Promise<void> {
    const sha256 = this.#hash.digest('hex');
    this.#isEnding = true;
    const { end } = await this.readJson<{ end?: { rows?: number; sha256?: string } }>();
    if (end?.sha256 !== sha256) throw damaged('its checksum does not match');
    if (end.rows !== rows) throw damaged(`it has ${rows} rows and should have ${end.rows}`);
    const { done } = await this.#next();
    if (this.#pending.length > 0 || !done) throw damaged('something follows its end');
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#next();
    if (done) throw damaged('its end is missing');
    this.#pending = this.#pending.length === 0 ? value : Buffer.concat([this.#pending, value]);
  }

  async #next(): Promise<IteratorResult<Buffer>> {
    try {
      return await this.#chunks.next();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (message === 'incorrect header check') throw new OperatorError('This is not a backup of Flaghoist.');
      if (code === 'Z_BUF_ERROR') throw damaged('its end is missing');
      if (code?.startsWith('Z_')) throw damaged(message);
      throw new OperatorError(`The backup cannot be read: ${message}. Nothing was restored.`, { cause: error });
    }
  }

  #take(length: number): Buffer {
    const taken = this.#pending.subarray(0, length);
    this.#pending = this.#pending.subarray(length);
    if (!this.#isEnding) this.#hash.update(taken);
    return taken;
  }
}

const newline = 0x0a;

/** The end of the last row, and the line that follows it. */
const lastRowsEnd = Buffer.concat([Buffer.from('\n'), endOfRows]);

/** The header has the declarations of all types, which are about 100 kB. */
const lineBytesMax = 64 * 1024 * 1024;

export function damaged(reason: string): OperatorError {
  return new OperatorError(`The backup is damaged or incomplete: ${reason}. Nothing was restored. Use another backup.`);
}
