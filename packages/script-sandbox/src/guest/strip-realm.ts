// Runs inside the script engine, as text: removes what no script may use, before the realm is frozen. The function must
// not refer to anything outside itself.

/** Returns `eval`, which only the code that compiles scripts keeps. */
export function stripRealm(): (text: string) => unknown {
  const realm = globalThis as Record<string, unknown>;
  const evaluate = realm.eval as (text: string) => unknown;
  const unwanted = ['eval', 'queueMicrotask', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry'];
  for (const name of [...unwanted, 'WebAssembly', 'performance', 'DOMException', 'atob', 'btoa']) delete realm[name];
  // These are switches of the engine, not plain values: freezing them would not disable them.
  for (const name of ['prepareStackTrace', 'stackTraceLimit', 'captureStackTrace']) Reflect.deleteProperty(Error, name);

  /** Prevents scripts from compiling text. A script can then reach only what its source names. */
  function takeConstructor(prototype: object): void {
    function reject(): never {
      throw new TypeError('Code cannot be compiled from text');
    }
    Object.defineProperty(reject, 'name', { value: (prototype.constructor as { name: string }).name });
    Object.defineProperty(reject, 'prototype', { value: prototype });
    Object.defineProperty(prototype, 'constructor', { value: reject });
  }
  const makers = [() => {}, async () => {}, function* () {}, async function* () {}];
  for (const maker of makers) takeConstructor(Object.getPrototypeOf(maker));
  realm.Function = Function.prototype.constructor;
  return evaluate;
}
