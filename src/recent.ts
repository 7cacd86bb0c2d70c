// The most recent ones of something that there may be very much of: the one not asked for the longest goes first. Takes memory as it fills;
// with the `max` of the library each of them would take it all at once, and the collector would walk over it for ever.

import { LRUCache } from 'lru-cache';

export function recent<K extends string | number, V extends object | string | number | true>(
  most: number,
): LRUCache<K, V> {
  return new LRUCache<K, V>({ maxSize: most, sizeCalculation: () => 1 });
}
