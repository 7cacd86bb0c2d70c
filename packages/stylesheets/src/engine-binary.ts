// Compiles the stylesheet engine: libxslt as WebAssembly, unmodified from its npm package.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Module, type WasmModule } from './web-assembly.ts';

const require = createRequire(import.meta.url);

export function compileEngine(): WasmModule {
  return new Module(readFileSync(require.resolve('libxslt-wasm/output/libxslt.wasm')));
}
