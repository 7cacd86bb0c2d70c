// Runs inside the script engine, as text: freezes everything that scripts share, so that no script can leave anything
// there for another script. The functions must not refer to anything outside themselves.

export function freezeRealm(hidden: typeof listHidden): void {
  /** Accessors allow assignments that an inherited frozen property would reject, for example `error.name = 'Mine'`. */
  function allowOverrides(prototype: object, keys: readonly PropertyKey[]): void {
    for (const key of keys) {
      const { value, writable } = Object.getOwnPropertyDescriptor(prototype, key) ?? {};
      if (!writable) continue;
      Object.defineProperty(prototype, key, {
        get: () => value,
        set(this: object, own: unknown) {
          if (this === prototype) throw new TypeError(`'${String(key)}' is read-only`);
          Object.defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true });
        },
      });
    }
  }

  function reachable(roots: readonly unknown[]): Set<object> {
    const found = new Set<object>();
    const waiting = [...roots];
    while (waiting.length > 0) {
      const thing = waiting.pop();
      if ((typeof thing !== 'object' && typeof thing !== 'function') || thing === null || found.has(thing)) continue;
      found.add(thing);
      waiting.push(Object.getPrototypeOf(thing));
      for (const key of Reflect.ownKeys(thing)) {
        const { value, get, set } = Object.getOwnPropertyDescriptor(thing, key)!;
        waiting.push(value, get, set);
      }
    }
    return found;
  }

  for (const thing of reachable([globalThis, ...hidden()])) {
    const isGeneral = thing === Object.prototype || thing === Error.prototype || thing instanceof Error;
    // On other objects, only rarely called methods become accessors, because accessors are slower.
    allowOverrides(thing, isGeneral ? Reflect.ownKeys(thing) : ['toString', 'toLocaleString', 'valueOf']);
  }
  for (const thing of reachable([globalThis, ...hidden()])) Object.freeze(thing);
}

/** Objects that can be reached only by syntax or by calls. */
export function listHidden(): unknown[] {
  const iterators = globalThis as unknown as { Iterator: Record<string, (...args: unknown[]) => object> };
  const { Iterator } = iterators;
  const generate = function* (): Generator {};
  const generateLater = async function* (): AsyncGenerator {};
  const callee = (function (this: unknown) {
    // biome-ignore lint/complexity/noArguments: the thrower of `arguments.callee` is needed
    return Object.getOwnPropertyDescriptor(arguments, 'callee')?.get;
  })();
  return [
    [generate, generateLater, async () => {}, callee],
    [generate.prototype, generateLater.prototype, generate(), generateLater()].map(Object.getPrototypeOf),
    [[].values(), ''[Symbol.iterator](), new Map().values(), new Set().values(), 'x'.matchAll(/x/g)],
    [Iterator.from!({ next: () => ({ done: true }) }), [].values(), Iterator.concat?.([]), Iterator.zip?.([[]])],
    (['map', 'filter', 'take', 'drop', 'flatMap', 'chunks', 'windows'] as const).map((name) => {
      const iterator = [].values() as unknown as Record<string, ((part: unknown) => object) | undefined>;
      return iterator[name]?.(name === 'map' || name === 'filter' || name === 'flatMap' ? () => [] : 1);
    }),
  ].flat();
}
