// Loads the script engine, QuickJS as WebAssembly, and limits its memory. As shipped, the engine may grow to 4 GB. Its
// own limit counts what is allocated, not the gaps between: measured, a script that leaves gaps made it grow by 70 MB.

import { readFileSync } from 'node:fs';

/** Pages of 64 kB: 40 MB in all. */
const pagesMax = 640;
const memorySection = 5;

/** The only part of WebAssembly that is used here. Its types are declared in the browser library. */
declare const WebAssembly: { Module: new (binary: Uint8Array) => object };

/** Returns a WebAssembly.Module. */
export function compileEngine(): object {
  return new WebAssembly.Module(boundMemory(readFileSync(new URL(import.meta.resolve('quickjs-wasi/quickjs.wasm')))));
}

/** The section: its number, its length, the number of memories, whether there is a maximum, minimum, maximum. */
function boundMemory(binary: Uint8Array): Uint8Array {
  let at = 8;
  while (binary[at] !== memorySection) {
    const length = readNumber(binary, at + 1);
    at = length.end + length.value;
    if (at >= binary.length) throw new Error('The script engine has no memory section.');
  }
  const length = readNumber(binary, at + 1);
  const [count, hasMaximum] = binary.subarray(length.end);
  if (count !== 1 || hasMaximum !== 0)
    throw new Error('The script engine declares its memory in a way that is not known.');
  const minimum = readNumber(binary, length.end + 2);
  const limits = [1, 1, ...writeNumber(minimum.value), ...writeNumber(pagesMax)];
  const section = [memorySection, ...writeNumber(limits.length), ...limits];
  return Buffer.concat([binary.subarray(0, at), Uint8Array.from(section), binary.subarray(minimum.end)]);
}

/** LEB128: seven bits per byte, lowest first. */
function readNumber(binary: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start, shift = 0; ; at++, shift += 7) {
    const byte = binary[at]!;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end: at + 1 };
  }
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeNumber(value >> 7)];
}
