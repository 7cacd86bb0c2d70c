// Gets the entry of a map, and adds it first if it does not exist.

/** The common interface of Map and WeakMap. */
interface Entries<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

export function entryOf<Key, Value>(map: Entries<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
