// libxslt in WebAssembly, hosted by ourselves: the loader of its package would give it the network, 2 GB of memory and a stack of 64 kB
// whose end nothing guards. An engine that has thrown, or that ran out of memory, is spoilt: it must be dropped.

import { type EngineHost, hostEngine, pageBytes } from './engine-imports.ts';
import { Instance, Memory, type WasmMemory, type WasmModule } from './web-assembly.ts';

/** For trees, texts, compiled stylesheets and the stack. */
const memoryBytesMax = 64 * 1024 * 1024;

/** Measured: its own limits of depth (3,000 templates, 5,000 levels of an expression) take up to 2 MB. */
const stackBytes = 4 * 1024 * 1024;

/** Addresses are numbers; 0 is none. */
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

/** One engine after the other has it: memory that is dropped is given back late, and spoilt engines would pile up. */
export function newMemory(): WasmMemory {
  return new Memory({ initial: 256, maximum: memoryBytesMax / pageBytes, shared: true });
}

export class Engine {
  readonly run: Exports;
  readonly #memory: WasmMemory;
  readonly #host: EngineHost;
  readonly #stackEnd: number;
  #bytes: Buffer;

  /** Whatever is in the memory is lost. */
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

  /** What it does after that cannot be relied on. */
  get isSpoilt(): boolean {
    return this.#host.isOutOfMemory || this.readAddress(this.#stackEnd) !== 0;
  }

  get isOutOfMemory(): boolean {
    return this.#host.isOutOfMemory;
  }

  takeSaid(): string {
    return this.#host.takeSaid();
  }

  /** Of memory that must be freed, and its length in bytes without the zero at its end. */
  write(text: string): { address: number; length: number } {
    const length = Buffer.byteLength(text);
    const address = this.run.malloc(length + 1);
    if (address === 0) throw new Error('There is no memory left.');
    this.#current().write(text, address, length);
    this.#current()[address + length] = 0;
    return { address, length };
  }

  /** Up to the zero byte. Undefined where there is none. */
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

  /** Answers its end, where a zero stands for as long as it was never full. */
  #moveStack(): number {
    const end = this.run.malloc(stackBytes);
    this.writeAddress(end, 0);
    // Anything but a multiple of 16 breaks code that relies on it.
    this.run._emscripten_stack_restore((end + stackBytes) & ~15);
    return end;
  }

  /** Neither `dynamic` nor `saxon`: they evaluate texts, which nobody could look at before. */
  #registerExtensions(): void {
    this.run.exsltCommonRegister();
    this.run.exsltMathRegister();
    this.run.exsltSetsRegister();
    this.run.exsltFuncRegister();
    this.run.exsltStrRegister();
    this.run.exsltDateRegister();
  }
}
