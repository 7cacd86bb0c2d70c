// Takes a text into a script engine. The package's own way looks at every character first, which takes longer than all the rest.

import { JSValueHandle, type QuickJS } from 'quickjs-wasi';

declare global {
  interface String {
    /** Of ES2024; Node.js has it. */
    isWellFormed(): boolean;
  }
}

const encoder = new TextEncoder();

export function takeText(engine: QuickJS, text: string): JSValueHandle {
  const bytes = Buffer.byteLength(text);
  // Half of a surrogate pair is no UTF-8.
  if (bytes !== text.length && !text.isWellFormed()) return engine.newString(text);
  const { wasm_malloc: allocate, wasm_free: free, qjs_new_string: newString, memory } = engine._getExports();
  const place = allocate(bytes + 1);
  if (place === 0) throw new Error('The script engine has no memory left.');
  encoder.encodeInto(text, new Uint8Array(memory.buffer, place, bytes));
  const value = new JSValueHandle(engine, newString(place, bytes));
  free(place);
  return value;
}
