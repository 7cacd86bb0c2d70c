// Runs inside the script engine, as text: takes away what no script is to have, before anything is frozen. May use
// nothing but what stands in the function itself.

/** Answers `eval`, which only the part that compiles scripts keeps. */
export function stripRealm(): (text: string) => unknown {
  const realm = globalThis as Record<string, unknown>;
  const evaluate = realm.eval as (text: string) => unknown;
  const unwanted = ['eval', 'queueMicrotask', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry'];
  for (const name of [...unwanted, 'WebAssembly', 'performance', 'DOMException', 'atob', 'btoa']) delete realm[name];
  // These are switches of the engine, not values: freezing them would stop nobody.
  for (const name of ['prepareStackTrace', 'stackTraceLimit', 'captureStackTrace']) Reflect.deleteProperty(Error, name);

  /** Text does not become code: with that, what a script names is what it can reach. */
  function takeConstructor(prototype: object): void {
    function refuse(): never {
      throw new TypeError('Code cannot be made of text here');
    }
    Object.defineProperty(refuse, 'name', { value: (prototype.constructor as { name: string }).name });
    Object.defineProperty(refuse, 'prototype', { value: prototype });
    Object.defineProperty(prototype, 'constructor', { value: refuse });
  }
  const makers = [() => {}, async () => {}, function* () {}, async function* () {}];
  for (const maker of makers) takeConstructor(Object.getPrototypeOf(maker));
  realm.Function = Function.prototype.constructor;
  return evaluate;
}
