// Opens a script engine within its limits, and sets up its realm before any script runs in it.

import { Intrinsics, type JSValueHandle, QuickJS } from 'quickjs-wasi';
import type { EngineHost } from './engine-host.ts';
import { freezeRealm } from './guest/freeze-realm.ts';
import { makeCaller } from './guest/make-caller.ts';
import { stripRealm } from './guest/strip-realm.ts';

export type GuestName = keyof ReturnType<typeof makeCaller>;

export interface OpenEngine {
  readonly engine: QuickJS;
  /** The object of the guest functions that the host calls. */
  readonly caller: JSValueHandle;
}

/** `module`: a WebAssembly.Module. */
export async function openEngine(module: object, host: EngineHost): Promise<OpenEngine> {
  const engine = await QuickJS.create({
    wasm: module,
    wasi: (memory: { readonly buffer: ArrayBufferLike }) => host.wasi(memory),
    memoryLimit: memoryBytesMax,
    maxStackSize: stackBytesMax,
    interruptHandler: () => host.interrupts(),
    timezoneOffset: 0,
    intrinsics: Intrinsics.ALL & ~unwantedIntrinsics,
  });
  return { engine, caller: engine.evalCode(realmSource, 'realm') };
}

const memoryBytesMax = 32 * 1024 * 1024;
const stackBytesMax = 64 * 1024;
const unwantedIntrinsics =
  Intrinsics.WEAK_REF | Intrinsics.PERFORMANCE | Intrinsics.ATOB_BTOA | Intrinsics.DOM_EXCEPTION;

const realmSource = `'use strict';
(() => {
  const evaluate = (${stripRealm})();
  const caller = (${makeCaller})(evaluate);
  (${freezeRealm})();
  return caller;
})()`;
