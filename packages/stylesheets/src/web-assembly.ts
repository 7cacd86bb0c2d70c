// The types of WebAssembly that are used here. ECMAScript and Node 20 do not declare them, and the browser library
// declares too much.

export interface WasmMemory {
  readonly buffer: SharedArrayBuffer;
  /** Throws if that exceeds the maximum. */
  grow(pages: number): number;
}

/** Compiled WebAssembly code. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

// biome-ignore lint/suspicious/noExplicitAny: each import has its own parameters
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
