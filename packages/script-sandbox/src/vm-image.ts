// The memory image of a script engine whose realm is set up. A new engine is a copy of the image: copying takes one or
// two milliseconds, setting up a realm takes twenty. It is meant for `npm run bench sandbox neighbours`: a script that
// wants all memory costs its engine, and others wait for the next one.

import { Intrinsics, QuickJS, type QuickJSOptions, type Snapshot } from 'quickjs-wasi';
import { EngineHost } from './engine-host.ts';
import { freezeRealm, listHidden } from './guest/freeze-realm.ts';
import { makeDescriber, makeJudge } from './guest/judge-result.ts';
import { makeCaller } from './guest/make-caller.ts';
import { makeFreezer } from './guest/make-freezer.ts';
import { makeConsole, makeRandom } from './guest/script-globals.ts';
import { stripRealm } from './guest/strip-realm.ts';

export const guestNames = ['readPlan', 'parse', 'freeze', 'countFrozen', 'compile', 'call', 'takeLog'] as const;
export type GuestName = (typeof guestNames)[number];

export interface VmImage {
  readonly module: object;
  readonly memory: Snapshot;
  /** The handles of the guest functions that the host calls. */
  readonly guest: Readonly<Record<GuestName, number>>;
}

/** `module`: a WebAssembly.Module. */
export async function drawVmImage(module: object): Promise<VmImage> {
  const engine = await QuickJS.create(engineOptions(module, new EngineHost()));
  const guest = engine.evalCode(realmSource, 'realm');
  const places = guestNames.map((name) => [name, engine.exportHandle(guest.getProp(name))]);
  const image = { module, memory: engine.snapshot(), guest: Object.fromEntries(places) };
  engine.dispose();
  return image;
}

export function engineOptions(module: object, host: EngineHost): QuickJSOptions {
  return {
    wasm: module,
    wasi: (memory: { readonly buffer: ArrayBufferLike }) => host.wasi(memory),
    memoryLimit: memoryBytesMax,
    maxStackSize: stackBytesMax,
    interruptHandler: () => host.interrupts(),
    timezoneOffset: 0,
    intrinsics: Intrinsics.ALL & ~unwantedIntrinsics,
  };
}

const memoryBytesMax = 32 * 1024 * 1024;
const stackBytesMax = 64 * 1024;
const unwantedIntrinsics =
  Intrinsics.WEAK_REF | Intrinsics.PERFORMANCE | Intrinsics.ATOB_BTOA | Intrinsics.DOM_EXCEPTION;

const realmSource = `'use strict';
(() => {
  const evaluate = (${stripRealm})();
  const describer = (${makeDescriber})();
  const judge = (${makeJudge})(describer);
  const log = (${makeConsole})(describer);
  const setSeed = (${makeRandom})();
  const caller = (${makeCaller})({ evaluate, describer, judge, log, setSeed });
  const guest = { ...(${makeFreezer})(), ...caller };
  (${freezeRealm})(${listHidden});
  return guest;
})()`;
