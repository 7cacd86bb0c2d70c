// libxslt in WebAssembly, with our own host. The loader of its package would give it the network, 2 GB of memory, and a
// stack of 64 kB without an overflow guard. An engine that has thrown or run out of memory is broken and must be
// dropped.

import { type EngineHost, hostEngine, pageBytes } from './engine-imports.ts';
import { Instance, Memory, type WasmMemory, type WasmModule } from './web-assembly.ts';

/** For trees, strings, compiled stylesheets and the stack. */
const memoryBytesMax = 64 * 1024 * 1024;

/** Measured: the depth limits of libxslt (3,000 templates, 5,000 levels of an expression) take up to 2 MB. */
const stackBytes = 4 * 1024 * 1024;

/** Addresses are numbers; 0 is the null pointer. */
interface Exports {
  xmlReadMemory(text: number, bytes: number, name: number, encoding: number, options: number): number;
  xmlFreeDoc(document: number): void;
  xsltParseStylesheetDoc(document: number): number;
  xsltFreeStylesheet(stylesheet: number): void;
  xsltApplyStylesheet(stylesheet: number, document: number, parameters: number): number;
  xsltSaveResultTo(buffer: number, result: number, stylesheet: number): number;
  xmlAllocOutputBuffer(encoder: number): number;
  xmlOutputBufferGetContent(buffer: number): number;
  xmlOutputBufferGetSize(buffer: number): number;
  xmlOutputBufferClose(buffer: number): number;
  malloc(bytes: number): number;
  free(address: number): void;
  main(count: number, values: number): number;
  __wasm_call_ctors(): void;
  _emscripten_thread_init(thread: number, ...settings: number[]): void;
  _emscripten_tls_init(): void;
  _emscripten_stack_restore(address: number): void;
  exsltCommonRegister(): void;
  exsltMathRegister(): void;
  exsltSetsRegister(): void;
  exsltFuncRegister(): void;
  exsltStrRegister(): void;
  exsltDateRegister(): void;
}

/** Reused by one engine after another. Dropped memory is released late, so new memory for each engine would pile up. */
export function newMemory(): WasmMemory {
  return new Memory({ initial: 256, maximum: memoryBytesMax / pageBytes, shared: true });
}

export class Engine {
  readonly run: Exports;
  readonly #memory: WasmMemory;
  readonly #host: EngineHost;
  readonly #stackEnd: number;
  #bytes: Buffer;

  /** Erases the memory. */
  constructor(module: WasmModule, memory: WasmMemory) {
    new Uint8Array(memory.buffer).fill(0);
    this.#memory = memory;
    this.#host = hostEngine(module, this.#memory, (thread) => {
      this.run._emscripten_thread_init(thread, 0, 1, 1, pageBytes, 0);
      this.run._emscripten_tls_init();
    });
    this.run = new Instance(module, this.#host.imports).exports as Exports;
    this.#bytes = Buffer.from(this.#memory.buffer);
    this.run.__wasm_call_ctors();
    this.run.main(0, 0);
    this.#stackEnd = this.#moveStack();
    this.#registerExtensions();
  }

  /** The engine ran out of memory or its stack was full. Its results are not reliable any more. */
  get isBroken(): boolean {
    return this.#host.isOutOfMemory || this.readAddress(this.#stackEnd) !== 0;
  }

  get isOutOfMemory(): boolean {
    return this.#host.isOutOfMemory;
  }

  takeOutput(): string {
    return this.#host.takeOutput();
  }

  /** Returns the address, which must be freed, and the length in bytes without the final zero. */
  write(text: string): { address: number; length: number } {
    const length = Buffer.byteLength(text);
    const address = this.run.malloc(length + 1);
    if (address === 0) throw new Error('There is no memory left.');
    this.#current().write(text, address, length);
    this.#current()[address + length] = 0;
    return { address, length };
  }

  /** Reads up to the zero byte. Returns undefined for the null pointer. */
  read(address: number): string | undefined {
    if (address === 0) return undefined;
    const bytes = this.#current();
    return bytes.toString('utf8', address, bytes.indexOf(0, address));
  }

  readBytes(address: number, length: number): string {
    return this.#current().toString('utf8', address, address + length);
  }

  readAddress(at: number): number {
    return this.#current().readUInt32LE(at);
  }

  readShort(at: number): number {
    return this.#current().readUInt16LE(at);
  }

  writeAddress(at: number, address: number): void {
    this.#current().writeUInt32LE(address, at);
  }

  #current(): Buffer {
    if (this.#bytes.length !== this.#memory.buffer.byteLength) this.#bytes = Buffer.from(this.#memory.buffer);
    return this.#bytes;
  }

  /** Returns the end of the stack, which contains a zero as long as the stack was never full. */
  #moveStack(): number {
    const end = this.run.malloc(stackBytes);
    this.writeAddress(end, 0);
    // Compiled code relies on a stack pointer that is a multiple of 16.
    this.run._emscripten_stack_restore((end + stackBytes) & ~15);
    return end;
  }

  /** Not `dynamic` and not `saxon`: they evaluate strings, which cannot be checked beforehand. */
  #registerExtensions(): void {
    this.run.exsltCommonRegister();
    this.run.exsltMathRegister();
    this.run.exsltSetsRegister();
    this.run.exsltFuncRegister();
    this.run.exsltStrRegister();
    this.run.exsltDateRegister();
  }
}
