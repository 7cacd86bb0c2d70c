// WebAssembly as far as it is used here: neither the types of ECMAScript nor those of Node 20 have it, and those of browsers have too much.

export interface WasmMemory {
  readonly buffer: SharedArrayBuffer;
  /** Throws where that is more than its maximum. */
  grow(pages: number): number;
}

/** Compiled code. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

// biome-ignore lint/suspicious/noExplicitAny: each has its own parameters
export type WasmImport = WasmMemory | ((...values: any[]) => unknown);

interface WebAssemblyObject {
  Module: {
    new (bytes: Uint8Array): WasmModule;
    imports(module: WasmModule): { module: string; name: string; kind: string }[];
  };
  Instance: new (
    module: WasmModule,
    imports: Record<string, Record<string, WasmImport>>,
  ) => { readonly exports: object };
  Memory: new (size: { initial: number; maximum: number; shared: true }) => WasmMemory;
}

export const { Module, Instance, Memory } = (globalThis as unknown as { WebAssembly: WebAssemblyObject }).WebAssembly;
