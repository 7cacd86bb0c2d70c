// The entry of a map, which is made where there is none yet.

/** Weak ones as well. */
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
