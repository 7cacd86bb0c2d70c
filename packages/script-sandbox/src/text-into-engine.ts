// Copies a string into a script engine. The method of quickjs-wasi inspects every character first, which takes longer
// than everything else.

import { JSValueHandle, type QuickJS } from 'quickjs-wasi';

declare global {
  interface String {
    /** Part of ES2024; Node.js has it. */
    isWellFormed(): boolean;
  }
}

const encoder = new TextEncoder();

export function takeText(engine: QuickJS, text: string): JSValueHandle {
  const bytes = Buffer.byteLength(text);
  // A lone surrogate cannot be encoded as UTF-8.
  if (bytes !== text.length && !text.isWellFormed()) return engine.newString(text);
  const { wasm_malloc: allocate, wasm_free: free, qjs_new_string: newString, memory } = engine._getExports();
  const place = allocate(bytes + 1);
  if (place === 0) throw new Error('The script engine has no memory left.');
  encoder.encodeInto(text, new Uint8Array(memory.buffer, place, bytes));
  const value = new JSValueHandle(engine, newString(place, bytes));
  free(place);
  return value;
}
