// The functions that the engine can call: they grow its memory up to a limit, return the time, and receive its
// messages. The engine was compiled for a system with files and a network. There are none here, and all calls that need
// them fail.

import { Module, type WasmImport, type WasmMemory, type WasmModule } from './web-assembly.ts';

export interface EngineHost {
  readonly imports: Record<string, HostFunctions>;
  /** Returns what the engine has written since the last call. */
  takeOutput(): string;
  readonly isOutOfMemory: boolean;
}

export function hostEngine(module: WasmModule, memory: WasmMemory, run: StartThread): EngineHost {
  const output = new EngineOutput();
  let isOutOfMemory = false;
  const functions: HostFunctions = {
    ...rejectAll(module),
    memory,
    _emscripten_init_main_thread_js: run,
    emscripten_get_now: () => performance.now(),
    emscripten_date_now: () => Date.now(),
    clock_time_get: (_clock: number, _precision: bigint, at: number) => writeTime(memory, at),
    _gmtime_js: (seconds: bigint, at: number) => writeDate(memory, seconds, at),
    // Local time is UTC, so that the output of an object is the same on every machine.
    _localtime_js: (seconds: bigint, at: number) => writeDate(memory, seconds, at),
    emscripten_resize_heap: (bytes: number) => {
      const hasGrown = growTo(memory, bytes >>> 0);
      if (!hasGrown) isOutOfMemory = true;
      return hasGrown ? 1 : 0;
    },
    fd_write: (_file: number, parts: number, count: number, written: number) => {
      output.add(readParts(memory, parts, count, written));
      return 0;
    },
    __asyncjs__fetchBytes: (_url: number, bytes: number, length: number, status: number) =>
      rejectFetch(memory, { bytes, length, status }),
    _abort_js: () => end('abort'),
    exit: () => end('exit'),
    emscripten_exit_with_live_runtime: () => end('exit'),
  };
  return {
    imports: { env: functions, wasi_snapshot_preview1: functions },
    takeOutput: () => output.take(),
    get isOutOfMemory() {
      return isOutOfMemory;
    },
  };
}

/** The engine calls this once, with the address of its main thread. */
type StartThread = (thread: number) => void;

type HostFunctions = Record<string, WasmImport>;

/** A system call returns -1 when it fails. */
function rejectAll(module: WasmModule): HostFunctions {
  const functions = Module.imports(module).filter(({ kind }) => kind === 'function');
  return Object.fromEntries(functions.map(({ name }) => [name, () => -1]));
}

function growTo(memory: WasmMemory, bytes: number): boolean {
  try {
    memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / pageBytes));
    return true;
  } catch {
    return false;
  }
}

export const pageBytes = 65_536;

function writeTime(memory: WasmMemory, at: number): number {
  new DataView(memory.buffer).setBigUint64(at, BigInt(Date.now()) * 1_000_000n, true);
  return 0;
}

/** A C `struct tm`: second, minute, hour, day, month from 0, year from 1900, day of the week, day of the year. */
function writeDate(memory: WasmMemory, seconds: bigint, at: number): void {
  const date = new Date(Number(seconds) * 1000);
  const dayOfYear = Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000);
  const time = [date.getUTCSeconds(), date.getUTCMinutes(), date.getUTCHours()];
  const day = [date.getUTCDate(), date.getUTCMonth(), date.getUTCFullYear() - 1900, date.getUTCDay(), dayOfYear];
  const notSummerTimeNorShifted = [0, 0];
  new Int32Array(memory.buffer, at, 10).set([...time, ...day, ...notSummerTimeNorShifted]);
}

function readParts(memory: WasmMemory, parts: number, count: number, written: number): string {
  const view = new DataView(memory.buffer);
  let text = '';
  let total = 0;
  for (let at = parts; at < parts + count * 8; at += 8) {
    const length = view.getUint32(at + 4, true);
    text += Buffer.from(memory.buffer, view.getUint32(at, true), length).toString('latin1');
    total += length;
  }
  view.setUint32(written, total, true);
  return text;
}

function rejectFetch(memory: WasmMemory, at: { bytes: number; length: number; status: number }): void {
  const view = new DataView(memory.buffer);
  view.setUint32(at.bytes, 0, true);
  view.setUint32(at.length, 0, true);
  view.setUint32(at.status, 403, true);
}

function end(how: string): never {
  throw new Error(`The engine ended with ${how}.`);
}

/** The limit for the beginning. Of the end, up to twice as much is kept. */
const partCharsMax = 8_000;

/**
 * Keeps the output of the engine within a limit: its beginning and its end. An error of the engine comes last, after
 * all messages of the stylesheet.
 */
class EngineOutput {
  // One character per byte, because a UTF-8 character may arrive in two parts.
  #beginning = '';
  #end = '';
  #isCut = false;

  add(bytes: string): void {
    const left = partCharsMax - this.#beginning.length;
    if (left > 0) this.#beginning += bytes.slice(0, left);
    if (left < bytes.length) this.#end += bytes.slice(left);
    if (this.#end.length <= partCharsMax * 2) return;
    this.#end = this.#end.slice(-partCharsMax);
    this.#isCut = true;
  }

  /** Returns everything since the last call. */
  take(): string {
    const bytes = `${this.#beginning}${this.#isCut ? '\n' : ''}${this.#end}`;
    this.#beginning = '';
    this.#end = '';
    this.#isCut = false;
    return Buffer.from(bytes, 'latin1').toString();
  }
}
